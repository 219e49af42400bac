"""Mails that stopped the channel for everybody, and their kin: each is read in a moment, or dies where nobody
else is hurt.
"""

from __future__ import annotations

import asyncio
import base64
import json
import time
from collections.abc import AsyncIterator

import msgspec
import pytest

from adapters.mail.addresses import Addresses
from adapters.mail.charsets import decoded
from adapters.mail.reader_process import MailReaderProcess
from adapters.mail.reading import Delivery, Reader
from referee.ports import Inbound, What, bring
from tests.service.rig import House

READER = Reader(Addresses("referee@game.test"), "mx.game.test")
HEAD = b"From: ann@players.example\nTo: referee+abcdefgh2345@game.test\nMessage-ID: <p@x>\n"


def delivery(raw: bytes) -> Delivery:
    return Delivery(raw, 1_795_000_000_000, len(raw), ref="uid 1:2")


@pytest.fixture
async def apart() -> AsyncIterator[MailReaderProcess]:
    one = MailReaderProcess(READER)
    yield one
    one.close()


def storable(one: Inbound) -> None:
    body = msgspec.json.encode(one).decode()  # raises for half characters
    assert msgspec.json.decode(body, type=Inbound) == one


CHARSETS = (
    "utf-7",
    "UTF-7",
    "utf7",
    "u7",
    "unicode_escape",
    "unicode-escape",
    "raw_unicode_escape",
    "idna",
    "punycode",
    "undefined",
    "mbcs",
    "zlib",
    "zlib_codec",
    "bz2",
    "hex",
    "rot13",
    "rot_13",
    "uu",
    "charmap",
    "palmos",
    "utf-16",
    "utf-32",
    "UTF-8\0",
    "../../etc/passwd",
    "a" * 5000,
    "",
)


@pytest.mark.parametrize("charset", CHARSETS)
@pytest.mark.parametrize("kind", ["text/plain", "text/html"])
@pytest.mark.parametrize("how", ['; charset="{}"', "; charset*=utf-8''{}", "; charset={}; charset=utf-8"])
@pytest.mark.parametrize("words", [b"+2AA-", rb"\ud800", b"\xed\xa0\x80", b"gold +2AD-"])
def test_no_charset_makes_what_cannot_be_stored(charset: str, kind: str, how: str, words: bytes) -> None:
    got = READER.read(delivery(HEAD + f"Content-Type: {kind}{how.format(charset)}\n\n".encode() + words))
    storable(got)
    assert got.what is What.MESSAGE


@pytest.mark.parametrize("charset", [one for one in CHARSETS if one])
def test_nor_does_one_in_a_header(charset: str) -> None:
    for words in (b"+2AA-", rb"\ud800", b"\xed\xa0\x80" * 3):
        word = b"=?" + charset.encode() + b"?b?" + base64.b64encode(words) + b"?="
        got = READER.read(
            delivery(
                b"Subject: "
                + word
                + b"\nFrom: "
                + word
                + b" <ann@players.example>\nReferences: <"
                + word
                + b"@x>\n"
                + HEAD[26:]
                + b"\ngold"
            )
        )
        storable(got)
        assert got.address == (
            "ann@players.example" if len(charset) < 1000 else ""
        )  # a name that long is cut, and what follows


def test_the_charsets_that_people_write_in_are_read() -> None:
    for charset, words in (
        ("iso-8859-1", "café"),
        ("ISO_8859-15", "5 €"),
        ("Windows-1252", "“ouro”"),
        ("koi8-r", "золото"),
        ("gb2312", "金币"),
        ("big5", "金幣"),
        ("Shift_JIS", "金貨"),
        ("ISO-2022-JP", "金貨"),
        ("euc-kr", "금화"),
        ("windows-1255", "זהב"),
        ("utf-16le", "gold"),
    ):
        assert decoded(words.encode({"ISO_8859-15": "iso8859-15"}.get(charset, charset)), charset) == words
    assert decoded("café".encode(), "x-unknown") == "café"
    assert decoded("café".encode("cp1252"), "us-ascii") == "café"
    for charset in ("iso-8859-1", "Latin1"):  # as older programs label what Windows typed
        assert decoded("don’t – “ouro” 5 €".encode("cp1252"), charset) == "don’t – “ouro” 5 €"


