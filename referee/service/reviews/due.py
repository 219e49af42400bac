"""A review has waited long: it waits on, but not for ever."""

from __future__ import annotations

import logging

from referee.states import DeadlineKind
from referee.store import Deadline, Game

from ..core.due import due
from ..core.unit_of_work import UnitOfWork
from . import judging

log = logging.getLogger(__name__)
#: for so long a review may wait, ms
PATIENCE_MS = 86_400_000


@due(DeadlineKind.REVIEWING, always=True, logged=True)
@due(DeadlineKind.REVIEW, always=True, logged=True)
def not_yet(uow: UnitOfWork, game: Game, row: Deadline) -> None:
    """The process that had it in hand is gone, or all have more urgent work."""
    review = judging.of_seat(uow.tx, row.game_id, row.seat)
    if review is None or review.done_ms:
        return
    if uow.now_ms - review.asked_ms < PATIENCE_MS:
        judging.wait(uow, row.game_id, row.seat)
        return
    log.warning("nobody had time for a review of game %s", game.id)
    judging.give_up(uow, review)
