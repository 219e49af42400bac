"""Who may be told how it stands at a table, or anything else of it: the same people as may see its page.

A table that is not for everybody has a page with a key in its address, and that address stands in letters to
those who play there. Its number is no secret. So what is asked about it by number is answered to people who
have that address, to those in charge, and in rooms that follow it.
"""

from __future__ import annotations

from referee.ids import PersonId, SeatNo
from referee.ports import Inbound
from referee.rules import Refusal
from referee.states import OfferState, TablePage
from referee.store import Game, GameRoom, Outbox, Room, SeatOffer, Tx

from ..core.unit_of_work import UnitOfWork, settings_of
from . import hooks, officials, table_roles
from .identity import Speaker


def is_public(tx: Tx, game: Game) -> bool:
    """Whether a table is for everybody (`Tx.public_games` finds all that are)."""
    if game.page == TablePage.WATCHED:
        return tx.one(GameRoom, game_id=game.id) is not None
    return game.page == TablePage.PUBLIC


def check(uow: UnitOfWork, speaker: Speaker, came: Inbound, game: Game) -> None:
    """Raise Refusal unless the person who speaks may be told of that table where they spoke."""
    if not may_know(uow, speaker, came, game):
        raise _private(uow, game)


def may_know(uow: UnitOfWork, speaker: Speaker, came: Inbound, game: Game) -> bool:
    """Whether the person who speaks may be told of that table where they spoke."""
    return is_public(uow.tx, game) or _shown_here(uow.tx, came, game) or _concerns(uow, speaker, game)


def must_be_let_in(uow: UnitOfWork, speaker: Speaker, came: Inbound, game: Game) -> None:
    """Raise Refusal where somebody who may not be told of a table asks for a seat there without a code, and
    not everybody may sit down: else what they are answered tells how it stands.
    """
    entry = settings_of(game)["entry"]
    if entry != "open" and not may_know(uow, speaker, came, game):
        raise Refusal("invite-only", game=game.id) if entry == "invite" else _private(uow, game)


def _private(uow: UnitOfWork, game: Game) -> Refusal:
    """Why somebody is told nothing; where there are pages, the address of this one may be asked for."""
    return Refusal("table-private", game=game.id, page=bool(uow.settings.base_url))


def _shown_here(tx: Tx, came: Inbound, game: Game) -> bool:
    """Whether it was said in a room that follows the table."""
    here = None if came.place is None else tx.one(Room, channel=came.channel, place=came.place)
    return here is not None and tx.one(GameRoom, game_id=game.id, room_id=here.id) is not None


def _concerns(uow: UnitOfWork, speaker: Speaker, game: Game) -> bool:
    """Whether somebody plays there, or did, is asked to, is in charge, or has another part in it."""
    mine, me = table_roles.role(uow, game, speaker), speaker.person.id
    return (
        mine.seat is not None
        or mine.key
        or mine.recused
        or uow.tx.one(SeatOffer, game_id=game.id, person_id=me, state=OfferState.ASKED) is not None
        or _played(uow, speaker, game)
        or hooks.looks_on(uow, game, me)
    )


def hands_known(tx: Tx, game: Game, person_id: PersonId) -> set[SeatNo]:
    """The seats that somebody had since the cards were dealt: what was written to them as its player is in
    the outbox still.
    """
    people, dealt = officials.family(tx, person_id), {"created_ms": game.started_ms - 1}
    seats = tx.column(Outbox, "seat", game_id=game.id, person_id=people, after=dealt)
    return {no for no in seats if no is not None}


def _played(uow: UnitOfWork, speaker: Speaker, game: Game) -> bool:
    """Whether somebody had a seat there: what was written to them as its player is in the outbox still."""
    seats = tuple(one.no for one in uow.seats(game.id))
    people = officials.family(uow.tx, speaker.person.id)
    return bool(seats) and uow.tx.count(Outbox, game_id=game.id, seat=seats, person_id=people) > 0
