"""A letter that carries a file, on its way out."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from referee.ports import Attachment, Fate
from tests.adapters.test_mail_submission import adapter, letter
from tests.servers.submission_peer import Peer

FILE = "BEGIN:VCALENDAR\r\nSUMMARY:Zitadelle für Ana ♜\r\nEND:VCALENDAR\r\n".encode()


@pytest.fixture
async def peer() -> AsyncIterator[Peer]:
    peer = await Peer(password="open sesame").start()
    yield peer
    await peer.stop()


@pytest.mark.parametrize("markup", ["", "<p>Your deadlines</p>"])
async def test_a_file_arrives_as_it_was(peer: Peer, markup: str) -> None:
    file = Attachment("citadels.ics", "text/calendar; method=PUBLISH; charset=utf-8", FILE)
    receipt = await adapter(peer.port).send(letter(text="Your deadlines", markup=markup, attachments=(file,)))
    assert receipt.fate is Fate.SENT
    mail = peer.taken[0].mail
    assert mail.get_content_type() == "multipart/mixed"
    [part] = list(mail.iter_attachments())
    assert part.get_filename() == "citadels.ics"
    assert part.get_content_type() == "text/calendar"
    assert part.get_param("method") == "PUBLISH"
    assert part.get_payload(decode=True) == FILE
    plain = mail.get_body(("plain",))
    assert plain is not None
    assert plain.get_content().strip() == "Your deadlines"
    assert (mail.get_body(("html",)) is not None) == bool(markup)
    assert part["Content-Transfer-Encoding"] == "base64"  # nothing on the way may re-encode it


async def test_a_letter_without_one_is_no_mixture(peer: Peer) -> None:
    await adapter(peer.port).send(letter())
    assert peer.taken[0].mail.get_content_type() in ("text/plain", "multipart/alternative")
    assert list(peer.taken[0].mail.iter_attachments()) == []
