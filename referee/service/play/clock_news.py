"""The clocks of a table changed, and everybody may know."""

from __future__ import annotations

from typing import Any

from referee.ids import EventNo, GameId, SeatNo
from referee.states import GameStatus
from referee.store import Game, Seat

from ..core import outbox
from ..core.unit_of_work import UnitOfWork, write_event
from ..deadlines import clock_state, season_vacation
from ..deadlines.clock_state import SeatTime, TableTime
from . import seat_offers


def elsewhere(uow: UnitOfWork, game: Game, seat: Seat, mine: SeatTime, event: str) -> list[GameId]:
    """What a vacation has come to holds at all tables of the season; which ones, this one aside."""
    others = season_vacation.kept(uow, game, seat, mine)
    for other, its, table in others:
        publish(uow, other, table, event, {"seat": its.no}, (its.no,))
    return [other.id for other, _, _ in others]


def publish(
    uow: UnitOfWork,
    game: Game,
    table: TableTime,
    event: str,
    facts: dict[str, Any],
    anew: tuple[SeatNo, ...] | None = None,
) -> Game:
    """The clocks of a table changed, and everybody may know: write both down, make the rows anew, renew the
    table's message.
    """
    number = EventNo(game.event_no + 1)
    write_event(uow, game.id, number, event, facts)
    fresh = uow.tx.renew(Game, game, event_no=number, clocks=clock_state.encode_clocks(table))
    if fresh.status == GameStatus.RUNNING:
        clock_state.again(uow, fresh, anew)
        seat_offers.offer_seats(uow, fresh)
    outbox.to_rooms(uow, fresh)
    return fresh
