"""What a table knows of the pauses of its season: they end by themselves, and some may lie ahead."""

from __future__ import annotations

import msgspec

from referee.policy import Span, skipping
from referee.store import Game

from . import clock_state
from .clock_state import TableTime

_READ = msgspec.json.Decoder(TableTime)


def laid_down(clocks: str) -> list[tuple[int, int]]:
    """All of them, by the text of the column: (from, until), UTC ms."""
    return _READ.decode(clocks).held


def until(table: TableTime, now_ms: int) -> int:
    """When the pause ends that a table is in, 0 where it is in none."""
    return table.held_until(now_ms)


def stands(game: Game, now_ms: int) -> bool:
    """Whether all clocks of a table stand still: it pauses, or its season does."""
    table = clock_state.read_clocks(game)
    return clock_state.paused(table) or until(table, now_ms) > 0


def passed(table: TableTime, start_ms: int, length_ms: int) -> int:
    """When so much time has passed at a table since a moment, pauses of its season not counted."""
    return skipping((Span(*one) for one in table.held), start_ms, length_ms)
