"""Our own faults cost nobody anything: time that we were away, clocks that jump, days on which everybody
seems to miss.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from .clock import Clock
from .spans import Span, covered

#: a clock of the machine that is off by more than this has jumped
JUMP_MS = 120_000
#: when so large a share of the seats due in a day misses, it is we who are at fault …
BREAK_SHARE = 0.4
#: … unless there are so few of them that it may be chance
BREAK_LEAST = 5


def shift(clock: Clock, start_ms: int, end_ms: int) -> Clock:
    """The clock with time in which we could not be reached; what would have stood still anyway gives nothing
    back. The same outage told twice counts once.
    """
    gone = Span(start_ms, end_ms)
    if end_ms <= start_ms or gone in clock.frozen:
        return clock
    return replace(clock, frozen=tuple(sorted((*clock.frozen, gone))))


def undone(missed_ms: int, outages: Iterable[Span]) -> bool:
    """Whether a miss at that moment fell into an outage and is to be taken back."""
    return covered(outages, missed_ms) is not None


def jumped(wall_ms: int, steady_ms: int) -> bool:
    """Whether the machine's clock jumped: between two looks the wall clock moved by `wall_ms`, a steady one
    by `steady_ms`.
    """
    return abs(wall_ms - steady_ms) > JUMP_MS


def broken(due: int, missed: int) -> bool:
    """Whether that many of the seats due in a day missed that nothing is applied and an admin is called."""
    return missed >= BREAK_LEAST and missed >= due * BREAK_SHARE


def enough_answers(missed: int) -> int:
    """How many answers in time there must be at least beside these misses, that they are no sign of anything:
    more need not be counted.
    """
    return 0 if missed < BREAK_LEAST else int(missed / BREAK_SHARE) - missed + 1
