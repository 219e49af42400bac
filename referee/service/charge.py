"""Who is in charge of a table: whoever opened it, and the admins of the house.  A key is a person's, whatever channel it is turned from."""
from __future__ import annotations

from typing import Any, NamedTuple

from referee.rules import Refusal
from referee.store import Game, LeagueRole, Person, Seat

from .office import hooks
from .people import Speaker
from .sitting import Sitting

#: what moderators of a league may do at its tables, too: "" is what everybody in charge may
MODERATE = frozenset({"", "pause", "resume", "extend", "offer", "talk"})


class Role(NamedTuple):
    """What somebody is at a table: whether they hold a key, and the seat in which they play."""

    key: bool
    seat: Seat | None


def is_admin(sitting: Sitting, speaker: Speaker) -> bool:
    """Whether somebody writes from an address that the house's settings name."""
    return bool(speaker.person.admin) or (speaker.address.channel, speaker.address.address) in sitting.settings.admins


def keyholders(sitting: Sitting, game: Game, act: str = "") -> list[int]:
    """The persons who are in charge of a table, for that act: of a league's, those who run the league."""
    told = hooks.mine(game)
    roles = ("owner", "director", "moderator") if act in MODERATE else ("owner", "director")
    first = [game.creator_id] if told is None else [
        one.person_id for one in sitting.tx.all(LeagueRole, league_id=int(told["league"]), role=roles, order="id")]
    found = [*first, *(int(one.id or 0) for one in sitting.tx.all(Person, admin=1))]
    for channel, address in sitting.settings.admins:
        known = sitting.tx.whose(channel, address)
        found += [] if known is None else [int(known[0].id or 0)]
    return list(dict.fromkeys(found))


def role(sitting: Sitting, game: Game, person: Person, act: str = "") -> Role:
    """What a person is at this table, where that act is concerned."""
    return Role(person.id in keyholders(sitting, game, act), sitting.tx.one(Seat, game_id=game.id, person_id=person.id))


def running(game: Game | None) -> Game:
    """The table, if it is one that is played at.  Raises Refusal."""
    if game is None:
        raise Refusal("no-game", game=None)
    if game.status != "running":
        raise Refusal({"frozen": "frozen", "over": "game-over", "abandoned": "game-over"}.get(game.status, "not-started"), game=game.id)
    return game


def doer(speaker: Speaker, mine: Seat | None) -> dict[str, Any]:
    """Who did something, as events tell it: the seat, or the name of somebody from outside."""
    return {"seat": None if mine is None else mine.no, "by": "" if mine is not None else speaker.person.name}
