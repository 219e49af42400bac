"""A game is stored and read by programs of different ages."""

from __future__ import annotations

import json
from typing import Any

import pytest

from referee.rules import Setup, StateError, asks, codec, dump, load, new_game, play
from referee.rules.chance import counted
from referee.rules.model import State
from tests.rules.laws import NAMES, table


def test_a_dump_is_json_of_a_few_kilobytes() -> None:
    text = json.dumps(dump(table(7, 1)), separators=(",", ":"))
    assert 1000 < len(text) < 4000
    assert dump(load(json.loads(text))) == json.loads(text)


def drawn_turn(setup: Setup | None = None) -> State:
    """Somebody's turn."""
    state = table(4, 2, setup)
    while state.phase == "draft":
        state = play(state, asks(state)[0].seat, asks(state)[0].moves[0]).state
    return state


def test_options_and_setup_survive() -> None:
    setup = Setup("classic", NAMES[:4], {"complete_city": 8}, crown=2)
    state = load(dump(new_game(setup, counted(3)).state))
    assert (state.setup, state.goal, state.crown) == (setup, 8, 2)


def test_a_dump_shares_nothing_with_its_state() -> None:
    state = table(3, 5)
    written = dump(state)
    written["players"][0]["hand"].clear()
    written["round_drawer"]["Assassin"] = "King"
    assert len(state.players[0].hand) == 4
    assert "Assassin" not in state.round_drawer


def test_an_old_schema_is_raised_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    old = dump(table(4, 2))
    old["schema"] = -1
    old["purse"] = old.pop("bank")

    def rename(data: dict[str, Any]) -> dict[str, Any]:
        return {**{k: v for k, v in data.items() if k != "purse"}, "bank": data["purse"]}

    monkeypatch.setattr(codec, "STEPS", {-1: rename, **{n: lambda data: data for n in range(codec.SCHEMA)}})
    assert load(old).bank == -8


def test_a_game_of_the_first_schema_goes_on() -> None:
    state = drawn_turn(Setup("classic", NAMES[:4], rulings=()))
    old = dump(state)
    old["schema"] = 1
    for _, slots in old["stack"]:
        for new in ("last", "raid"):
            slots.pop(new, None)
    assert "last" in dump(state)["stack"][-1][1]
    assert dump(load(old)) == dump(state)


def test_a_renamed_frame_is_still_read(monkeypatch: pytest.MonkeyPatch) -> None:
    old = dump(table(4, 2))
    old["stack"][-1][0] = "selection"
    with pytest.raises(StateError, match="unknown-frame"):
        load(old)
    monkeypatch.setattr(codec, "ALIASES", {"selection": "draft"})
    assert asks(load(old)) == asks(table(4, 2))


def test_cards_keep_their_numbers_when_the_edition_is_reordered(monkeypatch: pytest.MonkeyPatch) -> None:
    state = table(4, 2)
    written = dump(state)
    hands = [state.names(p.hand) for p in state.players]
    monkeypatch.setattr(state.rules.edition, "districts", state.rules.edition.districts[::-1])
    again = load(written)
    assert [again.names(p.hand) for p in again.players] == hands


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"schema": 99}, "newer"),
        ({"schema": "1"}, "damaged"),
        ({"players": []}, "damaged"),
        ({"seed": "xyz"}, "damaged"),
        ({"cards": [["Moat", 3]]}, "damaged"),
        ({"stack": [["round", {}]]}, "damaged"),
    ],
)
def test_what_cannot_be_read_is_refused(change: dict[str, Any], code: str) -> None:
    with pytest.raises(StateError) as error:
        load({**dump(table(2, 1)), **change})
    assert error.value.code == code


def test_a_game_goes_on_from_its_dump_to_the_same_end() -> None:
    from random import Random

    from referee.rules.flow.table import random_move

    here = there = table(5, 8)
    rng = Random(8)
    while here.stack:
        seat, move = asks(here)[0].seat, random_move(here, rng)
        here = play(here, seat, move).state
        there = load(json.loads(json.dumps(dump(play(there, seat, move).state))))
        assert json.dumps(dump(here, shared=True)) == json.dumps(dump(here))
    assert here.result is not None
    assert dump(here) == dump(there)
