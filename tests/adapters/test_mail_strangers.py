"""Who says so: tokens that come back, senders that are forged, and what the gateway vouches for.

Real Postfix and OpenDKIM: what is signed passes, what was changed on the way fails, what claims to have
passed is stripped.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import dkim  # type: ignore[import-untyped]  # dkimpy has no types
import pytest

from referee.ports import Fate, Inbound, Letter
from tests.adapters.conformance import until
from tests.servers import mail
from tests.servers.correspondent import Where
from tests.servers.mail_rig import MailRig, rigged

TOKEN = "abcdefgh2345"


@pytest.fixture
async def rig(request: pytest.FixtureRequest) -> AsyncIterator[MailRig]:
    rig = await rigged(mail.shared(request.config), trusted_authserv_id=f"mx.{mail.DOMAIN}")
    yield rig
    await rig.close()


def forged(rig: MailRig, extra: str = "", body: str = "gold") -> bytes:
    return (
        f"{extra}From: Ann <{rig.person}>\r\nTo: {rig.address}\r\nSubject: mine\r\nDate: Fri, "
        f"20 Nov 2026 19:00:00 +0000\r\n"
        f"Message-ID: <forged@players.example>\r\n\r\n{body}\r\n"
    ).encode()


def signed(rig: MailRig, raw: bytes) -> bytes:
    signature: bytes = dkim.sign(
        raw,
        b"t1",
        mail.DOMAIN.encode(),
        rig.server.signing_key(),
        include_headers=[b"from", b"to", b"subject"],
    )
    return signature + raw


async def received(rig: MailRig, raw: bytes, *, to: str = "") -> Inbound:
    """What the referee makes of a mail that somebody delivers at port 25."""
    one = rig.adapter()
    await one.start(rig.desk)
    await asyncio.to_thread(rig.friend.deliver, raw, to or rig.address, sender="mallory@elsewhere.example")
    await until(lambda: rig.desk.inbox)
    await one.stop()
    [got] = rig.desk.inbox.values()
    return got


async def test_a_forged_sender_is_taken_but_not_vouched_for(rig: MailRig) -> None:
    got = await received(rig, forged(rig))
    assert got.address == rig.person
    assert not got.vouched
    assert not got.token
    assert "auth" not in got.facts


async def test_a_signature_of_the_senders_domain_is_vouched_for(rig: MailRig) -> None:
    got = await received(rig, signed(rig, forged(rig)))
    assert got.vouched
    assert got.facts["auth"] == "dkim"


async def test_a_mail_changed_after_it_was_signed_is_not(rig: MailRig) -> None:
    got = await received(rig, signed(rig, forged(rig)).replace(b"\r\n\r\ngold", b"\r\n\r\nbuild Temple"))
    assert got.text == "build Temple"
    assert not got.vouched


async def test_results_that_the_sender_wrote_himself_are_not_believed(rig: MailRig) -> None:
    claim = (
        f"Authentication-Results: mx.{mail.DOMAIN}; dkim=pass header.d={mail.DOMAIN}; "
        f"dmarc=pass header.from={mail.DOMAIN}\r\n"
    )
    assert not (await received(rig, forged(rig, claim))).vouched


async def test_without_a_trusted_name_nothing_is_vouched_for(rig: MailRig) -> None:
    rig.more["trusted_authserv_id"] = ""
    assert not (await received(rig, signed(rig, forged(rig)))).vouched


@pytest.mark.parametrize(
    ("where", "upper"), [("above", False), ("above", True), ("below", False), ("markers", False)]
)
async def test_the_token_and_the_answer_come_back_however_the_reply_is_made(
    rig: MailRig, where: Where, upper: bool
) -> None:
    one = rig.adapter()
    await one.start(rig.desk)
    sent = await one.send(
        Letter(
            id="41",
            channel="mail",
            address=rig.person,
            text="Your turn.\n=====[x]=====\n\n=====[y]=====",
            token=TOKEN,
        )
    )
    assert sent.fate is Fate.SENT
    letter = (await until(rig.mails))[0]
    await asyncio.to_thread(rig.friend.reply, letter, "gold\nbuild Market", where=where, upper=upper)
    got = (await until(lambda: list(rig.desk.inbox.values())))[0]
    await one.stop()
    assert got.token == TOKEN
    assert got.text == "gold\nbuild Market"
    assert got.thread == sent.wire_id
    assert got.address == rig.person
    assert got.message_id.endswith("@players.example>")


async def test_the_token_comes_back_by_the_thread_alone(rig: MailRig) -> None:
    thread = f"In-Reply-To: <someone@else>\r\nReferences: <41.{TOKEN}@{mail.DOMAIN}> <someone@else>\r\n"
    assert (await received(rig, forged(rig, thread))).token == TOKEN


async def test_the_token_comes_by_the_envelope_alone(rig: MailRig) -> None:
    to = rig.address.replace("@", f"+{TOKEN.upper()}@")
    assert (await received(rig, forged(rig), to=to)).token == TOKEN
