"""A seat of a running table becomes nobody's: a stand-in plays until somebody sits down there."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from referee.ids import NOBODY, SeatNo
from referee.states import OutboxState
from referee.store import DamagedPack, Game, Outbox, Seat, SeatPlan, Tx

from ..core.unit_of_work import UnitOfWork
from ..deadlines import clock_state
from ..people import officials
from ..play import bot_turns, clock_news, seat_plans
from ..play.hooks import seat_left, seat_unwaited
from ..play.replay import sits_since


def vacate(uow: UnitOfWork, game: Game, seat: Seat, event: str, facts: dict[str, Any]) -> Game:
    """Its plans are gone, nobody waits for it, and who had it can't come back to this table. The table is
    told by that event. The table as it is then.
    """
    no, seats = seat.no, uow.seats(game.id)
    table = clock_state.known(uow, game)
    mine = table.seat(no)
    mine.probation = mine.offered = True
    table.kicked.append(seat.person_id or NOBODY)
    seat_left(uow, game, seat.person_id, "kicked")
    game = uow.tx.get(Game, game.id) or game  # what it knows of its league may have changed
    uow.tx.drop(SeatPlan, game_id=game.id, seat=no)
    seat_plans.disarm(uow, game.id, no)
    uow.tx.set(Seat, seat.id, person_id=None, channel="")
    uow.tx.change(
        Outbox,
        {"game_id": game.id, "person_id": seat.person_id, "state": OutboxState.QUEUED},
        state=OutboxState.DROPPED,
        error="the seat is somebody else's",
    )
    if officials.same(uow.tx, game.creator_id, seat.person_id):
        heirs = [one.person_id for one in seats if one.person_id not in (None, seat.person_id)]
        game = uow.tx.renew(Game, game, creator_id=heirs[0] if heirs else game.creator_id)
    fresh = clock_news.publish(
        uow, game, table, event, {**facts, **bot_turns.announced(uow, clock_state.policy_of(game))}, (no,)
    )
    seat_plans.arm(uow, fresh, *uow.states.position(fresh), uow.plans(fresh.id))
    seat_unwaited(uow, fresh)
    return uow.tx.get(Game, game.id) or fresh


def without_days(game: Game, seats: Iterable[SeatNo]) -> str:
    """The clocks of a table that is over, without the vacations and the hours of those who sat there."""
    table = clock_state.read_clocks(game)
    for no in seats:
        if no in table.seats:
            mine = table.seat(no)
            mine.vacations, mine.unreachable, mine.hours = [], [], None
    return clock_state.encode_clocks(table)


def was_left(tx: Tx, seat: Seat) -> bool:
    """Whether a seat is nobody's by now, or somebody's who took it over."""
    game = tx.get(Game, seat.game_id)
    try:
        return not seat.bot and (
            seat.person_id is None or (game is not None and sits_since(tx.events_of(game), seat.no) > 0)
        )
    except DamagedPack:  # nobody can tell any more
        return True
