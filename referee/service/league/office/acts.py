"""What officials do to a league, and people to their own place in it: each act of the words as a function.

Each returns the facts of its answer, which are also what the log keeps. Some take two keys, always or as
things stand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from referee.ids import ALL_DIVISIONS, PersonId
from referee.policy import HOUR_MS
from referee.rules import Refusal
from referee.states import SeasonState
from referee.store import League, LeagueRoom, Person, Room, Season

from ...core import outbox
from ...core.unit_of_work import UnitOfWork
from ...people.letter_facts import notice
from .. import announcements, lookup, pausing, roles
from ..entry import founding, next_season, sign_up
from ..roles import Official
from ..scores import teams
from ..season import draw, expectations
from ..terms import read_terms
from . import log_replay, references
from .recusal import NOBODY_IN_PARTICULAR, Touched

Facts = dict[str, Any]


@dataclass(slots=True)
class LeagueRequest:
    """What is before the office: who says what about which league, and where (`room`)."""

    uow: UnitOfWork
    who: Official
    league: League
    args: Mapping[str, Any]
    room: Room | None = None

    @property
    def season(self) -> Season:
        """The season that is to come or goes on.  Raises Refusal where there is none."""
        return lookup.current(self.uow, self.league)

    def person(self, said: str | None = None) -> Person:
        """Whom the words name.  Raises Refusal."""
        known = self.args.get("person")
        row = self.uow.tx.get(Person, PersonId(int(known))) if said is None and known is not None else None
        return row or references.person(
            self.uow, self.league, str(self.args["name"] if said is None else said), self.who
        )

    def speaker(self) -> Person:
        """The person who speaks.  Raises Refusal for the console, which is nobody."""
        if self.who.person is None:
            raise Refusal("league-console-nobody")
        return self.who.person


def for_all(matter: LeagueRequest) -> Touched:
    """What is for all, or concerns nobody's points: nobody need keep out of it."""
    return NOBODY_IN_PARTICULAR


@dataclass(frozen=True, slots=True)
class OfficeAct:
    """`do` is the act; `two` whether it takes two keys as things stand, with the facts that tell what is
    proposed, None where one is enough. `touches`: whom and what it concerns, so that nobody acts on himself
    (`recusal`); `for_all` where it is nobody in particular.
    """

    do: Callable[[LeagueRequest], Facts]
    two: Callable[[LeagueRequest], Facts | None] = lambda matter: None
    touches: Callable[[LeagueRequest], Touched] = field(kw_only=True)


def _set(matter: LeagueRequest) -> Facts:
    return founding.change_all(matter.uow, matter.league, matter.args["settings"])


def _rename(matter: LeagueRequest) -> Facts:
    return founding.rename(matter.uow, matter.league, str(matter.args["name"]))


def _open(matter: LeagueRequest) -> Facts:
    """The settings that were said hold from this season on."""
    last = None
    if matter.args.get("like") or matter.args.get("again"):
        last = next_season.last_played(matter.uow, matter.league)
    if last is not None and matter.args.get("like"):
        next_season.settings_of(matter.uow, matter.league, last)
    if matter.args["settings"]:
        founding.change_all(matter.uow, matter.league, matter.args["settings"])
    facts = sign_up.open_season(
        matter.uow, matter.league, int(matter.args["closes_ms"]), int(matter.args["starts_ms"])
    )
    facts = {**facts, "forecast": expectations.expect(matter.uow, matter.league)}
    if last is not None and matter.args.get("again"):
        facts["asked"] = next_season.ask(matter.uow, matter.league, last, facts)
    said = {"settings": dict(matter.args["settings"])} if matter.args["settings"] else {}
    return {**facts, **said, "ledger": log_replay.LEDGER}


def _join(matter: LeagueRequest) -> Facts:
    person = matter.speaker()
    facts = sign_up.join(matter.uow, matter.season, person, _given(matter))
    if not matter.args.get("team"):
        return {**facts, "teams": read_terms(matter.season).team}
    return {**facts, "team": _into_team(matter, str(matter.args["team"]))["team"]}


def _team(matter: LeagueRequest) -> Facts:
    if matter.args["drop"]:
        other = matter.person(str(matter.args["drop"]))
        return teams.dismiss(matter.uow, matter.season, matter.speaker(), other)
    return _into_team(matter, str(matter.args["team"]))


def _into_team(matter: LeagueRequest, name: str) -> Facts:
    """Anybody may name any team, so its captain hears of it."""
    facts = teams.choose(matter.uow, matter.season, matter.speaker(), name)
    captain = teams.captain(matter.uow, matter.season, str(facts["team"]))
    if captain is not None and captain != facts["person"]:
        told = {"league": matter.league.name, "team": facts["team"], "name": facts["name"]}
        outbox.to_person(matter.uow, captain, notice("league-team-joined", **told))
    return facts


def _given(matter: LeagueRequest) -> sign_up.Given:
    return sign_up.Given(str(matter.args.get("code", "")), matter.args.get("answers", ()))


