"""Letters on their way out, against a server that refuses on command (aiosmtpd: no root needed)."""

from __future__ import annotations

import asyncio
import logging
import re
import socket
from collections.abc import AsyncIterator
from typing import Any

import pytest

from adapters import mail as channel
from adapters.mail.addresses import Addresses
from adapters.mail.reading import Delivery, Reader
from referee.ports import Adapter, Button, Fate, Letter
from tests.servers.chaos import Chaos
from tests.servers.submission_peer import Peer

NOW = 1_795_000_000_000


@pytest.fixture
async def peer() -> AsyncIterator[Peer]:
    peer = await Peer(password="open sesame").start()
    yield peer
    await peer.stop()


def adapter(port: int, **changes: Any) -> Adapter:
    given: dict[str, Any] = {
        "address": "referee@game.test",
        "password": "open sesame",
        "smtp_host": "127.0.0.1",
        "smtp_port": port,
        "smtp_security": "none",
        "imap_host": "127.0.0.1",
        "imap_port": 9,
        "timeout_seconds": 1.0,
        **changes,
    }
    return channel.build(channel.Settings.model_validate(given), lambda: NOW)


def letter(**changes: Any) -> Letter:
    return Letter(
        **{
            "id": "41",
            "channel": "mail",
            "address": "ann@players.example",
            "text": "Your turn.\n1) gold\nAnswer to {reply_to}",
            "subject": "[#17] your turn",
            "token": "abcdefgh2345",
            "ref": "g17",
            **changes,
        }
    )


def unix(text: str) -> str:
    return text.replace("\r\n", "\n")


async def test_what_a_letter_looks_like_on_the_wire(peer: Peer) -> None:
    receipt = await adapter(peer.port).send(
        letter(
            markup='<p>1) <a href="mailto:{reply_to}?subject=Re&amp;body=gold">gold</a> {reply_to}</p>',
            answers="<theirs.2@mail.players.example>",
            thread=("<1.abcdefgh2345@game.test>", "<40.abcdefgh2345@game.test>"),
        )
    )
    assert receipt.fate is Fate.SENT
    assert receipt.wire_id == "<41.abcdefgh2345@game.test>"
    [taken] = peer.taken
    assert taken.sender == "referee+bounce.41.abcdefgh2345@game.test"
    assert taken.recipients == ["ann@players.example"]
    mail = taken.mail
    assert mail["From"] == "Citadels referee <referee@game.test>"
    assert mail["Reply-To"] == "Citadels referee <referee+abcdefgh2345@game.test>"
    assert mail["Message-ID"] == "<41.abcdefgh2345@game.test>"
    assert mail["In-Reply-To"] == "<theirs.2@mail.players.example>"
    assert (
        mail["References"]
        == "<1.abcdefgh2345@game.test> <40.abcdefgh2345@game.test> <theirs.2@mail.players.example>"
    )
    assert mail["Auto-Submitted"] == "auto-generated"
    assert mail["List-Id"] == "<g17.referee.game.test>"
    assert (
        mail["List-Unsubscribe"]
        == "<mailto:referee%2Bstop.abcdefgh2345@game.test?subject=unsubscribe&body=unsubscribe>"
    )
    assert mail["List-Unsubscribe-Post"] is None
    assert mail["Date"].datetime.timestamp() == NOW / 1000
    assert mail.get_content_type() == "multipart/alternative"
    plain, page = mail.get_body(("plain",)), mail.get_body(("html",))
    assert plain is not None
    assert page is not None
    assert unix(plain.get_content()) == "Your turn.\n1) gold\nAnswer to referee+abcdefgh2345@game.test\n"
    assert 'href="mailto:referee%2Babcdefgh2345@game.test?subject=Re&amp;body=gold"' in page.get_content()
    assert "</a> referee+abcdefgh2345@game.test</p>" in page.get_content()


