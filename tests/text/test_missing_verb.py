"""An order without its verb is never played, and always shown: "Ana gold"; what the Emperor says in full."""

from __future__ import annotations

from typing import Any

import pytest

from referee.rules.facts import Move
from referee.text import NotUnderstood, Reading, part, read_order

NAMES = ("Ana", "Bea", "Carl")
GATHER = [["gold", []], ["cards", []]]
EMPEROR = [*GATHER, ["crown", [0, "gold"]], ["crown", [0, "card"]], ["crown", [2, "card"]]]
ASSASSIN = [*GATHER, ["kill", ["Merchant"]], ["kill", ["King"]]]
WARLORD = [["end", []], ["build", ["Market"]], ["destroy", [0, "Market"]]]


def at(language: str, moves: list[Any]) -> Reading:
    return Reading(language, NAMES, {"kind": "turn", "moves": moves, "families": []})


@pytest.mark.parametrize(
    ("language", "moves", "line", "first"),
    [
        ("en", EMPEROR, "Ana gold", "crown Ana gold"),
        ("pt_BR", EMPEROR, "Ana ouro", "crown Ana gold"),
        ("pt_BR", EMPEROR, "Ana, uma carta", "crown Ana card"),
        ("en", ASSASSIN, "the merchant", "kill Merchant"),
        ("pt_BR", ASSASSIN, "o comerciante", "kill Merchant"),
        ("en", WARLORD, "Ana Market", "destroy Ana Market"),
        ("pt_BR", WARLORD, "mercado", "build Market"),
    ],
)
def test_the_verb_is_offered(language: str, moves: list[Any], line: str, first: str) -> None:
    got = read_order(line, at(language, moves))
    assert isinstance(got, NotUnderstood)
    assert got.suggestions[0] == first


@pytest.mark.parametrize("line", ["Bea gold", "Bea, gold"])
def test_bea_is_no_beautify(line: str) -> None:
    got = read_order(line, at("en", EMPEROR))
    assert isinstance(got, NotUnderstood)
    assert got.code == "unreadable"


@pytest.mark.parametrize(
    ("language", "line", "what"),
    [
        ("en", "crown to Ana, take gold", "gold"),
        ("en", "crown Ana and take gold", "gold"),
        ("en", "give the crown to Ana and take a card", "card"),
        ("pt_BR", "coroa para Ana e pego ouro", "gold"),
        ("pt_BR", "coroar Ana, pegar uma carta", "card"),
    ],
)
def test_the_emperor_takes_what_is_said_with_the_crown(language: str, line: str, what: str) -> None:
    assert read_order(line, at(language, EMPEROR)) == Move("crown", (0, what))


def test_two_gold_are_gathered() -> None:
    reading = at("en", EMPEROR)
    assert isinstance(read_order("crown Ana, take 2 gold", reading), NotUnderstood)
    assert list(part("crown Ana gold, take 2 gold", reading)) == ["crown Ana gold", "take 2 gold"]
