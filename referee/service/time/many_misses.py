"""Where nearly everybody seems to miss, it is the referee that was not heard: no miss is believed then."""

from __future__ import annotations

from referee.policy import DAY_MS, broken
from referee.states import DeadlineKind
from referee.store import Deadline, Game

from ..core.unit_of_work import Sitting
from ..deadlines import hold
from . import forgive
from .misses import counts

#: so many deadlines are looked at that are due at this moment
_MOST = 64


def believed(sitting: Sitting, game: Game, row: Deadline) -> bool:
    """Whether a miss may be acted upon.

    Where too many miss, all deadlines are held and the misses of the day are taken back.
    """
    if not sitting.settings.testing.breaker or not counts(game, row.seat):
        return True
    many = too_many(sitting)
    if many is None:
        return True
    if hold.hold(sitting, sitting.now_ms - DAY_MS, "many-misses", missed=many[0], due=many[1]):
        forgive.recall(sitting)
    return False


def too_many(sitting: Sitting) -> tuple[int, int] | None:
    """(missed, due) of a day, with what is due at this moment, where that is more than people would miss;
    else None.
    """
    day = sitting.tx.answered_since(max(0, sitting.now_ms - DAY_MS))
    now = sum(row.kind == DeadlineKind.ANSWER for row in sitting.tx.due(sitting.now_ms, _MOST))
    missed, due = day.get("missed", 0) + now, sum(day.values()) + now
    return (missed, due) if broken(due, missed) else None
