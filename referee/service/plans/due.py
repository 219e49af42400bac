"""Plans answer after their delay, also while deadlines are held: their players filed them."""

from __future__ import annotations

from referee.states import DeadlineKind
from referee.store import Deadline, Game

from ..core.due import due, while_asked
from . import run_plan


def _same_question(game: Game, row: Deadline) -> bool:
    return while_asked(game, row) and row.question == game.question


# the log does not tell who plans: whoever reads it may play, too
due(DeadlineKind.PLAN, stands=_same_question, always=True)(run_plan.answer)
