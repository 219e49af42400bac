"""The reminder before an hour on which all have agreed."""

from __future__ import annotations

from referee.states import DeadlineKind
from referee.store import Deadline, Game

from ..core import outbox
from ..core.due import due
from ..core.unit_of_work import UnitOfWork
from . import table_hours
from .letter_facts import MeetingFacts


@due(DeadlineKind.MEETING)
def remind_all(uow: UnitOfWork, game: Game, row: Deadline) -> None:
    """Ten minutes are left; late ones, as after an outage of ours, are told while it is not over."""
    at_ms = table_hours.meeting(table_hours.read_hours(game), uow.now_ms)
    if at_ms:
        for seat in uow.seats(game.id):
            outbox.to_seat(uow, game, seat, MeetingFacts(at_ms=at_ms))
