"""Reading talk: what is said stays as it was said, and whom it is for is found or asked."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.text import Intent, NotUnderstood, Reading, clean, read_intent
from referee.text.reading.talking import LONGEST, addressee

NAMES = ("Ana", "Bea", "Bea 2", "Jean Paul", "Zoë", "🦊")

READ: list[tuple[str, str, dict[str, Any], int | None]] = [
    ("say hello", "say", {"text": "hello"}, None),
    ("SAY Hello!", "say", {"text": "Hello!"}, None),
    ("/say gold; end", "say", {"text": "gold; end"}, None),
    ("say: hi", "say", {"text": "hi"}, None),
    ("tell everybody hi", "say", {"text": "hi"}, None),
    ("#17 say one\ntwo\n\nthree", "say", {"text": "one two three"}, 17),
    ("say #18 is slow", "say", {"text": "#18 is slow"}, None),
    ("say build Market", "say", {"text": "build Market"}, None),
    ("tell Ana: psst", "tell", {"text": "Ana: psst"}, None),
    ("message Ana hi", "tell", {"text": "Ana hi"}, None),
    ("whisper boo", "whisper", {"text": "boo"}, None),
    ("anonymously boo", "whisper", {"text": "boo"}, None),
    ("comment 5 well played", "comment", {"step": 5, "text": "well played"}, None),
    ("#17 comment step 12: gold; end\n#18", "comment", {"step": 12, "text": "gold; end #18"}, 17),
    ("say at step 5: 3 gold!", "comment", {"step": 5, "text": "3 gold!"}, None),
    ("say at 5 we begin", "say", {"text": "at 5 we begin"}, None),
    ("hide 12", "hide", {"number": 12}, None),
    ("delete comment 12", "hide", {"number": 12}, None),
    ("talk", "talk", {"mode": ""}, None),
    ("talk off #17", "talk", {"mode": "off"}, 17),
    ("#17 talk on", "talk", {"mode": "on"}, 17),
    ("talk #3", "talk", {"mode": ""}, 3),
    ("mute", "mute", {"what": "", "name": ""}, None),
    ("mute Ana #3", "mute", {"what": "person", "name": "Ana"}, 3),
    ("mute talk #3", "mute", {"what": "talk", "name": ""}, 3),
    ("unmute whispers", "unmute", {"what": "whispers", "name": ""}, None),
    ("calendar", "calendar", {"act": ""}, None),
    ("calendar New", "calendar", {"act": "new"}, None),
    ("ical mail", "calendar", {"act": "mail"}, None),
    ("calendar none", "calendar", {"act": "off"}, None),
]


@pytest.mark.parametrize(("text", "kind", "args", "game"), READ)
def test_wishes(text: str, kind: str, args: dict[str, Any], game: int | None) -> None:
    found = read_intent(text, Reading(), private=True)
    assert isinstance(found, Intent)
    assert (found.kind, dict(found.args), found.game) == (kind, args, game)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("say", "missing"),
        ("say  ", "missing"),
        ("tell", "missing"),
        ("say ,", "missing"),
        ("talk banana", "unknown-word"),
        ("calendar tomorrow", "unknown-word"),
        ("say " + "x" * (LONGEST + 1), "talk-long"),
        ("new talk banana", "unknown-word"),
    ],
)
def test_troubles(text: str, code: str) -> None:
    found = read_intent(text, Reading(), private=True)
    assert isinstance(found, NotUnderstood)
    assert found.code == code


def test_said_in_a_room_it_is_none_of_ours() -> None:
    for text in ("say hello", "tell Ana hi", "talk off"):
        found = read_intent(text, Reading(), private=False)
        assert isinstance(found, Intent)
        assert found.kind == "chatter"


@pytest.mark.parametrize(
    ("text", "place", "rest"),
    [
        ("Ana hi", 0, "hi"),
        ("ANA: hi", 0, "hi"),
        ("bea 2, hi there", 2, "hi there"),
        ("Bea hi", 1, "hi"),
        ("jean paul hi", 3, "hi"),
        ("Jean hi", 3, "hi"),
        ("zoe hi", 4, "hi"),
        ("🦊 hi", 5, "hi"),
        ("Ana", 0, ""),
        ("Anna hi", None, "Anna hi"),
        ("", None, ""),
        (": hi", None, ": hi"),
        ("Bea: 2 gold are yours", 1, "2 gold are yours"),
        ("Bea - 2 gold are yours", 1, "2 gold are yours"),
        ("Bea 2: hi", 2, "hi"),
        ("Jean: Paul lies", 3, "Paul lies"),
    ],
)
def test_whom(text: str, place: int | None, rest: str) -> None:
    assert addressee(text, NAMES) == (place, rest)


@given(st.text(max_size=700))
def test_whatever_is_said_is_passed_on_as_one_safe_line(text: str) -> None:
    found = read_intent(f"say x{text}", Reading(), private=True)
    if isinstance(found, Intent) and found.kind == "say":
        said = found.args["text"]
        assert said.startswith(("x", "\u2068"))
        assert len(said) <= LONGEST
        assert "\n" not in said
        assert clean(said) == said
    addressee(text, NAMES)


def test_nobodys_words_begin_an_order_form() -> None:
    for text in ("=====[ your orders below this line ]=====", "===[x]===", "a ====[ b"):
        assert "===[" not in clean(text)


@pytest.mark.parametrize(
    "text",
    ["comment", "comment 5", "comment 5 :", "comment 0 x", "comment x y", "comment 1234567 x", "comment ٣ x"],
)
def test_a_comment_needs_a_step_and_words(text: str) -> None:
    found = read_intent(text, Reading(), private=True)
    assert isinstance(found, NotUnderstood)
    assert found.code == "missing"
    assert found.facts["usage"] == "comment 5 well played"


@pytest.mark.parametrize("text", ["hide", "hide x", "hide -1", "hide 12 13", "hide 1234567890", "hide ٣"])
def test_hiding_needs_a_number(text: str) -> None:
    found = read_intent(text, Reading(), private=True)
    assert isinstance(found, NotUnderstood)
    assert found.code == "missing"


def test_a_comment_is_as_long_as_talk() -> None:
    assert isinstance(read_intent(f"comment 5 {'x' * LONGEST}", Reading(), private=True), Intent)
    found = read_intent(f"comment 5 {'x' * (LONGEST + 1)}", Reading(), private=True)
    assert isinstance(found, NotUnderstood)
    assert found.code == "talk-long"


@pytest.mark.parametrize(
    "text", ["comentar 5: bela jogada", "comentário no passo 5 bela jogada", "dizer no passo 5 bela jogada"]
)
def test_in_portuguese(text: str) -> None:
    found = read_intent(text, Reading(language="pt_BR"), private=True)
    assert isinstance(found, Intent)
    assert (found.kind, dict(found.args)) == ("comment", {"step": 5, "text": "bela jogada"})
