"""The deadlines of questions: reminders, vacations that begin by themselves, misses, misses taken back."""

from __future__ import annotations

from referee.states import DeadlineKind
from referee.store import Deadline, Game

from ..core.due import due
from ..core.unit_of_work import UnitOfWork
from . import forgive, misses, reminders

# what makes good a fault of ours goes on while deadlines are held
due(DeadlineKind.AMENDS, always=True)(forgive.take_back)


@due(DeadlineKind.REMIND, while_asked=True, logged=True)
def remind(uow: UnitOfWork, game: Game, row: Deadline) -> None:
    """A reminder's time has come."""
    reminders.remind(uow, game, uow.seats(row.game_id)[row.seat], game.question)


due(DeadlineKind.VACATION, while_asked=True, logged=True)(misses.start_vacation)
due(DeadlineKind.ANSWER, while_asked=True, believed=misses.believed, logged=True)(misses.time_up)
