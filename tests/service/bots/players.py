"""Players made of code that think, each in its own way; `serve` runs them in the process of bots."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from referee.rules.facts import Move
from referee.search import PLAYERS, Sight, thinking

#: where a player that is asked leaves a word of it, and waits until the file is gone
AT_WORK = "CITADELS_TEST_AT_WORK"


@dataclass(frozen=True)
class Thinks:
    """Does as `how` says."""

    how: Callable[[Sight, Random, float], Move]
    thinks: bool = True
    effort: float = 1.0

    def adjusted(self, effort: float | None, manner: str, /) -> Thinks:
        return self if effort is None else replace(self, effort=effort)

    def choose(self, sight: Sight, rng: Random, /) -> Move:
        return self.how(sight, rng, self.effort)


def sound(sight: Sight, rng: Random, effort: float) -> Move:
    """Thinks a little, on tables dealt anew, and then draws lots."""
    for _ in range(max(1, round(10 * effort))):
        sight.known.deal(rng)
    return PLAYERS["random"].choose(sight, rng)


def slowly_steady(sight: Sight, rng: Random, effort: float) -> Move:
    """As a quick one does, in the process of those that think."""
    return PLAYERS["steady"].choose(sight, rng)


def endless(sight: Sight, rng: Random, effort: float) -> Move:
    while True:
        pass


def greedy_for_memory(sight: Sight, rng: Random, effort: float) -> Move:
    kept = []
    while True:
        kept.append(bytearray(1 << 22))


def dying(sight: Sight, rng: Random, effort: float) -> Move:
    os._exit(3)


def raising(sight: Sight, rng: Random, effort: float) -> Move:
    raise LookupError("no idea")


def illegal(sight: Sight, rng: Random, effort: float) -> Move:
    return Move("destroy", (0, "Palace", 5))


def unreadable(sight: Sight, rng: Random, effort: float) -> Move:
    return Move("gold", ({"a": 1},))


def opening(sight: Sight, rng: Random, effort: float) -> Move:
    """Would read files and speak to others."""
    import socket

    for _ in range(1):
        socket.socket()
    return PLAYERS["random"].choose(sight, rng)


def waiting(sight: Sight, rng: Random, effort: float) -> Move:
    """Is at work until the file of that name is gone: one that was killed finds it still there."""
    found = Path(os.environ["TMPDIR"]) / AT_WORK
    while found.exists():
        time.sleep(0.01)
    return sound(sight, rng, effort)


ALL = {
    one.__name__: Thinks(one)
    for one in (
        sound,
        slowly_steady,
        endless,
        greedy_for_memory,
        dying,
        raising,
        illegal,
        unreadable,
        opening,
        waiting,
    )
}


def serve(cpu_s: float) -> None:
    """As `referee.search.thinking.serve`, with these players."""
    assert isinstance(PLAYERS, dict)
    PLAYERS.update(ALL)
    thinking.serve(cpu_s)
