"""Mails that the mailbox's server does not hand out: for a while, or never."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from adapters.mail import imap_connection, mailbox
from adapters.mail.reading import Delivery
from tests.adapters.conformance import until
from tests.servers import mail
from tests.servers.mail_rig import MailRig, rigged


@pytest.fixture
async def rig(request: pytest.FixtureRequest) -> AsyncIterator[MailRig]:
    rig = await rigged(mail.shared(request.config), backoff_seconds=0.01)
    yield rig
    await rig.close()


def refuse(monkeypatch: pytest.MonkeyPatch, times: int) -> list[int]:
    """Let the server refuse so often to hand the first mail out; the tries are counted in what is given."""
    fetch, tries = imap_connection.ImapConnection.fetch, list[int]()

    def refusing(line: imap_connection.ImapConnection, uids: list[int], max_bytes: int) -> list[Delivery]:
        if uids[0] == (tries[0] if tries else uids[0]) and len(tries) < times:
            tries.append(uids[0])
            raise imap_connection.ImapProtocolError("fetch")
        return fetch(line, uids, max_bytes)

    monkeypatch.setattr(imap_connection.ImapConnection, "fetch", refusing)
    return tries


async def test_a_server_that_hands_nothing_out_for_a_while_is_waited_for(
    rig: MailRig, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries = refuse(monkeypatch, 7)
    one = rig.adapter()
    await one.start(rig.desk)
    await rig.say("gold")
    assert [came.text for came in await until(rig.desk.said)] == ["gold"]
    await one.stop()
    assert len(tries) == 7
    assert not rig.desk.parked


async def test_a_mail_that_is_never_handed_out_keeps_no_other_out(
    rig: MailRig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mailbox, "_ATTEMPTS_S", 0.0)
    refuse(monkeypatch, 1_000)
    one = rig.adapter()
    await one.start(rig.desk)
    await rig.say("gold")
    await rig.say("end")
    assert [came.text for came in await until(rig.desk.said)] == ["end"]
    await one.stop()
    assert [came.facts["reason"] for came in rig.desk.parked] == ["mail cannot be fetched"]
