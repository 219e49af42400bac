"""What strangers write stays text: in every letter, on every channel."""

from __future__ import annotations

import json
import unicodedata
from functools import cache
from typing import Any

import pytest

from referee.text import KINDS, Words, clean, fold, squash
from tests.text.letters import contexts
from tests.text.samples import NAMES
from tests.text.test_letters import TAGS, parsed

WORDS = Words(strict=True)
SAMPLES = contexts(WORDS)
#: samples in which players' words are shown
SHOWN = (
    "prompt-warlord",
    "prompt-trouble",
    "table",
    "lobby",
    "over",
    "history-orders",
    "who",
    "notice-room",
    "suspicious",
    "stand_in",
    "echo_elsewhere",
)
EVIL = [
    "<b>Bea</b>",
    "<script>alert(1)</script>",
    "</p></div><a href='//evil.example'>x</a>",
    "a & b &lt;i&gt;",
    '" onclick="x',
    "<!-- ",
    "{{ 7*7 }}",
    "{% for x in y %}",
    "{{ config.items() }}",
    "{# c #}",
    "*bold* _it_ `code` [x](http://evil.example)",
    "{reply_to}",
    "{bot}",
    "line\nbreak",
    "tab\tand\x07bell\x1b[31mred",
    "mark\x01\x02\x03\x04s",
    "\u202eeulb",
    "\u2066iso",
    "zero\u200bwidth",
    "שלום",
    "مرحبا",
    "@Room",
    "🧙‍♂️🏰",
    "Ⓜarket",
    "None",
    "x" * 5000,
    "King",
    "%s %(x)s {0}",
]


def hostile(value: Any, evil: str) -> Any:
    """The same context with every player called differently."""
    text = json.dumps(value, ensure_ascii=False)
    for n, name in enumerate(NAMES):
        text = text.replace(
            f'"{name}"', json.dumps(f"{evil}{n}" if len(evil) < 1000 else evil, ensure_ascii=False)
        )
    return json.loads(text)


@cache
def plain_tags(name: str, markup: str) -> set[str]:
    """The elements of the same letter with good names."""
    kind, context = SAMPLES[name]
    return parsed(WORDS.letter(kind, "en", markup, context).markup).seen


@pytest.mark.parametrize("evil", EVIL, ids=range(len(EVIL)))
def test_no_name_becomes_markup(evil: str) -> None:
    for name in SHOWN:
        kind, context = SAMPLES[name]
        bad = hostile(context, evil) | ({"quote": evil} if "quote" in context else {})
        if bad.get("trouble"):
            bad["trouble"]["quote"] = evil
        for markup in KINDS:
            said = WORDS.letter(kind, "en", markup, bad)
            assert "\n" not in said.subject
            if markup != "text":
                tags = parsed(said.markup)
                assert tags.seen <= TAGS[markup]
                assert tags.seen == plain_tags(name, markup), (name, markup)
            for text in (said.text, said.markup, said.subject):
                assert not any(unicodedata.category(c) in ("Cc", "Cs") and c != "\n" for c in text)
                assert not any(
                    c in text for c in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u200e\u200f\u200b"
                )
                assert text.count("\u2068") == text.count("\u2069")
                assert "49" not in text or "7*7" not in evil
                assert "{bot}" not in text
                assert text.replace("mailto:{reply_to}", "").count("{reply_to}") == 0
                assert "@room" not in text.lower()


def test_a_name_is_still_recognisable() -> None:
    said = WORDS.event(
        "built", {"seat": 1, "district": "Market", "paid": 2}, "en", ["Ana", "<b>Bea</b>"], None
    )
    assert said == "<b>Bea</b> built Market for 2 gold."
    page = WORDS.letter("undone", "en", "telegram", {"language": "en", "name": "<b>Bea</b>", "order": ""})
    assert page.markup == "<b>&lt;b&gt;Bea&lt;/b&gt;</b> took back an order; nothing had been revealed."


def test_a_players_words_in_a_phrase() -> None:
    assert (
        WORDS.phrase("name-noted", "en", name="{{ 7*7 }}\n<b>")
        == "You are called {{ 7*7 }} <b> from now on; running games keep the old name."
    )


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("Bea", "Bea"),
        ("  Bea   B ", "Bea B"),
        ("a\nb", "a b"),
        ("a\r\n\tb", "a b"),
        ("a\u202eb", "ab"),
        ("a\u200bb", "ab"),
        ("\x1b[31mx", "[31mx"),
        ("שלום", "\u2068שלום\u2069"),
        ("🧙‍♂️", "🧙‍♂️"),
        ("{reply_to}", "{reply to}"),
        ("e\u0301", "e\u0301"),
        ("", ""),
        ("\ud800x", "x"),
    ],
)
def test_clean(typed: str, shown: str) -> None:
    assert clean(typed) == shown


def test_clean_cuts() -> None:
    assert clean("x" * 50, 10) == "x" * 9 + "…"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Thieves' Den", "thieves’ den"),
        ("Trading Post", "trading-post"),
        ("Zoë", "zoe"),
        ("İstanbul", "istanbul"),
        ("Straße", "STRASSE"),
        ("ﬁne", "fine"),
        ("Ａna", "ana"),
        ("\u2068Bea\u2069", "bea"),
        ("Ca\u00adstle", "castle"),
    ],
)
def test_two_spellings_of_one_word(one: str, other: str) -> None:
    assert squash(one) == squash(other)


@pytest.mark.parametrize(("one", "other"), [("Ana", "Anna"), ("ı", "i"), ("🎲", "🎯"), ("1", "l")])
def test_two_words(one: str, other: str) -> None:
    assert squash(one) != squash(other)


def test_fold_keeps_words_apart() -> None:
    assert fold("Redraw Temple,Market") == "redraw temple , market"
    assert fold("") == ""
    assert fold("!!!") == ""


def test_a_sign_is_folded_alike_whatever_stands_beside_it() -> None:
    """Where there is no sign but those of ASCII, words are folded by a table."""
    for sign in map(chr, range(128)):
        words = f"a{sign}B,{sign * 2}c"
        assert f"{fold(words)} e" == fold(f"{words} \u00e9"), sign


def test_a_record_survives_its_letter() -> None:
    """What is saved from a letter verifies: nothing of it is changed, and a placeholder in a word stays
    harmless.
    """
    lines = [
        'words: ["tulip", "{reply_to}", "<b>&", "a  b"]'.replace("a  b", "a b"),
        "Ana: build Thieves' Den",
        "# round 2",
    ]
    said = WORDS.letter("record", "en", "telegram", {"record": lines})
    assert "{reply_to}" not in said.text + said.markup
    saved = said.text.split("\n")
    assert saved[-2:] == lines[1:]
    assert json.loads(saved[-3].removeprefix("words: ")) == ["tulip", "{reply_to}", "<b>&", "a b"]
