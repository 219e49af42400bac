"""A seat is offered to others while its player plays on, or taken from them: then a stand-in plays until
somebody sits down.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from referee.rules import Refusal
from referee.states import OutboxState
from referee.store import Game, Outbox, Seat, SeatPlan

from ..core import outbox
from ..core.unit_of_work import Sitting
from ..deadlines import clock_state, rows
from ..people import officials
from ..play import clock_news, seat_plans
from ..play.hooks import seat_left
from ..tables.seat_names import fold


def named(sitting: Sitting, game: Game, said: str) -> Seat:
    """The seat of that name.  Raises Refusal."""
    seats = sitting.seats(int(game.id or 0))
    fits = [one for one in seats if fold(one.name) == fold(said)] or [
        one for one in seats if fold(said) and fold(one.name).startswith(fold(said))
    ]
    if len(fits) != 1:
        raise Refusal("no-such-player", name=said, names=[one.name for one in seats])
    return fits[0]


def may_offer(sitting: Sitting, game: Game, facts: dict[str, Any]) -> None:
    """Raises Refusal for a bot, a seat where nobody sits, or one that is on offer already."""
    _somebodys(sitting, game, facts)
    if clock_state.read(game).seat(int(facts["player"])).offered:
        raise Refusal("offered-already", game=game.id)


def may_kick(sitting: Sitting, game: Game, facts: dict[str, Any]) -> None:
    """Raises Refusal for a bot or a seat where nobody sits."""
    _somebodys(sitting, game, facts)


def _somebodys(sitting: Sitting, game: Game, facts: dict[str, Any]) -> None:
    seat = sitting.seats(int(game.id or 0))[int(facts["player"])]
    if seat.bot:
        raise Refusal("seat-is-bot", name=seat.name)
    if seat.person_id is None:
        raise Refusal("seat-is-empty", name=seat.name)
    if facts.get("person") not in (None, seat.person_id):
        raise Refusal("seat-changed", name=seat.name)


def offer(sitting: Sitting, game: Game, facts: dict[str, Any], who: dict[str, Any]) -> None:
    """The seat is to be had; until somebody takes it its player plays on."""
    table = rows.known(sitting, game)
    mine = table.seat(int(facts["player"]))
    mine.stand(replace(mine.standing(), offered=True))
    clock_news.publish(sitting, game, table, "seat_offered", {**who, "player": facts["player"]}, ())


def kick(sitting: Sitting, game: Game, facts: dict[str, Any], who: dict[str, Any]) -> None:
    """The seat is nobody's: its plans are gone, nobody waits, and its player can't come back to this
    table.
    """
    no = int(facts["player"])
    seats = sitting.seats(int(game.id or 0))
    seat = seats[no]
    table = rows.known(sitting, game)
    mine = table.seat(no)
    mine.stand(replace(mine.standing(), probation=True, offered=True))
    table.kicked.append(int(seat.person_id or 0))
    seat_left(sitting, game, seat.person_id, "kicked")
    game = sitting.tx.get(Game, game.id) or game  # what it knows of its league may have changed
    sitting.tx.drop(SeatPlan, game_id=game.id, seat=no)
    sitting.tx.set(Seat, seat.id, person_id=None, channel="")
    sitting.tx.change(
        Outbox,
        {"game_id": game.id, "person_id": seat.person_id, "state": OutboxState.QUEUED},
        state=OutboxState.DROPPED,
        error="the seat is somebody else's",
    )
    if officials.same(sitting.tx, game.creator_id, seat.person_id):
        heirs = [one.person_id for one in seats if one.person_id not in (None, seat.person_id)]
        game = sitting.tx.renew(Game, game, creator_id=heirs[0] if heirs else game.creator_id)
    fresh = clock_news.publish(sitting, game, table, "kicked", {**who, "player": no}, (no,))
    seat_plans.arm(
        sitting,
        fresh,
        sitting.states.of(fresh),
        sitting.states.waiting(fresh),
        seat_plans.of(sitting, fresh.id),
    )
    if seat.person_id is not None:
        outbox.to_person(
            sitting,
            seat.person_id,
            "notice",
            game_id=game.id,
            data={"notices": [{"code": "seat-taken-away", "facts": {"game": game.id}}]},
        )
