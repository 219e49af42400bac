"""What officials do to a league, and people to their own place in it: each act of the words as a function.

A deed returns the facts of its answer, which are also what the log keeps. Some take two keys, always or as
things stand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from referee.rules import Refusal
from referee.states import SeasonState
from referee.store import League, LeagueRoom, Person, Room, Season

from ..core.unit_of_work import Sitting
from . import announcements, draw, founding, lookup, meant, roles, sign_up
from .roles import Official

Facts = dict[str, Any]


@dataclass(slots=True)
class Matter:
    """What is before the office: who says what about which league, and where (`room`)."""

    sitting: Sitting
    who: Official
    league: League
    args: Mapping[str, Any]
    room: Room | None = None

    @property
    def season(self) -> Season:
        """The season that is to come or goes on.  Raises Refusal where there is none."""
        return lookup.current(self.sitting, self.league)

    def person(self, said: str | None = None) -> Person:
        """Whom the words name.  Raises Refusal."""
        known = self.args.get("person")
        row = self.sitting.tx.get(Person, int(known)) if said is None and known is not None else None
        return row or meant.person(
            self.sitting, self.league, str(self.args["name"] if said is None else said)
        )

    def speaker(self) -> Person:
        """Whoever speaks.  Raises Refusal for the console, which is nobody."""
        if self.who.person is None:
            raise Refusal("league-console-nobody")
        return self.who.person


class Deed(NamedTuple):
    """`do` is the act; `two` whether it takes two keys as things stand, with the facts that tell what is
    proposed, None where one is enough.
    """

    do: Callable[[Matter], Facts]
    two: Callable[[Matter], Facts | None] = lambda matter: None


def _set(matter: Matter) -> Facts:
    return founding.change_all(matter.sitting, matter.league, matter.args["settings"])


def _rename(matter: Matter) -> Facts:
    return founding.rename(matter.sitting, matter.league, str(matter.args["name"]))


def _open(matter: Matter) -> Facts:
    """The settings that were said hold from this season on."""
    if matter.args["settings"]:
        founding.change_all(matter.sitting, matter.league, matter.args["settings"])
    facts = sign_up.open_season(
        matter.sitting, matter.league, int(matter.args["closes_ms"]), int(matter.args["starts_ms"])
    )
    return {**facts, **({"settings": dict(matter.args["settings"])} if matter.args["settings"] else {})}


def _join(matter: Matter) -> Facts:
    person = matter.speaker()
    return sign_up.join(matter.sitting, matter.season, person)


def _alternate(matter: Matter) -> Facts:
    person = matter.speaker()
    return sign_up.alternate(matter.sitting, matter.season, person)


def _leave(matter: Matter) -> Facts:
    person = matter.speaker()
    return sign_up.leave(matter.sitting, matter.season, person)


def _draw(matter: Matter) -> Facts:
    return draw.draw(matter.sitting, matter.season)


def _redraw(matter: Matter) -> Facts:
    return draw.redraw(matter.sitting, matter.season)


def _redraw_two(matter: Matter) -> Facts | None:
    season = matter.season
    return {"season": season.no} if season.state == SeasonState.RUNNING else None


def _admit(matter: Matter) -> Facts:
    return sign_up.admit(matter.sitting, matter.season, matter.person(), force=True)


def _remove(matter: Matter) -> Facts:
    return sign_up.remove(matter.sitting, matter.season, matter.person(), str(matter.args["why"]))


def _remove_two(matter: Matter) -> Facts | None:
    """Before a season is drawn nobody loses anything by it."""
    season, person = matter.season, matter.person()
    lookup.entered(matter.sitting, season, person)
    return (
        None
        if season.state == SeasonState.SIGNUP
        else {"name": person.name, "person": person.id, "season": season.no, "why": matter.args["why"]}
    )


def _role(matter: Matter) -> Facts:
    return roles.give(matter.sitting, matter.league, matter.person(), str(matter.args["role"]))


def _room(matter: Matter) -> Facts:
    if matter.room is None:
        raise Refusal("league-room-where")
    tx = matter.sitting.tx
    if not matter.args["on"]:
        if tx.drop(LeagueRoom, league_id=matter.league.id, room_id=matter.room.id) == 0:
            raise Refusal("league-room-not", league=matter.league.name)
    elif tx.add_new(LeagueRoom, league_id=matter.league.id, room_id=matter.room.id) is None:
        raise Refusal("league-room-already", league=matter.league.name)
    return {
        "league": matter.league.name,
        "room": matter.room.name or matter.room.place,
        "channel": matter.room.channel,
        "on": bool(matter.args["on"]),
    }


def _announce(matter: Matter) -> Facts:
    """What an official says to all is theirs: text, under their name."""
    text = str(matter.args["text"])
    count = announcements.announce(
        matter.sitting, matter.league, "league-said", {"text": text, "by": matter.who.by}
    )
    return {"league": matter.league.name, "text": text, "count": count}


def _close(matter: Matter) -> Facts:
    return founding.close(matter.sitting, matter.league)


def _close_two(matter: Matter) -> Facts | None:
    founding.going(matter.league)
    season = lookup.latest(matter.sitting, matter.league)
    if season is not None and season.state in lookup.ALIVE:
        raise Refusal("league-goes-on", league=matter.league.name, season=season.no)
    return {}


DEEDS: Mapping[str, Deed] = {
    "set": Deed(_set),
    "rename": Deed(_rename),
    "open": Deed(_open),
    "join": Deed(_join),
    "alternate": Deed(_alternate),
    "leave": Deed(_leave),
    "draw": Deed(_draw),
    "redraw": Deed(_redraw, _redraw_two),
    "admit": Deed(_admit),
    "remove": Deed(_remove, _remove_two),
    "role": Deed(_role),
    "room": Deed(_room),
    "announce": Deed(_announce),
    "close": Deed(_close, _close_two),
}
