"""The daily letter goes at its hour, also while deadlines are held."""

from __future__ import annotations

from referee.store import DailyLetter, Tx

from ..core.due import SET_BACK, TIMERS, Timer
from ..core.unit_of_work import UnitOfWork
from . import digest


def _take(tx: Tx, now_ms: int, but: tuple[int, ...]) -> DailyLetter | None:
    return tx.next_daily(now_ms)  # what was rung is due another day: none of `but` is found


def _ring(uow: UnitOfWork, row: DailyLetter) -> None:
    digest.send_daily(uow, row)


TIMERS.add("daily letter", Timer(lambda tx: tx.next_daily_ms(), _take, _ring, always=True), __name__)
SET_BACK.add("daily letters", digest.put_right, __name__)
