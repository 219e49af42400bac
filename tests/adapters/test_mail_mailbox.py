"""The mailbox on real Dovecot when things go wrong: lines that break, disks that fill, UIDs that begin
anew.
"""

from __future__ import annotations

import asyncio
import imaplib
import logging
import time
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path

import pytest

from adapters.mail import imap_connection, mailbox
from adapters.mail.reading import Delivery
from referee.ports import Adapter, Inbound, What
from tests.adapters.conformance import until
from tests.servers import mail
from tests.servers.mail_rig import MailRig, rigged


@pytest.fixture
async def rig(request: pytest.FixtureRequest) -> AsyncIterator[MailRig]:
    rig = await rigged(mail.shared(request.config))
    yield rig
    await rig.close()


def texts(rig: MailRig) -> list[str]:
    return [one.text for one in rig.desk.said()]


async def idling(rig: MailRig, one: Adapter) -> None:
    """Wait until the adapter has looked once and waits for more."""
    await until(one.healthy)
    await asyncio.sleep(0.1)


def owner_box(rig: MailRig) -> imaplib.IMAP4:
    box = imaplib.IMAP4("127.0.0.1", rig.server.ports.imap, timeout=10)
    box.login(rig.account.address, rig.account.password)
    box.select()
    return box


def flags(rig: MailRig) -> list[bytes]:
    with owner_box(rig) as box:
        found = box.fetch("1:*", "(FLAGS)")[1]
    return [one for one in found if isinstance(one, bytes)]


def append(rig: MailRig, raw: bytes, at: float | None = None) -> None:
    with owner_box(rig) as box:
        assert box.append("INBOX", "", imaplib.Time2Internaldate(at or time.time()), raw)[0] == "OK"


async def test_new_mail_is_told_by_idle_not_by_asking(rig: MailRig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mailbox, "_FIRST_PAUSE", 300.0)  # so that asking would come too late
    rig.more["idle_seconds"] = 300.0
    one = rig.adapter()
    await one.start(rig.desk)
    await idling(rig, one)
    await rig.say("first")
    await rig.say("second")
    await until(lambda: len(rig.desk.said()) == 2)
    await one.stop()


async def test_a_server_without_idle_is_asked_now_and_then(
    rig: MailRig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        imap_connection.ImapConnection,
        "_idles",
        property(lambda line: False, lambda line, value: None),
        raising=False,
    )
    monkeypatch.setattr(mailbox, "_FIRST_PAUSE", 0.1)
    one = rig.adapter()
    await one.start(rig.desk)
    await idling(rig, one)
    await rig.say("gold")
    await until(lambda: texts(rig) == ["gold"])
    await one.stop()


@pytest.mark.parametrize(
    "fault", [lambda line: line.cut(), lambda line: line.hang_up()], ids=["reset", "hung-up"]
)
async def test_a_line_that_breaks_during_idle_is_noticed(
    rig: MailRig, fault: Callable[[object], None]
) -> None:
    rig.more["idle_seconds"] = 60.0
    one = rig.adapter()
    await one.start(rig.desk)
    await idling(rig, one)
    before = rig.imap.accepted
    fault(rig.imap)
    await until(lambda: rig.imap.accepted > before, 5)
    await rig.say("after the break")
    await until(lambda: texts(rig) == ["after the break"])
    assert one.healthy()
    await one.stop()


async def test_a_frozen_line_is_given_up_and_nothing_is_lost_or_doubled(rig: MailRig) -> None:
    rig.more |= {"idle_seconds": 0.5, "timeout_seconds": 0.5}
    one = rig.adapter()
    await one.start(rig.desk)
    await idling(rig, one)
    before = rig.imap.accepted
    rig.imap.freeze(True)
    await rig.say("into the silence")
    await until(lambda: rig.imap.accepted > before, 10)  # it gave the old line up and knocks again
    assert not one.healthy()
    rig.imap.freeze(False)
    await until(lambda: texts(rig) == ["into the silence"])
    await until(one.healthy)
    await one.stop()


@pytest.mark.parametrize("frozen", [False, True])
async def test_stopping_takes_no_two_seconds(rig: MailRig, frozen: bool) -> None:
    rig.more |= {"timeout_seconds": 30.0, "idle_seconds": 0.3 if frozen else 60.0}
    one = rig.adapter()
    await one.start(rig.desk)
    await idling(rig, one)
    if frozen:
        rig.imap.freeze(True)
        await asyncio.sleep(0.5)  # now it waits for the answer to a NOOP
    began = time.monotonic()
    await one.stop()
    assert time.monotonic() - began < 2.0
    assert not one.healthy()


async def test_a_full_disk_leaves_the_mail_where_it_is(rig: MailRig) -> None:
    one = rig.adapter()
    rig.desk.refuse = True
    await one.start(rig.desk)
    await rig.say("gold")
    await until(lambda: rig.desk.calls >= 2)  # it keeps trying
    assert not rig.desk.inbox
    assert not rig.desk.bookmarks
    assert not any(b"\\Seen" in one for one in await asyncio.to_thread(flags, rig))
    rig.desk.refuse = False
    await until(lambda: texts(rig) == ["gold"])
    await until(lambda: all(b"\\Seen" in one for one in flags(rig)))
    await one.stop()


