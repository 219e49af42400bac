"""A misspelled word is answered with what it may have been, orders and commands alike; it is never taken for
it.
"""

from __future__ import annotations

from typing import Any

import pytest

from referee.rules.facts import Move
from referee.text import Intent, NotUnderstood, Reading, commands_meant, read_intent, read_order
from tests.text.typed_orders import NAMES, TURN

WITCH = {
    "kind": "bewitch",
    "number": 1,
    "moves": [["bewitch", [c]] for c in ("Alchemist", "Architect")],
    "families": [],
}
SAID: list[tuple[str, dict[str, Any], str, tuple[str, ...]]] = [
    ("en", TURN, "helpp", ("help",)),
    ("en", TURN, "hlep", ("help",)),
    ("en", TURN, "edn", ("end",)),
    ("en", TURN, "udno", ("undo",)),
    ("en", TURN, "hadn", ("hand",)),
    ("en", TURN, "biuld Market", ("build Market",)),
    ("en", TURN, "buld trading post", ("build Trading Post",)),
    ("en", TURN, "biuld palace", ("build Palace",)),
    ("en", WITCH, "biuld palace", ("build Palace",)),
    ("en", WITCH, "bewicth architect", ("bewitch Architect",)),
    ("en", WITCH, "helpp", ("help",)),
    ("en", TURN, "joni #3", ("join #3",)),
    ("en", TURN, "rulse thief", ("rules thief",)),
    ("pt-br", TURN, "ajdua", ("ajuda",)),
    ("pt-br", TURN, "contsruir mercado", ("build Market",)),
    ("pt-br", WITCH, "contsruir palacio", ("build Palace",)),
    ("pt-br", TURN, "oruo", ("gold",)),
    ("pt-br", TURN, "helpp", ("help",)),
]


def reading(language: str, ask: dict[str, Any]) -> Reading:
    return Reading(language, NAMES, ask)


@pytest.mark.parametrize(
    ("language", "ask", "typed", "near"), SAID, ids=lambda v: v if isinstance(v, str) else None
)
def test_what_it_may_have_been(language: str, ask: dict[str, Any], typed: str, near: tuple[str, ...]) -> None:
    found = read_order(typed, reading(language, ask))
    assert isinstance(found, NotUnderstood), "a word that is not there was played"
    assert found.suggestions == near


@pytest.mark.parametrize(
    ("language", "ask", "typed", "near"), SAID, ids=lambda v: v if isinstance(v, str) else None
)
def test_what_is_suggested_is_read(
    language: str, ask: dict[str, Any], typed: str, near: tuple[str, ...]
) -> None:
    for said in near:
        intent = read_intent(said, Reading(language), private=True)
        assert isinstance(intent, Intent)
        assert intent.kind != "orders" or isinstance(read_order(said, reading(language, ask)), Move)


def test_start_comes_first() -> None:
    found = read_order("strat", reading("en", TURN))
    assert isinstance(found, NotUnderstood)
    assert found.suggestions[0] == "start"
    assert commands_meant("strat", Reading())[0] == "start"
    assert commands_meant("/strat", Reading())[0] == "start"


@pytest.mark.parametrize(
    "said", ["", "hello", "thanks", "why", "gold", "help", "status", "ab", "x" * 100, "?" * 50, "hm " * 20]
)
def test_what_is_like_no_command(said: str) -> None:
    assert commands_meant(said, Reading()) == ()
