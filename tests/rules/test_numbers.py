"""The number of a question is for its answer alone: nothing that happens depends on it.

An order that is taken back leaves a gap in the numbers, and no trace in the game's record: dice that knew the
number would fall otherwise when the record is played again.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from referee.rules import asked_anew, asks, dump, new_game, play
from referee.rules.chance import counted
from referee.rules.flow.table import random_move
from tests.rules.laws import any_setup
from tests.seeds import share

GAP = 1000


@pytest.mark.parametrize(
    ("edition", "players", "seed"),
    [
        *(("deluxe", 2 + seed % 6, seed) for seed in share(range(18))),
        *(("original", 2 + seed % 6, seed) for seed in share(range(24))),
        ("deluxe", 3, 171),
        ("classic", 4, 1),
    ],
)
def test_games_with_gaps_in_their_numbers(edition: str, players: int, seed: int) -> None:
    rng = Random(seed)
    state = new_game(any_setup(edition, players, rng), counted(seed)).state
    gap = 0
    apart = state
    for _ in range(2_000):
        if not asks(state):
            break
        if rng.random() < 0.2:
            gap += GAP
            apart = asked_anew(apart, state.number + gap)
        seat, move = asks(state)[0].seat, random_move(state, rng)
        state, apart = play(state, seat, move).state, play(apart, seat, move).state
        assert apart.number == state.number + gap
        assert without_number(apart) == without_number(state), move
    assert not asks(state)
    assert gap > 5 * GAP


def without_number(state: Any) -> dict[str, Any]:
    found = dump(state)
    assert found.pop("number") == state.number
    return found
