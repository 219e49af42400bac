"""The deadlines of questions: reminders, vacations that begin by themselves, misses, misses taken back."""

from __future__ import annotations

from referee.states import DeadlineKind
from referee.store import Deadline, Game

from ..core.due import due, while_asked
from ..core.unit_of_work import Sitting, settings_of
from ..deadlines import rows
from . import forgive, many_misses, misses, reminders

# what makes good a fault of ours goes on while deadlines are held
due(DeadlineKind.AMENDS, always=True)(forgive.take_back)


@due(DeadlineKind.REMIND, stands=while_asked, logged=True)
def remind(sitting: Sitting, game: Game, row: Deadline) -> None:
    """A reminder's time has come."""
    reminders.remind(sitting, game, sitting.seats(row.game_id)[row.seat], game.question)


@due(DeadlineKind.VACATION, stands=while_asked, logged=True)
def vacation(sitting: Sitting, game: Game, row: Deadline) -> None:
    """Only the reserve of the bank is left."""
    if not _learner_left(sitting, game):
        seat = sitting.seats(row.game_id)[row.seat]
        misses.leave(sitting, game, seat, rows.known(sitting, game))


@due(DeadlineKind.ANSWER, stands=while_asked, believed=many_misses.believed, logged=True)
def answer(sitting: Sitting, game: Game, row: Deadline) -> None:
    """The time is up."""
    if not _learner_left(sitting, game):
        misses.time_up(sitting, game, row)


def _learner_left(sitting: Sitting, game: Game) -> bool:
    """A learner stays away: nobody waits, and nobody is told."""
    if not settings_of(game).get("learn"):
        return False
    misses.put_away(sitting, game)
    return True
