"""What was said long ago is forgotten a little at every sweep, where the admin wishes it."""

from __future__ import annotations

from referee.policy import DAY_MS

from ..core.due import CHORES, PeriodicTask
from ..core.unit_of_work import UnitOfWork
from . import retention


def _forget(uow: UnitOfWork) -> bool:
    return retention.tidy(uow.tx, uow.now_ms - uow.settings.words_days * DAY_MS)


CHORES.add("old words", PeriodicTask(lambda settings: settings.words_days > 0, _forget), __name__)
