"""Counts of what can be reached from fixed positions: the rules pinned by numbers.

A count is of paths (orders one after the other, families written out) and of the different
positions at their ends.  A number that changes says that a rule has changed; anyone who changes
it says in the commit which one.
"""

from __future__ import annotations

import json

import pytest

from referee.rules import asks, dump, legal, play
from referee.rules.model import State
from tests.rules.laws import table
from tests.rules.test_refusals import position


def perft(state: State, depth: int) -> tuple[int, int]:
    """(paths, positions) after `depth` orders; a game that is over before counts once."""
    level: dict[str, tuple[State, int]] = {"": (state, 1)}
    for _ in range(depth):
        after: dict[str, tuple[State, int]] = {}
        for g, paths in level.values():
            for seat, move in [(a.seat, m) for a in asks(g) for m in legal(g, a.seat)]:
                h = play(g, seat, move).state
                key = json.dumps(dump(h), sort_keys=True)
                after[key] = (h, paths + after.get(key, (h, 0))[1])
        level = after
    return sum(paths for _, paths in level.values()), len(level)


BUSY = {
    "Ana": {
        "gold": 3,
        "hand": ["Temple", "Temple", "Docks"],
        "city": ["Laboratory", "Manor"],
        "character": "Magician",
    },
    "Bea": {"gold": 2, "hand": ["Keep"], "city": ["Graveyard"], "character": "King"},
    "Cy": {"gold": 4, "city": ["Tavern", "Great Wall"], "character": "Thief"},
    "Dan": {"gold": 5, "hand": ["Prison"], "city": ["Watchtower"], "character": "Warlord"},
}


@pytest.mark.parametrize(
    ("players", "depth", "count"),
    [
        # two: 7, then 6 and 5 of the others, then 4 and 3, then 2; the last one goes by itself
        (2, 6, (5040, 5040)),
        (3, 4, (840, 840)),
        (4, 4, (120, 120)),
        (5, 3, (120, 120)),
        (6, 3, (210, 210)),
        (7, 3, (210, 210)),
    ],
)
def test_selections(players: int, depth: int, count: tuple[int, int]) -> None:
    assert perft(table(players, 1), depth) == count


@pytest.mark.parametrize(
    ("call", "depth", "count"),
    [
        (1, 1, (8, 8)),
        (1, 2, (21, 15)),
        (1, 3, (51, 33)),
        (4, 3, (12, 12)),
        (8, 1, (9, 9)),
        (8, 2, (32, 30)),
        (8, 4, (330, 200)),
    ],
)
def test_turns(call: int, depth: int, count: tuple[int, int]) -> None:
    assert perft(position(f"call {call}", BUSY, crown="Cy"), depth) == count