N = 1_000_000
POISON = {
    "addresses": HEAD + b"\n<" + b"a@" * (N // 2),
    "addresses, small": HEAD + b"\n<" + b"a@" * 67_000,
    "many brackets": HEAD + b"\n" + b"<a@" * (N // 3),
    "an attribution in every line": HEAD + b"\n" + b"On 1 wrote wrote x:y:\n" * (N // 23),
    "semicolons": HEAD + b'Content-Type: text/plain; a="' + b";" * N + b"\n\ngold",
    "semicolons in a part": HEAD
    + b'Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain; a="'
    + b";" * N
    + b"\n\ngold\n--b--",
    "semicolons in each part": HEAD
    + b"Content-Type: multipart/mixed; boundary=b\n\n"
    + (b'--b\nContent-Type: text/plain; a="' + b";" * 10_000 + b"\n\ngold\n") * 90,
    "quotes": HEAD + b"Content-Type: text/plain" + b';a="' * (N // 4) + b"\n\ngold",
    "comments": b"From: " + b"(" * N + b"\n" + HEAD + b"\ngold",
    "comments among people": HEAD + b"Cc: " + b"(a" * (N // 2) + b"\n\ngold",
    "encoded words": HEAD + b"Subject: " + b"=?a?q?" * (N // 6) + b"\n\ngold",
    "fields": HEAD + b"X-a: b\n" * (N // 7) + b"\ngold",
    "fields of a report": HEAD + b"Content-Type: message/delivery-status\n\n" + b"a:\n" * (N // 3),
    "folds": HEAD + b"Subject: x\n" + b" y\n" * (N // 3) + b"\ngold",
    "parts": HEAD + b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--b\n\n" * (N // 5),
    "parts in parts": HEAD
    + b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(16_000)),
    "letters in letters": HEAD + b"Content-Type: message/rfc822\n\n" * (N // 30) + b"gold",
    "open tags": HEAD + b"Content-Type: text/html\n\n" + b"<a b='" * (N // 6),
    "tags": HEAD + b"Content-Type: text/html\n\n" + b"<div class=gmail_quote>" * (N // 23),
    "numbers": HEAD + b"Content-Type: text/html\n\n&#" + b"9" * N,
    "soft lines": HEAD + b"Content-Type: text/plain; format=flowed\n\n" + b"a \n" * (N // 3),
    "blank lines": HEAD + b"Content-Type: text/plain; format=flowed\n\n" + b"\n" * N,
    "uuencode": HEAD + b"Content-Transfer-Encoding: x-uuencode\n\nbegin 666 x\n" + b"M" * N,
    "nothing": b"",
    "zeros": b"\0" * N,
    "bytes": bytes(range(256)) * (N // 256),
}


@pytest.mark.parametrize("name", POISON)
async def test_a_poison_mail_costs_the_referee_nothing_and_others_little(
    apart: MailReaderProcess, name: str
) -> None:
    """What it costs is counted in this thread's own processor time, as the machine may be busy."""
    await apart.read(delivery(HEAD + b"\ngold"))
    began, at = time.thread_time(), asyncio.get_running_loop().time()
    got = await apart.read(delivery(POISON[name]))
    assert time.thread_time() - began < 0.25, "the loop was held"
    assert asyncio.get_running_loop().time() - at < 25
    storable(got)
    if got.what is What.UNREAD:
        assert got.facts["ref"] == "uid 1:2"
        assert got.facts["size"] == len(POISON[name])
        assert base64.b64decode(got.facts["head"]) == POISON[name][:16_384]
    assert (await apart.read(delivery(HEAD + b"\ngold"))).text == "gold"


@pytest.mark.parametrize(
    "name",
    [
        "addresses",
        "addresses, small",
        "semicolons",
        "semicolons in a part",
        "semicolons in each part",
        "quotes",
        "encoded words",
        "folds",
        "open tags",
        "numbers",
    ],
)
async def test_what_was_slow_is_read(apart: MailReaderProcess, name: str) -> None:
    assert (await apart.read(delivery(POISON[name]))).what is not What.UNREAD


async def test_a_mail_that_takes_too_long_dies_alone_while_others_are_answered() -> None:
    apart = MailReaderProcess(READER, cpu_s=0.02)  # too little for a megabyte of lines, enough for a letter
    try:
        got = await apart.read(delivery(POISON["blank lines"]))
        assert got.what is What.UNREAD
        assert got.facts["reason"] == "mail cpu"
        json.dumps(got.facts)
        assert (await apart.read(delivery(HEAD + b"\ngold"))).text == "gold"
    finally:
        apart.close()


async def test_the_loop_goes_on_while_a_poison_mail_is_read(apart: MailReaderProcess) -> None:
    await apart.read(delivery(HEAD + b"\ngold"))
    turns = 0

    async def turn() -> None:
        nonlocal turns
        while True:
            await asyncio.sleep(0.001)
            turns += 1

    ticking = asyncio.create_task(turn())
    await apart.read(delivery(POISON["blank lines"]))
    ticking.cancel()
    assert turns > 10


async def test_a_reader_that_cannot_work_blames_no_mail() -> None:
    apart = MailReaderProcess(READER)
    apart._worker.code = "raise SystemExit(3)"
    with pytest.raises(OSError, match="died"):
        await apart.read(delivery(HEAD + b"\ngold"))
    apart.close()


@pytest.fixture
async def brief() -> AsyncIterator[MailReaderProcess]:
    """A reader that may take less time than that mail costs on the quickest machine."""
    one = MailReaderProcess(READER, cpu_s=0.4)
    yield one
    one.close()


async def test_others_are_answered_while_a_poison_mail_is_read(
    house: House, brief: MailReaderProcess
) -> None:
    """The mail takes all the time it may; somebody on Telegram has their answer long before it is parked, and
    the next mail is read.
    """
    await brief.read(delivery(HEAD + b"\ngold"))
    order: list[str] = []

    async def mail() -> None:
        await bring(
            house.referee.reception,
            [await brief.read(delivery(POISON["fields of a report"] + b"a:\n" * 300_000))],
            channel="mail",
            cursor={"uid": "2"},
        )
        order.append("mail")

    async def chat() -> None:
        await house.say("telegram:ana", "games")
        order.append("chat")

    began = time.thread_time()
    await asyncio.gather(mail(), chat())
    assert order == ["chat", "mail"]
    assert house.letters("telegram:ana")
    assert time.thread_time() - began < 1
    assert await house.referee.reception.bookmark("mail", "uid") == "2"
    assert [one.reason for one in house.referee.reception.parking.all()] == ["mail cpu"]
    assert (await brief.read(delivery(HEAD + b"\ngold"))).text == "gold"
