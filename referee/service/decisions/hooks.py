"""What becomes of open votes with a seat that somebody else takes, or has back."""

from __future__ import annotations

from referee.ids import PersonId
from referee.store import Game

from ..core.unit_of_work import UnitOfWork
from ..play.hooks import seat_returned, seat_taken
from . import votes


@seat_taken.on
@seat_returned.on
def asked_anew(uow: UnitOfWork, game: Game, person_id: PersonId) -> None:
    """They vote for themselves."""
    for seat in uow.seats(game.id):
        if seat.person_id == person_id:
            votes.anew(uow, game, seat)
