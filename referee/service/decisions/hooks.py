"""What becomes of open votes with a seat that somebody else takes, or has back, or nobody waits for."""

from __future__ import annotations

from referee.ids import PersonId
from referee.store import Game

from ..core.unit_of_work import UnitOfWork
from ..play.hooks import seat_returned, seat_taken, seat_unwaited
from . import votes


@seat_taken.on
@seat_returned.on
def asked_anew(uow: UnitOfWork, game: Game, person_id: PersonId) -> None:
    """They vote for themselves; that one of the players before may lose the seat is no question any more."""
    for seat in uow.seats(game.id):
        if seat.person_id == person_id:
            votes.anew(uow, game, seat)
    votes.settle_open(uow, game)


@seat_unwaited.on
def counted_anew(uow: UnitOfWork, game: Game) -> None:
    """Its vote counts no longer: those of the others may be enough, and nobody waits for the hour."""
    votes.settle_open(uow, game)
