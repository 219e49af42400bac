"""Who is in charge of a table: whoever opened it, and the admins of the house.

A key is a person's, whatever channel it is turned from.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from referee.rules import Refusal
from referee.states import GameStatus
from referee.store import Game, Person, Seat

from ..core.unit_of_work import Sitting
from . import hooks, officials
from .identity import Speaker

#: why nothing can be done at a table that is not played at
_WHY_NOT: dict[str, str] = {
    GameStatus.FROZEN: "frozen",
    GameStatus.OVER: "game-over",
    GameStatus.ABANDONED: "game-over",
}


class Role(NamedTuple):
    """What somebody is at a table: whether they hold a key, the seat in which they play, and whether they
    play there, be it as somebody who they are, too.
    """

    key: bool
    seat: Seat | None
    plays: bool


def is_admin(sitting: Sitting, speaker: Speaker) -> bool:
    """Whether somebody writes from an address that the house's settings name."""
    own = not speaker.address.home_id and bool(speaker.person.admin)
    return own or (speaker.address.channel, speaker.address.address) in sitting.settings.admins


def opened(sitting: Sitting, speaker: Speaker, game: Game) -> bool:
    """Whether whoever speaks opened that table, from this address or as who they are by now."""
    return officials.holds(
        officials.ranks(sitting.tx, int(speaker.person.id or 0), speaker.address),
        game.creator_id,
        game.created_ms,
    )


def keyholders(sitting: Sitting, game: Game, act: str = "") -> list[int]:
    """The persons who are in charge of a table, for that act: of a league's, those who run the league."""
    found = [one.person for one in hooks.keys(sitting.tx, game, act)]
    found += [int(one.id or 0) for one in sitting.tx.all(Person, admin=1)]
    for channel, address in sitting.settings.admins:
        known = sitting.tx.whose(channel, address)
        found += [] if known is None else [int(known[0].id or 0)]
    return list(dict.fromkeys(officials.now(sitting.tx, one) for one in found))


def role(sitting: Sitting, game: Game, speaker: Speaker, act: str = "") -> Role:
    """What whoever speaks is at this table, where that act is concerned."""
    tx, me = sitting.tx, int(speaker.person.id or 0)
    held = officials.ranks(tx, me, speaker.address)
    key = any(officials.holds(held, *one) for one in hooks.keys(tx, game, act))
    key = key or is_admin(sitting, speaker)
    seat = tx.one(Seat, game_id=game.id, person_id=me)
    return Role(key, seat, seat is not None or (key and officials.key(sitting, me) in playing(sitting, game)))


def playing(sitting: Sitting, game: Game) -> set[int]:
    """Whose keys those are who play at a table."""
    return {
        officials.key(sitting, one.person_id)
        for one in sitting.seats(int(game.id or 0))
        if one.person_id is not None
    }


def running(game: Game | None) -> Game:
    """The table, if it is one that is played at.  Raises Refusal."""
    if game is None:
        raise Refusal("no-game", game=None)
    if game.status != GameStatus.RUNNING:
        raise Refusal(
            _WHY_NOT.get(game.status, "not-started"),
            game=game.id,
        )
    return game


def doer(speaker: Speaker, mine: Seat | None) -> dict[str, Any]:
    """Who did something, as events tell it: the seat, or the name of somebody from outside."""
    return {"seat": None if mine is None else mine.no, "by": "" if mine is not None else speaker.person.name}
