"""Games played by bots, stopped where pictures are looked at."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from referee import rules
from referee.bots import BOTS

NAMES = ("Ann", "Bartholomew", "Chloé", "Дмитрий", "Ευγενία", "Fritz", "Guilherme", "Hildegard")
Stop = Callable[[Any], bool]


def late(state: Any) -> bool:
    """A position in which cities are half full, in the middle of the turns."""
    return (
        sum(len(player.city) for player in state.players) >= 4 * len(state.players)
        and sum(bool(player.revealed) for player in state.players) >= len(state.players) // 2
        and state.phase == "turns"
    )


def crowded(view: dict[str, Any]) -> dict[str, Any]:
    """The same public view with every city as full as it can get: the largest picture there is."""
    every = [one for player in view["players"] for one in player["city"]]
    players = [
        {
            **player,
            "city": (player["city"] + [one for one in every if one not in player["city"]])[
                : view["complete_at"]
            ],
        }
        for player in view["players"]
    ]
    return {**view, "players": players}


@lru_cache(maxsize=32)
def position(
    players: int = 8,
    edition: str = "deluxe",
    seed: int = 7,
    stop: Stop | None = None,
    called: tuple[str, ...] = NAMES,
) -> Any:
    """The first position where `stop` holds (None: the end) of a game of so many; the last one where it never
    does.
    """
    state = rules.new_game(rules.Setup(edition, called[:players]), seed.to_bytes(32, "big")).state
    dice = random.Random(seed)
    for _ in range(6000):
        asks = rules.asks(state)
        if not asks or (stop is not None and stop(state)):
            break
        ask = asks[0]
        state = rules.play(state, ask.seat, BOTS["greedy"].choose(rules.view(state, ask.seat), dice)).state
    return state
