"""A pause is over; or a question has waited long enough for its bot to think, and is answered without."""

from __future__ import annotations

import logging

from referee.search import thinks
from referee.states import DeadlineKind
from referee.store import Deadline, Game

from ..core.due import due
from ..core.unit_of_work import UnitOfWork
from ..deadlines import bot_questions
from . import answering, hooks

log = logging.getLogger(__name__)


@due(DeadlineKind.THINKING, while_asked=True, always=True, logged=True)
@due(DeadlineKind.THINK, while_asked=True, always=True, logged=True)
def waited_enough(uow: UnitOfWork, game: Game, row: Deadline) -> None:
    """The queue is longer than the house can think, or a process that thought is gone: the game goes on."""
    if answering.still_asked(game, row):
        log.warning("a bot of game %s was not let think about question %s", game.id, row.question)
        answering.answer(uow, game, row.seat, None)


@due(DeadlineKind.HINTING, while_asked=True, always=True, logged=True)
@due(DeadlineKind.HINT, while_asked=True, always=True, logged=True)
def no_hint(uow: UnitOfWork, game: Game, row: Deadline) -> None:
    """Nobody had time to think about a hint: who asked is told so."""
    if answering.still_asked(game, row):
        hooks.judged(uow, game, row, ())


@due(DeadlineKind.BOT, while_asked=True, always=True)
def paused_enough(uow: UnitOfWork, game: Game, row: Deadline) -> None:
    """One that thinks gets into the queue now, any other answers."""
    if not answering.still_asked(game, row):
        return
    if thinks(uow.seats(game.id)[row.seat].bot):
        bot_questions.think(uow, game, row.seat, row.question)
    else:
        answering.after_pause(uow, game)