@pytest.mark.parametrize(
    ("link", "one_click"),
    [("https://game.test/u/abc", "List-Unsubscribe=One-Click"), ("http://10.0.0.1/u/abc", None)],
)
async def test_where_there_are_pages_unsubscribing_is_one_press(
    peer: Peer, link: str, one_click: str | None
) -> None:
    await adapter(peer.port).send(letter(facts={"unsubscribe": link}))
    mail = peer.taken[0].mail
    assert (
        mail["List-Unsubscribe"]
        == f"<{link}>, <mailto:referee%2Bstop.abcdefgh2345@game.test?subject=unsubscribe&body=unsubscribe>"
    )
    assert mail["List-Unsubscribe-Post"] == one_click


async def test_the_same_letter_is_the_same_mail(peer: Peer) -> None:
    for _ in range(2):
        await adapter(peer.port).send(letter(markup="<p>x</p>"))
    ids = {taken.mail["Message-ID"] for taken in peer.taken}
    assert len(peer.taken) == 2
    assert ids == {"<41.abcdefgh2345@game.test>"}


async def test_letters_without_a_token_do_not_share_an_id_by_their_number(peer: Peer) -> None:
    one = await adapter(peer.port).send(letter(token="", text="a"))
    two = await adapter(peer.port).send(letter(token="", text="b"))
    assert one.wire_id != two.wire_id
    assert peer.taken[0].mail["Reply-To"] == "Citadels referee <referee@game.test>"


async def test_buttons_become_mails_already_written(peer: Peer) -> None:
    await adapter(peer.port).send(
        letter(
            text="<b>1 & 2</b>",
            buttons=((Button("take 2 gold & <more>", "k", 'gold; build "Market" + 1%'),),),
        )
    )
    page = peer.taken[0].mail.get_body(("html",))
    assert page is not None
    content = page.get_content()
    assert "&lt;b&gt;1 &amp; 2&lt;/b&gt;" in content
    assert "take 2 gold &amp; &lt;more&gt;" in content
    assert "body=gold%3B%20build%20%22Market%22%20%2B%201%25" in content


@pytest.mark.parametrize(
    "nasty",
    [
        "two\r\nBcc: everyone@players.example",
        "tab\tand\x00nul\u2028line",
        "é" * 900,
        "🏰" * 400,
        "=?utf-8?q?fake?=",
        "{{ 7*7 }}",
    ],
)
async def test_no_subject_makes_a_header_of_its_own(peer: Peer, nasty: str) -> None:
    receipt = await adapter(peer.port, display_name=nasty[:40]).send(letter(subject=nasty))
    assert receipt.fate is Fate.SENT
    [taken] = peer.taken
    assert taken.recipients == ["ann@players.example"]
    assert taken.mail["Bcc"] is None
    assert taken.mail["Message-ID"] == "<41.abcdefgh2345@game.test>"
    assert max(len(line) for line in taken.raw.split(b"\r\n")) <= 998


@pytest.mark.parametrize(
    "subject",
    [
        "[#17] é a sua vez – rodada 3, ação da Açougueira na mesa “Sexta à noite em São João da Boa Vista”",
        "[#17] Ваш ход за столом " + "Очень длинное название " * 6,
        "[#17] " + "卓の名前" * 40,
        "x" * 74 + " é",
    ],
)
async def test_a_long_subject_is_encoded_in_words_that_every_program_reads(peer: Peer, subject: str) -> None:
    await adapter(peer.port).send(letter(subject=subject))
    [taken] = peer.taken
    head = taken.raw.partition(b"\r\n\r\n")[0]
    assert max(map(len, re.findall(rb"=\?\S+\?=", head))) <= 75  # RFC 2047 2
    assert taken.mail["Subject"] == subject.strip()


