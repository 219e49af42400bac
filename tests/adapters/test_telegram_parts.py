"""Cutting long texts: everything arrives, nothing is torn."""

from __future__ import annotations

import random

import pytest

from adapters.telegram.parts import LONGEST, parts, utf16
from tests.seeds import share
from tests.servers.botapi import markup as telegram

FAMILY = "👩‍👩‍👧‍👦"


def squeezed(text: str) -> str:
    return "".join(text.split())


def test_what_fits_is_left_alone() -> None:
    (one,) = parts("a < b", "a &lt; <b>b</b>")
    assert (one.plain, one.html) == ("a < b", "a &lt; <b>b</b>")
    assert parts("  \n", "") == []
    exact = "🏰" * (LONGEST // 2)
    assert [one.plain for one in parts(exact)] == [exact]
    assert len(parts(exact + "x")) == 2


def test_plain_text_is_cut_at_line_ends() -> None:
    lines = [f"line {number} " + "x" * 90 for number in range(200)]
    cut = parts("\n".join(lines))
    assert [line for one in cut for line in one.plain.split("\n")] == lines
    assert all(utf16(one.plain) <= LONGEST for one in cut)
    assert all(one.html == "" for one in cut)


@pytest.mark.parametrize("cluster", [FAMILY, "👍🏽", "e\u0301", "❤\ufe0f"])
def test_without_line_ends_no_letter_is_torn(cluster: str) -> None:
    cut = parts(cluster * 3000)
    assert len(cut) > 1
    assert "".join(one.plain for one in cut) == cluster * 3000
    assert all(one.plain == cluster * (len(one.plain) // len(cluster)) for one in cut)


def test_ten_thousand_joiners_still_end() -> None:
    text = "\u200d" * 10_000
    assert "".join(one.plain for one in parts(text)) == text


@pytest.mark.parametrize("seed", share(range(30)))
def test_markup_cut_anywhere_is_whole_in_every_part(seed: int) -> None:
    chance = random.Random(seed)
    opened: list[str] = []
    out: list[str] = []
    for _ in range(chance.randrange(500, 2500)):
        roll = chance.random()
        if roll < 0.1 and len(opened) < 6:
            name = chance.choice(
                [
                    "b",
                    "i",
                    "u",
                    "s",
                    "code",
                    "blockquote",
                    'a href="https://x.example/?a=1&amp;b=2"',
                    'span class="tg-spoiler"',
                ]
            )
            opened.append(name.split()[0])
            out.append(f"<{name}>")
        elif roll < 0.2 and opened:
            out.append(f"</{opened.pop()}>")
        else:
            out.append(
                chance.choice(
                    [
                        "Market ",
                        "&lt;",
                        "&amp;",
                        "&#128512;",
                        "🏰",
                        "\n",
                        "word " * chance.randrange(1, 30),
                        "&quot;x&quot; ",
                        FAMILY,
                    ]
                )
            )
    out += [f"</{name}>" for name in reversed(opened)]
    source = "".join(out)
    whole, _ = telegram.html(source)
    cut = parts(whole, source, longest=chance.choice([200, 700, LONGEST]))
    assert cut
    shown = []
    for one in cut:
        visible, _ = telegram.html(one.html)  # refuses what is torn
        assert utf16(visible) <= LONGEST
        assert squeezed(visible) == squeezed(one.plain)
        shown.append(visible)
    assert squeezed("".join(shown)) == squeezed(whole)


def test_links_and_formatting_go_on_in_the_next_part() -> None:
    cut = parts("", '<b><a href="https://x.example">' + "gold " * 1500 + "</a></b>")
    assert len(cut) == 2
    for one in cut:
        _, entities = telegram.html(one.html)
        assert {entity["type"] for entity in entities} == {"bold", "text_link"}
