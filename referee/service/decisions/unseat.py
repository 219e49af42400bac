"""A seat is offered to others while its player plays on, or taken from them: then a stand-in plays until
somebody sits down.
"""

from __future__ import annotations

from typing import Any

from referee.ids import PersonId, SeatNo
from referee.rules import Refusal
from referee.store import Game, Seat

from ..core import outbox
from ..core.unit_of_work import UnitOfWork
from ..deadlines import clock_state
from ..people import officials
from ..people.letter_facts import notice
from ..play import clock_news
from ..tables import vacating
from ..tables.seat_names import fold_name


def find_seat(uow: UnitOfWork, game: Game, said: str) -> Seat:
    """The seat of that name.  Raises Refusal."""
    seats = uow.seats(game.id)
    wanted = fold_name(said)  # "" for a name of signs alone, which is one name only as it stands
    fits = [one for one in seats if (fold_name(one.name) == wanted if wanted else one.name == said.strip())]
    fits = fits or [one for one in seats if wanted and fold_name(one.name).startswith(wanted)]
    if len(fits) != 1:
        raise Refusal("no-such-player", name=said, names=[one.name for one in seats])
    return fits[0]


def may_offer(uow: UnitOfWork, game: Game, facts: dict[str, Any]) -> None:
    """Raises Refusal for a bot, a seat where nobody sits, or one that is on offer already."""
    _somebodys(uow, game, facts)
    if clock_state.read_clocks(game).seat(SeatNo(int(facts["player"]))).offered:
        raise Refusal("offered-already", game=game.id)


def may_kick(uow: UnitOfWork, game: Game, facts: dict[str, Any]) -> None:
    """Raises Refusal for a bot or a seat where nobody sits."""
    _somebodys(uow, game, facts)


def _somebodys(uow: UnitOfWork, game: Game, facts: dict[str, Any]) -> None:
    seat = uow.seats(game.id)[int(facts["player"])]
    if seat.bot:
        raise Refusal("seat-is-bot", name=seat.name)
    if seat.person_id is None:
        raise Refusal("seat-is-empty", name=seat.name)
    # an account that was joined to another in the meantime is still theirs
    who = facts.get("person")
    if who is not None and not officials.same(uow.tx, PersonId(int(who)), seat.person_id):
        raise Refusal("seat-changed", name=seat.name)


def offer_seat(uow: UnitOfWork, game: Game, facts: dict[str, Any], who: dict[str, Any]) -> None:
    """The seat is to be had; until somebody takes it its player plays on, and takes nothing back by that."""
    table = clock_state.known(uow, game)
    mine = table.seat(SeatNo(int(facts["player"])))
    mine.offered = mine.decided = True
    clock_news.publish(uow, game, table, "seat_offered", {**who, "player": facts["player"]}, ())


def kick(uow: UnitOfWork, game: Game, facts: dict[str, Any], who: dict[str, Any]) -> None:
    """The seat is nobody's: its plans are gone, nobody waits, and its player can't come back to this
    table.
    """
    no = SeatNo(int(facts["player"]))
    seat = uow.seats(game.id)[no]
    vacating.vacate(uow, game, seat, "kicked", {**who, "player": no})
    if seat.person_id is not None:
        outbox.to_person(
            uow,
            seat.person_id,
            notice("seat-taken-away", game=game.id),
            game_id=game.id,
        )
