"""What happens by the clock, as rooms declare it: kinds of deadlines, timers of their own, and what is given
back after an outage.

A room does so in its `due.py`.  The scheduler looks everything up here and knows no room.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from referee.policy import Span
from referee.store import Deadline, Game, Meta, Tx

from .registry import Registry
from .settings import ServiceSettings
from .unit_of_work import UnitOfWork

#: does what is to be done once a row was claimed
Ring = Callable[[UnitOfWork, Game, Deadline], None]


@dataclass(frozen=True, slots=True)
class DeadlineSpec:
    """A kind of deadline.

    `while_asked`: a row of a question, about which nothing is done once its seat is asked no more. `believed`
    tells whether a due row may be acted upon now, before it is claimed (None: always). `always`: also while
    all deadlines are held. `logged`: the log tells which seat of which game it was for.
    """

    ring: Ring
    while_asked: bool = False
    believed: Callable[[UnitOfWork, Game, Deadline], bool] | None = None
    always: bool = False
    logged: bool = False


class BackgroundJob(NamedTuple):
    """What a timer wants done beside everything else, since it may take long.

    `work` is awaited, and `done` is called with what came of it, in a transaction. `name` is for the log.
    """

    name: str
    work: Callable[[], Awaitable[Any]]
    done: Callable[[UnitOfWork, Any], None]


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
    ring: Callable[[UnitOfWork, Any], BackgroundJob | None]
    broke: Callable[[UnitOfWork, Any], None] | None = None
    always: bool = False


@dataclass(frozen=True, slots=True)
class PeriodicTask:
    """A little work at every sweep, where the settings want it: `work` returns whether there may be more, and
    is gone on with `pieces` times at most. What takes longer is read and reckoned by `ahead` on a reader's
    thread, where no order waits for it, and handed to `work`.
    """

    wanted: Callable[[ServiceSettings], bool]
    work: Callable[..., bool]
    pieces: int = 5
    ahead: Callable[[UnitOfWork], Any] | None = None


#: kinds of `Deadline` rows
KINDS: Registry[DeadlineSpec] = Registry("kind of deadline")
TIMERS: Registry[Timer] = Registry("timer")
CHORES: Registry[PeriodicTask] = Registry("chore")
#: what moves by the time since a moment (ms) when nobody could be heard; each says how many moments moved
GIVEN_BACK: Registry[Callable[[UnitOfWork, int], int]] = Registry("what is given back")
#: what is put right where a clock that was ahead has been set back, with the time that was given back by it
#: and never was, the latest first
SET_BACK: Registry[Callable[[UnitOfWork, Sequence[Span]], None]] = Registry("what is put right")
#: when time was given back lately, [from, until]; as many as are kept
_GIVEN, _KEPT = "given-back", 8


def due(
    name: str,
    *,
    while_asked: bool = False,
    believed: Callable[[UnitOfWork, Game, Deadline], bool] | None = None,
    always: bool = False,
    logged: bool = False,
) -> Callable[[Ring], Ring]:
    """Declare what happens when a deadline of this kind rings; the rest is as in `DeadlineSpec`."""

    def enter(ring: Ring) -> Ring:
        KINDS.add(name, DeadlineSpec(ring, while_asked, believed, always, logged), ring.__module__)
        return ring

    return enter


def give_back(uow: UnitOfWork, since_ms: int) -> int:
    """Time in which nobody could be heard costs nobody anything; how many moments moved."""
    given = given_back(uow.tx)
    if any(end > uow.now_ms for _, end in given):
        given = set_right(uow)
    uow.tx.put(Meta, name=_GIVEN, value=json.dumps([*given, (since_ms, uow.now_ms)][-_KEPT:]))
    return sum(GIVEN_BACK[name](uow, since_ms) for name in sorted(GIVEN_BACK))


def set_right(uow: UnitOfWork) -> list[Span]:
    """The clock was ahead and is set back: what was given back by it is taken again, as far as that time
    never was.  Returns the time that was given back and was.
    """
    given, now = given_back(uow.tx), uow.now_ms
    never = [Span(max(start, now), end) for start, end in reversed(given) if end > now]
    for name in sorted(SET_BACK):
        SET_BACK[name](uow, never)
    given = [Span(start, min(end, now)) for start, end in given if start < now]
    uow.tx.put(Meta, name=_GIVEN, value=json.dumps(given))
    return given


def given_back(tx: Tx) -> list[Span]:
    """The last spans of time that were given back."""
    row = tx.get(Meta, _GIVEN)
    return [] if row is None else [Span(*one) for one in json.loads(row.value)]
