"""What happens by the clock, as rooms declare it: kinds of deadlines, timers of their own, and what is given
back after an outage.

A room does so in its `due.py`.  The scheduler looks everything up here and knows no room.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from referee.states import GameStatus
from referee.store import Deadline, Game, Tx

from .registry import Registry
from .unit_of_work import ServiceSettings, Sitting

#: does what is to be done once a row was claimed
Ring = Callable[[Sitting, Game, Deadline], None]


def whenever(game: Game, row: Deadline) -> bool:
    """A row that is acted upon however the table stands."""
    return True


def while_asked(game: Game, row: Deadline) -> bool:
    """A row of a question: nothing is done about it once its seat is asked no more."""
    return game.status == GameStatus.RUNNING and str(row.seat) in game.asked.split(",")


def trusted(sitting: Sitting, game: Game, row: Deadline) -> bool:
    """A row that tells nothing about whether the referee itself is at fault."""
    return True


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of deadline.

    `stands` tells whether a claimed row still means anything; `believed` whether a due one may be acted upon
    now (it is asked before the row is claimed). `always`: also while all deadlines are held. `logged`: the
    log tells which seat of which game it was for.
    """

    ring: Ring
    stands: Callable[[Game, Deadline], bool] = whenever
    believed: Callable[[Sitting, Game, Deadline], bool] = trusted
    always: bool = False
    logged: bool = False


class Aside(NamedTuple):
    """What a timer wants done beside everything else, since it may take long.

    `work` is awaited, and `done` is called with what came of it, in a transaction. `name` is for the log.
    """

    name: str
    work: Callable[[], Awaitable[Any]]
    done: Callable[[Sitting, Any], None]


@dataclass(frozen=True, slots=True)
class Timer:
    """Rows of a room's own that fall due.

    `next_ms`: when the first does, None for never. `take` takes the one in hand that is longest overdue at a
    moment, none of those whose numbers are given. `ring` does what is due, so that the row is not taken again
    at once, or says what is to be done aside; `broke` follows in a transaction of its own where that fails
    (None: it ends the scheduler). `always`: also while deadlines are held.
    """

    next_ms: Callable[[Tx], int | None]
    take: Callable[[Tx, int, tuple[int, ...]], Any]
    ring: Callable[[Sitting, Any], Aside | None]
    broke: Callable[[Sitting, Any], None] | None = None
    always: bool = False


@dataclass(frozen=True, slots=True)
class Chore:
    """A little work at every sweep, where the settings want it: `work` returns whether there may be more."""

    wanted: Callable[[ServiceSettings], bool]
    work: Callable[[Sitting], bool]


#: kinds of `Deadline` rows
KINDS: Registry[Kind] = Registry("kind of deadline")
TIMERS: Registry[Timer] = Registry("timer")
CHORES: Registry[Chore] = Registry("chore")
#: what moves by the time since a moment (ms) when nobody could be heard; each says how many moments moved
GIVEN_BACK: Registry[Callable[[Sitting, int], int]] = Registry("what is given back")


def due(
    name: str,
    *,
    stands: Callable[[Game, Deadline], bool] = whenever,
    believed: Callable[[Sitting, Game, Deadline], bool] = trusted,
    always: bool = False,
    logged: bool = False,
) -> Callable[[Ring], Ring]:
    """Declare what happens when a deadline of this kind rings; the rest is as in `Kind`."""

    def enter(ring: Ring) -> Ring:
        KINDS.add(name, Kind(ring, stands, believed, always, logged), ring.__module__)
        return ring

    return enter


def give_back(sitting: Sitting, since_ms: int) -> int:
    """Time in which nobody could be heard costs nobody anything; how many moments moved."""
    return sum(GIVEN_BACK[name](sitting, since_ms) for name in sorted(GIVEN_BACK))