async def test_long_foreign_message_ids_stay_whole(peer: Peer) -> None:
    long = "<" + "AM0PR04MB" * 12 + "@AM0PR04MB1234.eurprd04.prod.outlook.example>"
    await adapter(peer.port).send(letter(answers=long))
    assert peer.taken[0].mail["In-Reply-To"] == long
    assert f"In-Reply-To: {long}\r\n".encode() in peer.taken[0].raw


async def test_ten_kilobytes_of_emoji_and_dots_go_through(peer: Peer) -> None:
    text = "🏰" * 2600 + "\n.\n..\nFrom here\n" + "long " * 400
    await adapter(peer.port).send(letter(text=text))
    plain = peer.taken[0].mail.get_body(("plain",))
    assert plain is not None
    assert unix(plain.get_content()) == text + "\n"
    assert peer.taken[0].raw.isascii()


@pytest.mark.parametrize(
    ("step", "said", "fate", "reason"),
    [
        ("RCPT", "550 5.1.1 no such user", Fate.FAILED, "no-such-address"),
        ("RCPT", "550 no such user", Fate.FAILED, "no-such-address"),
        ("RCPT", "550 5.7.1 we do not like you", Fate.FAILED, "rejected"),
        ("RCPT", "550 5.1.8 <r@game.test>: Sender address rejected: Domain not found", Fate.LATER, ""),
        ("RCPT", "553 5.1.7 bad sender's mailbox address", Fate.LATER, ""),
        ("RCPT", "552 5.2.2 mailbox full", Fate.FAILED, "rejected"),
        ("DATA", "550 5.4.5 Daily user sending limit exceeded.", Fate.LATER, ""),
        ("RCPT", "450 4.2.0 greylisted", Fate.LATER, ""),
        ("RCPT", "421 4.3.2 going down", Fate.LATER, ""),
        ("MAIL", "451 4.3.0 disk full", Fate.LATER, ""),
        ("MAIL", "552 5.3.4 too big", Fate.FAILED, "too-long"),
        ("MAIL", "553 5.7.1 not your address", Fate.LATER, ""),
        ("DATA", "452 4.3.1 disk full", Fate.LATER, ""),
        ("DATA", "554 5.7.1 spam", Fate.FAILED, "rejected"),
        ("DATA", "552 5.3.4 too big", Fate.FAILED, "too-long"),
    ],
)
async def test_refusals(peer: Peer, step: str, said: str, fate: Fate, reason: str) -> None:
    peer.say[step] = [said]
    one = adapter(peer.port)
    receipt = await one.send(letter())
    assert (receipt.fate, receipt.reason) == (fate, reason)
    assert said[:3] in receipt.detail
    assert not peer.taken
    if fate is Fate.LATER:
        assert receipt.retry_ms > 0
        assert (await one.send(letter())).fate is Fate.SENT


async def test_a_wrong_password_is_the_admins_to_mend(peer: Peer, caplog: pytest.LogCaptureFixture) -> None:
    one = adapter(peer.port, password="wrong-horse")
    with caplog.at_level(logging.DEBUG):
        receipt = await one.send(letter())
    assert receipt.fate is Fate.LATER
    assert not one.healthy()
    assert any(record.levelno == logging.ERROR for record in caplog.records)
    for secret in ("wrong-horse", "abcdefgh2345", "Your turn"):
        assert secret not in caplog.text
    findings = await one.check()
    assert "mail-smtp-refused" in [finding.code for finding in findings]
    assert "wrong-horse" not in repr(findings)


async def test_a_server_that_quotes_our_sender_puts_no_token_in_the_log(
    peer: Peer, caplog: pytest.LogCaptureFixture
) -> None:
    peer.say["MAIL"] = ["553 5.7.1 <referee+bounce.41.abcdefgh2345@game.test>: not owned by you"]
    with caplog.at_level(logging.DEBUG):
        receipt = await adapter(peer.port).send(letter())
    assert "not owned by you" in caplog.text
    assert "abcdefgh2345" not in caplog.text + receipt.detail