def _alternate(matter: LeagueRequest) -> Facts:
    person = matter.speaker()
    return sign_up.alternate(matter.uow, matter.season, person, _given(matter))


def _leave(matter: LeagueRequest) -> Facts:
    person = matter.speaker()
    return sign_up.leave_season(matter.uow, matter.season, person)


def _yes(matter: LeagueRequest) -> Facts:
    """The season begins although its forecast is bad."""
    return expectations.agree(matter.uow, matter.season)


def _draw(matter: LeagueRequest) -> Facts:
    expectations.check(matter.uow, matter.season)
    return draw.draw(matter.uow, matter.season)


def _redraw(matter: LeagueRequest) -> Facts:
    return draw.redraw(matter.uow, matter.season)


def _redraw_two(matter: LeagueRequest) -> Facts | None:
    """Once people have seen a draw, another one is a choice."""
    season = matter.season
    return {"season": season.no} if season.state != SeasonState.SIGNUP else None


def _whole_season(matter: LeagueRequest) -> Touched:
    return Touched(matter.season, division=ALL_DIVISIONS)


def _pause(matter: LeagueRequest) -> Facts:
    hours = float(matter.args["hours"])
    until = int(matter.args["until_ms"]) or matter.uow.now_ms + round(hours * HOUR_MS)
    return pausing.pause(
        matter.uow, matter.season, int(matter.args["from_ms"]), until, str(matter.args["why"])
    )


def _resume(matter: LeagueRequest) -> Facts:
    return pausing.resume(matter.uow, matter.season)


def _admit(matter: LeagueRequest) -> Facts:
    return sign_up.admit(matter.uow, matter.season, matter.person(), force=True)


def _remove(matter: LeagueRequest) -> Facts:
    return sign_up.remove(matter.uow, matter.season, matter.person(), str(matter.args["why"]))


def _remove_two(matter: LeagueRequest) -> Facts | None:
    """Before a season is drawn nobody loses anything by it."""
    season, person = matter.season, matter.person()
    lookup.entered(matter.uow, season, person)
    return (
        None
        if season.state == SeasonState.SIGNUP
        else {"name": person.name, "person": person.id, "season": season.no, "why": matter.args["why"]}
    )


def _admit_touches(matter: LeagueRequest) -> Touched:
    return Touched(matter.season, frozenset({matter.person().id}))


def _remove_touches(matter: LeagueRequest) -> Touched:
    """Before a season is drawn nobody has a division, and nobody gains a place."""
    season, person = matter.season, matter.person()
    entry = lookup.entered(matter.uow, season, person)
    division = None if season.state == SeasonState.SIGNUP else entry.division
    return Touched(season, frozenset({person.id}), division=division, frees=True)


def _role(matter: LeagueRequest) -> Facts:
    return roles.give(matter.uow, matter.league, matter.person(), str(matter.args["role"]))


def _room(matter: LeagueRequest) -> Facts:
    if matter.room is None:
        raise Refusal("league-room-where")
    tx = matter.uow.tx
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


def _announce(matter: LeagueRequest) -> Facts:
    """What an official says to all is theirs: text, under their name."""
    text = str(matter.args["text"])
    count = announcements.announce(
        matter.uow, matter.league, "league-said", {"text": text, "by": matter.who.by}
    )
    return {"league": matter.league.name, "text": text, "count": count}


def _close(matter: LeagueRequest) -> Facts:
    return founding.close(matter.uow, matter.league)


def _close_two(matter: LeagueRequest) -> Facts | None:
    founding.going(matter.league)
    season = lookup.latest(matter.uow, matter.league)
    if season is not None and season.state in lookup.ALIVE:
        raise Refusal("league-goes-on", league=matter.league.name, season=season.no)
    return {}


ACTS: Mapping[str, OfficeAct] = {
    "set": OfficeAct(_set, touches=for_all),
    "rename": OfficeAct(_rename, touches=for_all),
    "open": OfficeAct(_open, touches=for_all),
    "join": OfficeAct(_join, touches=for_all),
    "team": OfficeAct(_team, touches=for_all),
    "alternate": OfficeAct(_alternate, touches=for_all),
    "leave": OfficeAct(_leave, touches=for_all),
    "yes": OfficeAct(_yes, touches=for_all),
    "draw": OfficeAct(_draw, touches=for_all),
    "redraw": OfficeAct(_redraw, _redraw_two, touches=_whole_season),
    "pause": OfficeAct(_pause, touches=for_all),
    "resume": OfficeAct(_resume, touches=for_all),
    "admit": OfficeAct(_admit, touches=_admit_touches),
    "remove": OfficeAct(_remove, _remove_two, touches=_remove_touches),
    "role": OfficeAct(_role, touches=for_all),
    "room": OfficeAct(_room, touches=for_all),
    "announce": OfficeAct(_announce, touches=for_all),
    "close": OfficeAct(_close, _close_two, touches=for_all),
}
