"""What admins may type, and what is wrong with what they may not."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.text import LETTERS, Intent, NotUnderstood, Reading, Words, read_intent
from referee.text.reading.administering import ACTS, STATES

READING = Reading()


def read(text: str) -> Intent | NotUnderstood:
    return read_intent(text, READING, private=True)


RIGHT: list[tuple[str, dict[str, Any], int | None]] = [
    ("admin", {"do": "help"}, None),
    ("admin help", {"do": "help"}, None),
    ("/admin stats", {"do": "stats"}, None),
    ("admin games", {"do": "games", "state": "", "page": 1}, None),
    ("admin tables finished 3", {"do": "games", "state": "over", "page": 3}, None),
    ("ADMIN GAMES ALL", {"do": "games", "state": "all", "page": 1}, None),
    ("admin look #17", {"do": "look", "hidden": False, "player": "", "because": ""}, 17),
    # a shell takes #17 for a comment
    ("admin look 17", {"do": "look", "hidden": False, "player": "", "because": ""}, 17),
    (
        "admin look 17 hidden Ana because it says #18",
        {"do": "look", "hidden": True, "player": "Ana", "because": "it says #18"},
        17,
    ),
    ("#17 admin look", {"do": "look", "hidden": False, "player": "", "because": ""}, 17),
    ("admin look #17 hidden", {"do": "look", "hidden": True, "player": "", "because": ""}, 17),
    (
        "admin look hidden Ana Maria #17 because: of #3; really",
        {"do": "look", "hidden": True, "player": "Ana Maria", "because": "of #3; really"},
        17,
    ),
    (
        "admin show #17 cards because {{ 7*7 }}",
        {"do": "look", "hidden": True, "player": "", "because": "{{ 7*7 }}"},
        17,
    ),
    ("admin pause #17", {"do": "act", "act": "pause", "args": {}}, 17),
    ("admin resume all", {"do": "act", "act": "resume", "args": {"all": True}}, None),
    ("admin extend 3 days #17", {"do": "act", "act": "extend", "args": {"hours": 72}}, 17),
    ("admin replace Ana #17", {"do": "act", "act": "offer", "args": {"player": "Ana"}}, 17),
    ("admin kick Ana #17", {"do": "act", "act": "kick", "args": {"player": "Ana"}}, 17),
    ("admin rewind #17 round 4", {"do": "act", "act": "rewind", "args": {"round": 4}}, 17),
    ("admin process q12 #17", {"do": "act", "act": "process", "args": {"window": 12}}, 17),
    ("admin second 12", {"do": "act", "act": "second", "args": {"proposal": 12}}, None),
    ("admin move #17 here", {"do": "move", "room": ""}, 17),
    ("admin move #17 to Citadels, Lisbon", {"do": "move", "room": "Citadels, Lisbon"}, 17),
    ("admin archive #17", {"do": "archive", "because": ""}, 17),
    ("admin thaw 17", {"do": "thaw", "because": ""}, 17),
    ("admin letters 2", {"do": "letters", "page": 2}, None),
    ("admin shunted", {"do": "inbox", "page": 1}, None),
    ("admin retry letter #12", {"do": "retry", "what": "letter", "number": 12}, None),
    ("admin forget message 5", {"do": "drop", "what": "message", "number": 5}, None),
    (
        "admin block tg:123 because spam; and more",
        {"do": "block", "channel": "telegram", "address": "123", "because": "spam; and more"},
        None,
    ),
    (
        "admin block matrix:@ana:hs.example rude",
        {"do": "block", "channel": "matrix", "address": "@ana:hs.example", "because": "rude"},
        None,
    ),
    (
        "admin unban mail:*@x.test",
        {"do": "unblock", "channel": "mail", "address": "*@x.test", "because": ""},
        None,
    ),
]


@pytest.mark.parametrize(("text", "args", "game"), RIGHT)
def test_what_may_be_said(text: str, args: dict[str, Any], game: int | None) -> None:
    found = read(text)
    assert isinstance(found, Intent), found
    assert (found.kind, dict(found.args), found.game) == ("admin", args, game)


@pytest.mark.parametrize(
    ("text", "code", "word"),
    [
        ("admin xyzzy", "unknown-word", "xyzzy"),
        ("admin games never", "unknown-word", "never"),
        ("admin games -1", "unknown-word", "-1"),
        ("admin letters many", "unknown-word", "many"),
        ("admin look #17 secretly", "unknown-word", "secretly"),
        ("admin stats now", "unknown-word", "now"),
        ("stats now", "unknown-word", "now"),
        ("admin move #17", "missing", "admin"),
        ("admin move #17 to", "missing", "admin"),
        ("admin retry 12", "missing", "admin"),
        ("admin retry letter 0", "missing", "admin"),
        ("admin drop letter ²", "missing", "admin"),
        ("admin block", "missing", "admin"),
        ("admin block :1", "missing", "admin"),
        ("admin block fax:1", "unknown-word", "fax"),
        ("admin kick", "missing", "kick"),
        ("admin rewind #17", "missing", "rewind"),
        ("admin extend soon #17", "unknown-word", "soon"),
        ("admin archive table seven", "unknown-word", "table seven"),
        ("admin games\nadmin stats", "command-alone", "admin"),
    ],
)
def test_what_is_wrong_is_named(text: str, code: str, word: str) -> None:
    found = read(text)
    assert isinstance(found, NotUnderstood), found
    assert found.code == code
    assert word in (found.facts.get("word"), found.facts.get("command"))
    assert Words(strict=True).phrase(found.code, "en", **found.facts)


@given(
    st.lists(
        st.sampled_from(
            [
                "games",
                "look",
                "hidden",
                "because",
                "#17",
                "#",
                "block",
                "mail:",
                "mail:*@x",
                "retry",
                "letter",
                "12",
                "move",
                "to",
                "here",
                "second",
                "kick",
                "{{x}}",
                "<b>",
                "\u202e",
                "q1",
                "extend",
                "24h",
                "😀",
                "'; DROP TABLE",
                "0" * 400,
                *ACTS,
                *STATES,
            ]
        ),
        max_size=8,
    )
)
def test_anything_else_is_read_or_refused(words: list[str]) -> None:
    found = read("admin " + " ".join(words))
    assert isinstance(found, NotUnderstood | Intent)
    if isinstance(found, NotUnderstood):
        assert Words(strict=True).phrase(found.code, "en", **found.facts)
    else:
        assert found.kind == "admin"


def test_letters_and_alerts_have_a_word_of_their_own_for_admins() -> None:
    words = Words()
    for language in ("en", "pt_BR"):
        for table, keys in (
            ("letter_kinds", set(LETTERS)),
            ("alert_titles", words.codes(language, "alerts")),
        ):
            assert keys
            assert keys <= words.codes(language, table)
