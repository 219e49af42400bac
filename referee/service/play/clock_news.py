"""The clocks of a table changed, and everybody may know."""

from __future__ import annotations

from typing import Any

from referee.states import GameStatus
from referee.store import Game, Seat

from ..core import outbox
from ..core.unit_of_work import Sitting, tell
from ..deadlines import clock_state, rows, season_vacation
from ..deadlines.clock_state import SeatTime, TableTime
from . import seat_offers


def elsewhere(sitting: Sitting, game: Game, seat: Seat, mine: SeatTime, event: str) -> list[int]:
    """What a vacation has come to holds at all tables of the season; which ones, this one aside."""
    others = season_vacation.kept(sitting, game, seat, mine)
    for other, its, table in others:
        publish(sitting, other, table, event, {"seat": its.no}, (its.no,))
    return [int(other.id or 0) for other, _, _ in others]


def publish(
    sitting: Sitting,
    game: Game,
    table: TableTime,
    event: str,
    facts: dict[str, Any],
    anew: tuple[int, ...] | None = None,
) -> Game:
    """The clocks of a table changed, and everybody may know: write both down, make the rows anew, renew the
    table's message.
    """
    number = game.event_no + 1
    tell(sitting, int(game.id or 0), number, event, facts)
    fresh = sitting.tx.renew(Game, game, event_no=number, clocks=clock_state.written(table))
    if fresh.status == GameStatus.RUNNING:
        rows.again(sitting, fresh, anew)
        seat_offers.begin(sitting, fresh)
    outbox.to_rooms(sitting, fresh)
    return fresh
