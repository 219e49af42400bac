"""What the referee reads of a reply: one file per mail program, language and way of answering.

The header X-Answer of each file says what a person would say was answered, lines parted by " / ".
The files imitate what the programs write (the letter, names and places are made up).
"""

from __future__ import annotations

import random
import re
import time
from pathlib import Path

import pytest

from adapters.mail.addresses import Addresses
from adapters.mail.answer import Answer, answer
from adapters.mail.html_lines import page_to_text
from adapters.mail.reading import LONGEST, Delivery, Reader
from referee.ports import What

REPLIES = sorted((Path(__file__).parent / "replies").glob("*.eml"))
READER = Reader(Addresses("referee@game.test"))


def delivery(raw: bytes) -> Delivery:
    return Delivery(raw, 1_800_000_000_000, len(raw))


def test_the_corpus_is_there() -> None:
    assert len(REPLIES) >= 50


@pytest.mark.parametrize("path", REPLIES, ids=lambda path: path.stem)
@pytest.mark.parametrize("newline", [b"\n", b"\r\n"], ids=["lf", "crlf"])
def test_only_the_answer_is_read(path: Path, newline: bytes) -> None:
    raw = path.read_bytes()
    found = re.search(rb"^X-Answer:(.*)$", raw, re.MULTILINE)
    assert found
    expected = found.group(1).decode().strip()
    got = READER.read(delivery(raw.replace(b"\n", newline)))
    said = [line for line in got.text.split("\n") if line]
    assert " / ".join(said) == expected
    assert got.what is What.MESSAGE
    assert got.address == "ann@players.example"
    assert got.token == "abcdefgh2345"
    assert not got.vouched
    assert got.facts.get("empty", False) is (expected == "")


def test_the_same_words_however_the_lines_end() -> None:
    for path in REPLIES:
        raw = path.read_bytes()
        assert READER.read(delivery(raw)).key == READER.read(delivery(raw.replace(b"\n", b"\r\n"))).key


def test_attachments_are_counted_and_the_text_is_read() -> None:
    path = next(path for path in REPLIES if path.stem == "picture-and-text")
    got = READER.read(delivery(path.read_bytes()))
    assert got.facts["attachments"] == 2
    assert got.text == "gold"


def test_logos_and_signatures_are_no_attachments() -> None:
    raw = (
        b"From: ann@players.example\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: "
        b"text/plain\n\ngold\n"
        b"--b\nContent-Type: image/png\nContent-ID: <logo@x>\n\nx\n--b\nContent-Type: "
        b"application/pgp-signature; name=s.asc\n\nx\n--b--\n"
    )
    got = READER.read(delivery(raw))
    assert "attachments" not in got.facts
    assert got.text == "gold"


def test_words_go_on_behind_a_file_that_stands_amid_them() -> None:
    def read(head: bytes, between: bytes = b"Content-Type: image/png\n\nx\n--b\n") -> str:
        return READER.read(
            delivery(
                b"From: ann@players.example\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: "
                b"text/plain\n\nbuild Market\n\n--b\n"
                + between
                + b"Content-Type: text/plain"
                + head
                + b"\n\nend\n\n"
                b"> On 27 Nov 2026, at 10:12, Referee wrote:\n> gold\n--b--\n"
            )
        ).text

    assert read(b"").split() == ["build", "Market", "end"]
    assert read(b"; name=notes.txt") == "build Market"
    assert read(b"\nContent-Disposition: inline") == "build Market"
    assert read(b"", b"") == "build Market"  # a gateway's footer


def test_a_page_keeps_its_lines() -> None:
    assert page_to_text("<pre>gold\n  build  Market\nend</pre>") == "gold\n  build  Market\nend"
    kept = "<div style='margin:0; white-space: pre-wrap'>gold\nbuild Market</div><div>end\nnow</div>"
    assert page_to_text(kept) == "gold\nbuild Market\nend now"
    assert (
        page_to_text("<p>gold<p>build\n Market</p><table><tr><td>end</table>x</div>")
        == "gold\nbuild Market\nend\nx"
    )
    assert page_to_text("a<!-- b > c -->d &lt;e&gt; &eacute;<script>f()</script><br>g<!-- h") == "ad <e> é\ng"


@pytest.mark.parametrize("quote", ['"', "'"])
def test_a_picture_inside_its_tag_is_no_text(quote: str) -> None:
    data = "data:image/png;base64," + "iVBORw0KGgo/" * 15_000
    assert page_to_text(f"<p>gold</p><img src={quote}{data}{quote} alt='x'><p>end</p>") == "gold\nend"
    assert page_to_text(f"<p style='background:url({data})'>gold</p>") == "gold"
    assert page_to_text("<p>data:image/png;base64,AAAA</p>") == "data:image/png;base64,AAAA"