async def test_a_desk_that_stumbles_gets_the_mail_again(
    rig: MailRig, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = rig.desk.receive
    stumbled: list[int] = []

    async def receive(
        batch: Sequence[Inbound], *, channel: str, cursor: dict[str, str] | None = None
    ) -> None:
        if not stumbled:
            stumbled.append(len(batch))
            raise ValueError("a bug of ours")
        await good(batch, channel=channel, cursor=cursor)

    monkeypatch.setattr(rig.desk, "receive", receive)
    one = rig.adapter()
    await one.start(rig.desk)
    await rig.say("gold")
    await until(lambda: texts(rig) == ["gold"])
    await one.stop()
    assert stumbled == [1]


async def test_stopping_does_not_wait_for_a_desk_that_hangs(
    rig: MailRig, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = asyncio.Event()

    async def receive(
        batch: Sequence[Inbound], *, channel: str, cursor: dict[str, str] | None = None
    ) -> None:
        asked.set()
        await asyncio.Event().wait()

    one = rig.adapter()
    with monkeypatch.context() as hanging:
        hanging.setattr(rig.desk, "receive", receive)
        await one.start(rig.desk)
        await rig.say("gold")
        await asyncio.wait_for(asked.wait(), 20)
        began = time.monotonic()
        await one.stop()
        assert time.monotonic() - began < 2.0
    two = rig.adapter()
    await two.start(rig.desk)
    await until(lambda: texts(rig) == ["gold"])
    await two.stop()


async def test_read_mails_move_to_their_folder_after_they_are_on_disk(rig: MailRig) -> None:
    rig.more["processed_folder"] = "Done"
    one = rig.adapter()
    await one.start(rig.desk)
    await rig.say("one")
    await until(lambda: texts(rig) == ["one"])
    await rig.say("two")
    await until(lambda: texts(rig) == ["one", "two"])
    await one.stop()
    with owner_box(rig) as box:
        assert box.select("Done", readonly=True)[1] == [b"2"]
        assert box.select("INBOX", readonly=True)[1] == [b"0"]


async def test_many_mails_come_in_few_transactions(rig: MailRig) -> None:
    for n in range(45):
        append(
            rig,
            f"From: ann@players.example\r\nMessage-ID: <m{n}@players.example>\r\n\r\nhand {n}\r\n".encode(),
        )
    one = rig.adapter()
    await one.start(rig.desk)
    await until(lambda: len(rig.desk.said()) == 45)
    await one.stop()
    assert texts(rig) == [f"hand {n}" for n in range(45)]
    assert rig.desk.calls == 3
    assert rig.desk.bookmarks["mail", "uid"] == "45"


async def test_uids_that_begin_anew_are_read_again_and_act_once(rig: MailRig) -> None:
    one = rig.adapter()
    await one.start(rig.desk)
    for text in ("one", "two"):
        await rig.say(text)
    await until(lambda: len(rig.desk.said()) == 2)
    await one.stop()
    before = rig.desk.bookmarks["mail", "uidvalidity"]
    box: Path = rig.server.maildir(rig.account)
    await asyncio.sleep(1.1)  # Dovecot makes the number from the second
    for name in box.glob("dovecot*"):
        name.unlink()
    await rig.say("three")
    two = rig.adapter()
    await two.start(rig.desk)
    await until(lambda: len(rig.desk.said()) >= 3)
    await two.stop()
    assert rig.desk.bookmarks["mail", "uidvalidity"] != before
    assert sorted(texts(rig)) == ["one", "three", "two"]


async def test_a_mailbox_that_counts_anew_brings_nothing_that_the_inbox_has_forgotten(rig: MailRig) -> None:
    """Mails of years would be taken for new ones: their writers would be asked, and strangers be greeted."""
    rig.desk.bookmarks |= {("mail", "uidvalidity"): "1", ("mail", "uid"): "99"}
    for name, days in (("long ago", 40), ("last week", 7)):
        head = f"From: ann@players.example\r\nMessage-ID: <{days}@x>\r\n\r\n{name}\r\n"
        append(rig, head.encode(), time.time() - days * 86_400)
    one = rig.adapter()
    await one.start(rig.desk)
    await until(lambda: rig.desk.said())
    await rig.say("now")
    await until(lambda: "now" in texts(rig))
    await one.stop()
    assert texts(rig) == ["last week", "now"]


async def test_the_first_look_leaves_old_mail_alone(rig: MailRig) -> None:
    append(
        rig,
        b"From: ann@players.example\r\nMessage-ID: <old@x>\r\n\r\nlong ago\r\n",
        time.time() - 10 * 86_400,
    )
    append(
        rig, b"From: ann@players.example\r\nMessage-ID: <new@x>\r\n\r\nyesterday\r\n", time.time() - 86_400
    )
    one = rig.adapter()
    await one.start(rig.desk)
    await until(lambda: rig.desk.said())
    await one.stop()
    assert texts(rig) == ["yesterday"]
    said = rig.desk.said()[0]
    # the server's word for when it came, not the Date field's
    assert abs(said.at_ms / 1000 - (time.time() - 86_400)) < 60


async def test_a_mail_too_large_is_told_and_not_read(rig: MailRig) -> None:
    append(
        rig,
        (
            b"From: ann@players.example\r\nTo: referee+abcdefgh2345@game.test\r\nSubject: "
            b"my city\r\nMessage-ID: <big@x>\r\n\r\ngold\r\n"
        )
        + b"x" * 70 * 15_000,
    )
    append(rig, b"From: ann@players.example\r\nMessage-ID: <small@x>\r\n\r\ngold\r\n")
    one = rig.adapter()
    await one.start(rig.desk)
    await until(lambda: len(rig.desk.said()) == 2)
    await one.stop()
    large, small = rig.desk.said()
    assert large.facts["too_large"] > 1_000_000
    assert large.facts["subject"] == "my city"
    assert large.text == ""
    assert large.address == "ann@players.example"
    assert small.text == "gold"


async def test_of_a_header_without_end_only_as_much_is_fetched_as_is_read(
    rig: MailRig, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetched: list[int] = []
    fetch = imap_connection.ImapConnection.fetch

    def noted(line: imap_connection.ImapConnection, uids: list[int], max_bytes: int) -> list[Delivery]:
        found = fetch(line, uids, max_bytes)
        fetched.extend(len(one.raw) for one in found)
        return found

    monkeypatch.setattr(imap_connection.ImapConnection, "fetch", noted)
    head = b"From: ann@players.example\r\nSubject: my city\r\nMessage-ID: <head@x>\r\n"
    append(rig, head + (b"X-Long: " + b"x" * 900 + b"\r\n") * 5_000 + b"\r\ngold\r\n")
    one = rig.adapter()
    await one.start(rig.desk)
    await until(lambda: rig.desk.said())
    await one.stop()
    (large,) = rig.desk.said()
    assert large.facts["too_large"] > 4_500_000
    assert large.facts["subject"] == "my city"
    assert max(fetched) < 200_000


async def test_a_wrong_password_does_not_hammer_the_server(
    rig: MailRig, caplog: pytest.LogCaptureFixture
) -> None:
    rig.more["password"] = "wrong-horse"
    one = rig.adapter()
    with caplog.at_level(logging.DEBUG):
        await one.start(rig.desk)
        await until(lambda: "refuses our login" in caplog.text)
        tried = rig.imap.accepted
        await asyncio.sleep(0.5)
        findings = await one.check()
        await one.stop()
    assert rig.imap.accepted == tried + 1  # the check's own
    assert not one.healthy()
    assert "mail-imap-refused" in [finding.code for finding in findings]
    assert "wrong-horse" not in caplog.text + repr(findings)


@pytest.mark.parametrize("security", ["tls", "starttls"])
async def test_encrypted_lines(rig: MailRig, security: str) -> None:
    rig.more |= {
        "imap_security": security,
        "imap_port": rig.server.ports.imaps if security == "tls" else rig.server.ports.imap,
        "smtp_security": security,
        "smtp_port": rig.server.ports.submissions if security == "tls" else rig.server.ports.submission,
        "idle_seconds": 60.0,
    }
    one = rig.adapter()
    assert [finding.level for finding in await one.check()] == ["ok", "ok"]
    await one.start(rig.desk)
    await rig.say("in secret")
    await until(lambda: texts(rig) == ["in secret"])
    began = time.monotonic()
    await one.stop()
    assert time.monotonic() - began < 2.0


async def test_a_certificate_nobody_signed_is_refused(rig: MailRig, caplog: pytest.LogCaptureFixture) -> None:
    rig.more |= {"imap_security": "tls", "imap_port": rig.server.ports.imaps, "ca_file": ""}
    one = rig.adapter()
    assert [finding.level for finding in await one.check()] == ["bad", "bad"]
    await one.start(rig.desk)
    await rig.say("hello")
    await until(lambda: "mailbox line" in caplog.text)
    await one.stop()
    assert not rig.desk.inbox


async def test_everything_that_arrives_is_handed_over(rig: MailRig) -> None:
    """Everything that arrives is handed over, no matter who wrote it."""
    append(
        rig, b"Auto-Submitted: auto-replied\r\nFrom: ann@players.example\r\nMessage-ID: <v@x>\r\n\r\naway\r\n"
    )
    append(rig, b"Message-ID: <nobody@x>\r\n\r\nwho am I\r\n")
    append(rig, b"\x00\xff\xfe garbage without end")
    one = rig.adapter()
    await one.start(rig.desk)
    await until(lambda: len(rig.desk.inbox) == 3)
    await one.stop()
    assert {inbound.what for inbound in rig.desk.inbox.values()} == {What.AUTO_REPLY}
    assert not any(inbound.vouched for inbound in rig.desk.inbox.values())
