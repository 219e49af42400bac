"""What was said long ago is forgotten a little at every sweep, where the admin wishes it."""

from __future__ import annotations

from referee.policy import DAY_MS

from ..core.due import CHORES, Chore
from ..core.unit_of_work import Sitting
from . import retention


def _forget(sitting: Sitting) -> bool:
    return retention.tidy(sitting.tx, sitting.now_ms - sitting.settings.words_days * DAY_MS)


CHORES.add("old words", Chore(lambda settings: settings.words_days > 0, _forget), __name__)