def test_the_same_mail_has_the_same_key_whatever_was_written_above_it() -> None:
    for head in (b"Message-ID: <1@x>\n", b""):
        raw = b"From: ann@players.example\nDate: Fri, 20 Nov 2026 19:00:00 +0000\n" + head + b"\ngold\n"
        keys = {
            READER.read(delivery(trace + raw + tail)).key
            for trace in (b"", b"Received: by mx\nReturn-Path: <ann@x>\n")
            for tail in (b"", b"\r\n")
        }
        assert len(keys) == 1
        assert READER.read(delivery(raw.replace(b"gold", b"cards"))).key not in keys
    assert READER.read(delivery(b"\n")).key != READER.read(delivery(b"X: y\n\n")).key


def test_parts_in_parts_without_end_are_not_followed() -> None:
    raw = (
        b"From: ann@players.example\n"
        + b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(16_000))
        + b"\ngold\n"
    )
    assert len(raw) < 1_000_000
    got = READER.read(delivery(raw))
    assert got.key
    assert got.text == ""


@pytest.mark.parametrize(
    "text",
    ["gold\n\nthe Thief On 3 wrote", "Onwards: build Market", "steal Warlord:", "#17 gold", "=====gold====="],
)
def test_a_fresh_mail_is_read_whole(text: str) -> None:
    assert answer(text).words == text


@pytest.mark.parametrize(
    ("text", "behind"),
    [
        ("gold\nAna", "Ana"),
        ("gold\n- Ana", "- Ana"),
        ("gold\n\n*Ana Silva*\n*Engineer*\n+55 11", "*Ana Silva*\n*Engineer*\n+55 11"),  # as Gmail writes it
        ("gold\n\nAna Silva | Engineer", "Ana Silva | Engineer"),
        ("gold\n\n[image: logo.png]\nAna", "Ana"),
    ],
)
def test_ones_own_name_below_an_order_is_none(text: str, behind: str) -> None:
    assert answer(text, names=["Ana Silva", "Ana", "Silva"]) == Answer("gold", behind=behind)
    assert answer("Ana", names=["Ana"]).words == "Ana"
    assert answer("gold\nAna\nend", names=["Ana"]).words == "gold\nAna\nend"


def test_ten_kilobytes_of_emoji_arrive_as_they_are() -> None:
    emoji = "🏰👩‍👩‍👧" * 480
    assert len(emoji.encode()) > 10_000
    raw = b"From: ann@players.example\nContent-Type: text/plain; charset=utf-8\n\n" + emoji.encode()
    assert READER.read(delivery(raw)).text == emoji


@pytest.mark.parametrize(
    "bit",
    [
        "<div>",
        "</div>",
        "<p",
        "<!--",
        "<!",
        "<![CDATA[",
        "&#",
        "<a b='",
        '"data:image/png;base64,',
        "> ",
        "<blockquote>",
        "</",
        "<script>",
        "=====[x]=====\n",
        "On 1\n",
        "\u00a0 ",
        "From: x\n",
        "-- ",
        "_",
        "<a@b>",
    ],
)
def test_hostile_pages_are_read_in_a_moment(bit: str) -> None:
    hostile = bit * (990_000 // len(bit))
    began = time.perf_counter()
    page_to_text(hostile)
    answer(hostile[:LONGEST])
    assert time.perf_counter() - began < 5


def test_no_bytes_make_reading_fail() -> None:
    rng = random.Random(17)
    corpus = [path.read_bytes() for path in REPLIES]
    for _ in range(1500):
        raw = bytearray(rng.choice(corpus))
        for _ in range(rng.randrange(1, 30)):
            at = rng.randrange(len(raw))
            if rng.random() < 0.5:
                raw[at] = rng.randrange(256)
            else:
                del raw[at : at + rng.randrange(1, 60)]
            raw = raw or bytearray(b"\n")
        got = READER.read(delivery(bytes(raw)))
        assert got.key
        assert got.facts.get("malformed") != "unreadable"


def test_a_large_mail_is_read_in_a_moment() -> None:
    raw = b"From: ann@players.example\n\ngold\n" + b"On 1\n" * 190_000
    began = time.perf_counter()
    assert READER.read(delivery(raw)).text.startswith("gold")
    assert time.perf_counter() - began < 5