@pytest.mark.parametrize("changes", [{"smtp_security": "starttls"}, {"smtp_security": "tls"}])
async def test_a_server_without_tls_gets_no_password(peer: Peer, changes: dict[str, Any]) -> None:
    receipt = await adapter(peer.port, **changes).send(letter())
    assert receipt.fate is Fate.LATER
    assert not peer.taken


@pytest.mark.parametrize(
    "address",
    [
        "",
        "ann",
        "ann@",
        "@x.example",
        "ann@x example",
        "a\r\nb@x.example",
        "<ann@x.example>",
        "ann@x.example, bob@x.example",
        "ä@x.example",
        "=?utf-8?q?ann?=@x.example",
        "ann@" + "x" * 300,
        None,
    ],
)
async def test_what_is_no_address_fails_before_any_wire(address: str | None) -> None:
    receipt = await adapter(9).send(letter(address=address))
    assert (receipt.fate, receipt.reason) == (Fate.FAILED, "no-such-address")


async def test_a_domain_in_its_own_script_goes_out_in_ascii(peer: Peer) -> None:
    assert (await adapter(peer.port).send(letter(address="ann@bücher.example"))).fate is Fate.SENT
    assert peer.taken[0].recipients == ["ann@xn--bcher-kva.example"]


@pytest.mark.parametrize("local", ["a..b", ".ann", "ann."])
async def test_addresses_with_dots_where_none_may_be_get_their_letters(peer: Peer, local: str) -> None:
    """Phones in Japan were given such ones for years; no stranger's address may break a letter."""
    assert (await adapter(peer.port).send(letter(address=f"{local}@docomo.example"))).fate is Fate.SENT
    assert peer.taken[0].recipients == [f"{local}@docomo.example"]
    assert peer.taken[0].mail["To"] == f"{local}@docomo.example"
    reader = Reader(Addresses("referee@game.test"))
    for sender in (f"{local}@docomo.example", f'"{local}"@docomo.example'):
        raw = f"From: Ann <{sender}>\n\ngold\n".encode()
        assert reader.read(Delivery(raw, NOW, len(raw))).address == f"{local}@docomo.example"


async def test_nobody_listening_is_later() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        receipt = await adapter(unused.getsockname()[1]).send(letter())
    assert receipt.fate is Fate.LATER


async def test_a_lost_answer_after_the_last_dot_is_unknown(peer: Peer) -> None:
    line = await Chaos(peer.port).start()
    try:
        one = adapter(line.port)
        taken_before = 0
        for budget in range(20, 400, 5):  # cut the server's answers ever later, through every step
            line.lose_answer_after(budget)
            receipt = await one.send(letter())
            if receipt.fate is Fate.SENT:
                break
            new = len(peer.taken) - taken_before
            taken_before = len(peer.taken)
            assert receipt.fate is (Fate.UNKNOWN if new else receipt.fate), (
                "a delivered letter was called undelivered"
            )
            assert receipt.fate in (Fate.LATER, Fate.UNKNOWN)
        else:
            raise AssertionError("never sent")
        assert taken_before, "no cut fell after the last dot"
        assert len({taken.mail["Message-ID"] for taken in peer.taken}) == 1
    finally:
        await line.stop()


async def test_a_server_that_looks_at_a_mail_for_long_is_waited_for(peer: Peer) -> None:
    peer.ponder_s = 0.4  # as one does that has each mail scanned; sent again, each copy would arrive
    receipt = await adapter(peer.port, timeout_seconds=0.2).send(letter())
    assert receipt.fate is Fate.SENT
    assert len(peer.taken) == 1


async def test_a_silent_server_is_given_up(peer: Peer) -> None:
    line = await Chaos(peer.port).start()
    try:
        line.freeze(True)
        receipt = await asyncio.wait_for(adapter(line.port, timeout_seconds=0.3).send(letter()), 5)
        assert receipt.fate is Fate.LATER
    finally:
        await line.stop()
