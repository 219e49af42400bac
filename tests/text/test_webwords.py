"""`web` and what may follow it."""

from __future__ import annotations

from typing import Any

import pytest

from referee.text import Intent, NotUnderstood, Reading, read_intent


@pytest.mark.parametrize(
    ("text", "args", "game"),
    [
        ("web", {"act": ""}, None),
        ("Web", {"act": ""}, None),
        ("/web", {"act": ""}, None),
        ("web #17", {"act": ""}, 17),
        ("web 17", {"act": ""}, 17),
        ("#17 web", {"act": ""}, 17),
        ("web off", {"act": "off"}, None),
        ("web sign out", {"act": "off"}, None),
        ("web OUT", {"act": "off"}, None),
        ("web off 2", {"act": "off", "number": 2}, None),
        ("web sign out 12", {"act": "off", "number": 12}, None),
        ("web sessions", {"act": "sessions"}, None),
        ("web list", {"act": "sessions"}, None),
        ("website", {"act": ""}, None),
        ("browser #3", {"act": ""}, 3),
    ],
)
def test_what_is_meant(text: str, args: dict[str, Any], game: int | None) -> None:
    intent = read_intent(text, Reading(), private=True)
    assert isinstance(intent, Intent)
    assert (intent.kind, dict(intent.args), intent.game) == ("web", args, game)


@pytest.mark.parametrize(
    "text",
    [
        *("web on", "web #x", "web 17 18", "web #12345678901", "web <b>", "web off now", "web off 0"),
        *("web off 2 3", "web off 1000", "web off -1", "web sessions 2"),
    ],
)
def test_what_means_nothing(text: str) -> None:
    said = read_intent(text, Reading(), private=True)
    assert isinstance(said, NotUnderstood)
    assert said.code == "unknown-word"
    assert said.facts["expected"] == ("off", "sessions", "#17")


def test_in_a_group_it_needs_its_sign() -> None:
    said = read_intent("web pages are nice", Reading(), private=False)
    assert isinstance(said, Intent)
    assert said.kind == "chatter"
