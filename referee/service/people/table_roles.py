"""Who is in charge of a table: the person who opened it, and the admins of the installation.

A key is a person's, whatever channel it is turned from.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from referee.ids import PersonId
from referee.rules import Refusal
from referee.states import GameStatus
from referee.store import Game, Person, Seat

from ..core.unit_of_work import UnitOfWork
from . import hooks, officials
from .identity import Speaker

#: why nothing can be done at a table that is not played at
_WHY_NOT: dict[str, str] = {
    GameStatus.FROZEN: "frozen",
    GameStatus.OVER: "game-over",
    GameStatus.ABANDONED: "game-over",
}


class TableRole(NamedTuple):
    """What somebody is at a table: whether they hold a key that counts, the seat in which they play, whether
    they play there, be it as somebody who they are, too; and whether they hold a key that does not count, as
    they have an interest in the act.
    """

    key: bool
    seat: Seat | None
    plays: bool
    recused: bool = False


def is_admin(uow: UnitOfWork, speaker: Speaker) -> bool:
    """Whether somebody writes from an address that the installation's settings name."""
    own = not speaker.address.home_id and bool(speaker.person.admin)
    return own or (speaker.address.channel, speaker.address.address) in uow.settings.admins


def opened_table(uow: UnitOfWork, speaker: Speaker, game: Game) -> bool:
    """Whether the person who speaks opened that table, from this address or as who they are by now."""
    return officials.holds(
        officials.ranks(uow.tx, speaker.person.id, speaker.address),
        game.creator_id,
        game.created_ms,
    )


def keyholders(uow: UnitOfWork, game: Game, act: str = "") -> list[PersonId]:
    """The persons who are in charge of a table, for that act: of a league's, those who run the league."""
    found = [one.person for one in hooks.keys(uow.tx, game, act)]
    found += sorted(officials.house(uow))
    known = dict.fromkeys(officials.now(uow.tx, one) for one in found)
    return [one for one in known if not hooks.recused(uow, game, act, one)]


def role(uow: UnitOfWork, game: Game, speaker: Speaker, act: str = "") -> TableRole:
    """What the person who speaks is at this table, where that act is concerned."""
    tx, me = uow.tx, speaker.person.id
    held = officials.ranks(tx, me, speaker.address)
    key = any(officials.holds(held, *one) for one in hooks.keys(tx, game, act))
    key = key or is_admin(uow, speaker)
    seat = tx.one(Seat, game_id=game.id, person_id=me)
    recused = key and hooks.recused(uow, game, act, me)
    plays = seat is not None or (key and officials.key(uow, me) in playing(uow, game))
    return TableRole(key and not recused, seat, plays, recused)


def keyless(uow: UnitOfWork, game: Game, mine: TableRole, act: str, code: str) -> Refusal:
    """Why somebody's key opens nothing: it does not count there, or (`code`) they have none."""
    if not mine.recused:
        return Refusal(code, game=game.id)
    people = [uow.tx.get(Person, one) for one in keyholders(uow, game, act)]
    return Refusal("key-recused", game=game.id, names=[one.name for one in people if one is not None][:6])


def playing(uow: UnitOfWork, game: Game) -> set[PersonId]:
    """Whose keys those are who play at a table."""
    return {officials.key(uow, one.person_id) for one in uow.seats(game.id) if one.person_id is not None}


def running(game: Game | None) -> Game:
    """The table, if it is one that is played at.  Raises Refusal."""
    if game is None:
        raise Refusal("no-game", game=None)
    if game.status != GameStatus.RUNNING:
        raise not_running(game)
    return game


def not_running(game: Game) -> Refusal:
    """Why nobody can play at that table."""
    return Refusal(_WHY_NOT.get(game.status, "not-started"), game=game.id)


def doer(speaker: Speaker, mine: Seat | None) -> dict[str, Any]:
    """Who did something, as events tell it: the seat, or the name of somebody from outside."""
    return {"seat": None if mine is None else mine.no, "by": "" if mine is not None else speaker.person.name}
