"""A table that can't be set up is refused with what is wrong."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from referee.rules import SETUP_ERRORS, Setup, SetupError, new_game, rulebook
from referee.rules.chance import counted
from tests.rules.laws import NAMES


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"edition": "galactic"}, "unknown-edition"),
        ({"players": ("Ana",)}, "player-count"),
        ({"players": (*NAMES, "Hal")}, "player-count"),
        ({"players": ("Ana", "Ana")}, "names"),
        ({"players": ("Ana", "")}, "names"),
        ({"players": ("Ana", " Bea")}, "names"),
        ({"players": ("Ana", "Be\na")}, "names"),
        ({"players": ("Ana", "Be\u2028a")}, "names"),
        ({"options": {"max_city": 8}}, "unknown-option"),
        ({"options": {"complete_city": 9}}, "option-value"),
        ({"options": {"complete_city": True}}, "option-value"),
        ({"options": {"complete_city": 7}, "players": ("Ana", "Bea")}, "option-value"),
        ({"crown": 4}, "crown"),
        ({"cast": ("Queen",)}, "cast"),
        ({"cast": ("King", "King")}, "cast"),
        ({"cast": ("King", "Bishop")}, "cast"),
        ({"uniques": ("Moat",)}, "uniques"),
        ({"uniques": ("Keep", "Keep")}, "uniques"),
    ],
)
def test_what_is_refused(fields: dict[str, Any], code: str) -> None:
    setup = Setup(**{"edition": "classic", "players": NAMES[:4], **fields})
    with pytest.raises(SetupError) as error:
        new_game(setup, counted(1))
    assert error.value.code == code
    assert code in SETUP_ERRORS


@pytest.mark.parametrize(
    ("players", "options", "goal"),
    [(2, {}, 8), (3, {}, 8), (4, {}, 7), (7, {}, 7), (5, {"complete_city": 8}, 8)],
)
def test_when_a_city_is_complete(players: int, options: dict[str, int], goal: int) -> None:
    assert new_game(Setup("classic", NAMES[:players], options), counted(1)).state.goal == goal


def test_what_is_dealt() -> None:
    outcome = new_game(Setup("classic", NAMES[:4], crown=3), counted(1))
    state = outcome.state
    assert [len(p.hand) for p in state.players] == [4] * 4
    assert [p.gold for p in state.players] == [2] * 4
    assert (state.crown, len(state.deck), len(state.cards)) == (3, 52, 68)
    assert outcome.asks[0].seat == 3
    assert not outcome.undoable
    names = [e.name for e in outcome.events]
    assert names[:2] == ["started", "crowned"]
    assert [e.to for e in outcome.events if e.name == "cards_gained"] == [0, 1, 2, 3]


def test_the_seed_decides_the_crown_where_nobody_is_named() -> None:
    crowns = {new_game(Setup("classic", NAMES[:4]), counted(n)).state.crown for n in range(40)}
    assert crowns == {0, 1, 2, 3}


def test_the_box() -> None:
    rules = rulebook(Setup("classic", NAMES[:4]))
    assert [(c.rank, c.name) for c in rules.callings] == list(
        enumerate(("Assassin", "Thief", "Magician", "King", "Bishop", "Merchant", "Architect", "Warlord"), 1)
    )
    ordinary = [(d, rules.copies[d.name]) for d in rules.districts.values() if d.type != "unique"]
    assert sum(n for _, n in ordinary) == 54
    assert sum(d.cost * n for d, n in ordinary) == 152
    unique = {d.name: (d.cost, rules.copies[d.name]) for d in rules.districts.values() if d.type == "unique"}
    assert sum(n for _, n in unique.values()) == 14
    assert unique["Keep"] == (3, 2)
    assert unique["Haunted Quarter"] == (2, 1)


def test_fewer_uniques_make_a_smaller_deck() -> None:
    state = new_game(Setup("classic", NAMES[:4], uniques=("Keep", "Smithy")), counted(1)).state
    assert len(state.cards) == 54 + 3


def test_a_setup_goes_to_another_process() -> None:
    """`make test-compiled` asks it of the compiled class, where fields can't be written."""
    setup = Setup("deluxe", NAMES[:4], {"max_city": True}, (), ("Keep",), 2, (1, 46))
    assert pickle.loads(pickle.dumps(setup)) == setup
