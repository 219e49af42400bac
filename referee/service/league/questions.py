"""What anybody may ask the office, and what officials may look up: each act of the words that changes
nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from referee.rules import Refusal
from referee.states import EntryState, RoundState
from referee.store import Entry, League, LeagueRoom, Room, SeasonTable

from ..core.letters import Facts, queued
from ..core.unit_of_work import Sitting
from . import log, lookup, meant, roles, settings, two_keys
from .answer import Answer, notice
from .letter_facts import (
    CardFacts,
    ExportFacts,
    ListFacts,
    LogFacts,
    PeopleFacts,
    PlayerFacts,
    ProposalsFacts,
    ScheduleFacts,
    SettingsFacts,
    StandingsFacts,
    StatsFacts,
    TableFacts,
)
from .roles import Official
from .terms import read

#: so many lines of the log are shown at once, and where nobody says how many
LOG_MOST, LOG_USUAL = 200, 20
#: so many names stand in a list of people
PEOPLE_MOST = 300

Page = Callable[[Sitting, Official, "League | None", Mapping[str, Any]], "Answer"]


def summary(sitting: Sitting, league: League, who: Official) -> dict[str, Any]:
    """A league as everybody may know it, and what the asker is in it: {id, name, closed, season, round, role,
    mine}.
    """
    tx = sitting.tx
    season = lookup.latest(sitting, league)
    found: dict[str, Any] = {
        "id": league.id,
        "name": league.name,
        "closed": league.closed_ms > 0,
        "season": None,
        "round": None,
        "role": roles.role_of(tx, league, who),
        "mine": "",
    }
    if season is None:
        return found
    people = tx.count(Entry, season_id=season.id, state=(EntryState.SIGNED, EntryState.PLAYING))
    found["season"] = {
        "no": season.no,
        "state": season.state,
        "closes_ms": season.closes_ms,
        "starts_ms": season.starts_ms,
        "ended_ms": season.ended_ms,
        "people": people,
        "waiting": tx.count(Entry, season_id=season.id, state=EntryState.WAITING),
        "rounds": read(season).rounds,
    }
    mine = lookup.entry_of(sitting, season, who.person_id) if who.person_id is not None else None
    found["mine"] = "" if mine is None else mine.state
    on = [one for one in lookup.rounds(sitting, season) if one.state == RoundState.OPEN]
    if on:
        every = tx.count(SeasonTable, season_id=season.id, round=on[-1].no)
        left = tx.count(SeasonTable, season_id=season.id, round=on[-1].no, state=lookup.UNDECIDED)
        found["round"] = {"no": on[-1].no, "ends_ms": on[-1].ends_ms, "tables": every, "left": left}
    return found


def _list(sitting: Sitting, who: Official, league: League | None, args: Mapping[str, Any]) -> Answer:
    alive = sitting.tx.all(League, closed_ms=0, order="id")
    leagues = [summary(sitting, one, who) for one in alive]
    return _page(ListFacts(leagues=leagues, house=who.house, console=who.person is None))


def _help(sitting: Sitting, who: Official, league: League | None, args: Mapping[str, Any]) -> Answer:
    return Answer("help", {"topic": "league"})


def _show(sitting: Sitting, who: Official, league: League | None, args: Mapping[str, Any]) -> Answer:
    assert league is not None
    rooms = [
        sitting.tx.get(Room, one.room_id)
        for one in sitting.tx.all(LeagueRoom, league_id=league.id, order="id")
    ]
    return _page(
        CardFacts(
            card=summary(sitting, league, who),
            officials=_officials(sitting, league),
            rooms=len([one for one in rooms if one is not None]),
            public=read(league).visible,
            console=who.person is None,
        )
    )


def _officials(sitting: Sitting, league: League) -> list[dict[str, str]]:
    return [{"role": role, "name": name} for role, name in roles.officials(sitting.tx, league)]


def _roles(sitting: Sitting, who: Official, league: League | None, args: Mapping[str, Any]) -> Answer:
    assert league is not None
    found = _officials(sitting, league)
    return notice(
        "league-officials",
        league=league.name,
        **{role: [one["name"] for one in found if one["role"] == role] for role in roles.ROLES},
    )


def _people(sitting: Sitting, who: Official, league: League | None, args: Mapping[str, Any]) -> Answer:
    """Everybody in the latest season, by what they are in it."""
    assert league is not None
    season = lookup.latest(sitting, league)
    groups: dict[str, list[str]] = {}
    for entry in [] if season is None else lookup.entries(sitting, season)[:PEOPLE_MOST]:
        groups.setdefault(entry.state, []).append(lookup.name_of(sitting, entry.person_id))
    order = (
        EntryState.SIGNED,
        EntryState.PLAYING,
        EntryState.WAITING,
        EntryState.WITHDRAWN,
        EntryState.REMOVED,
    )
    return _page(
        PeopleFacts(
            league=league.name,
            season=0 if season is None else season.no,
            groups=[{"state": state, "names": groups[state]} for state in order if groups.get(state)],
        )
    )


def _settings(sitting: Sitting, who: Official, league: League | None, args: Mapping[str, Any]) -> Answer:
    assert league is not None
    every = [{"key": key, "value": value} for key, value in settings.all_told(read(league)).items()]
    return _page(SettingsFacts(league=league.name, settings=every))


def _proposals(sitting: Sitting, who: Official, league: League | None, args: Mapping[str, Any]) -> Answer:
    assert league is not None
    found = [
        {
            "number": row.id,
            "by": row.by,
            "what": two_keys.worded(sitting, who.language, row),
            "due_ms": row.due_ms,
            "own": two_keys.key_of(sitting, row) == who.key,
        }
        for row in two_keys.waiting(sitting, league)
    ]
    return _page(ProposalsFacts(league=league.name, proposals=found), private=True)


def _audit(sitting: Sitting, who: Official, league: League | None, args: Mapping[str, Any]) -> Answer:
    assert league is not None
    most = min(int(args["number"]) or LOG_USUAL, LOG_MOST)
    scope = log.scope_of(league)
    rows = [
        {
            "no": line.no,
            "at_ms": line.at_ms,
            "by": line.by,
            "via": line.via,
            "what": log.worded(sitting.words, who.language, who.zone, line.act, line.facts),
        }
        for line in log.lines(sitting.tx, scope, most)
    ]
    broken = log.verify(sitting.tx, scope)
    return _page(LogFacts(league=league.name, lines=rows, broken=broken), private=True)


def _page(facts: Facts, *, private: bool = False) -> Answer:
    kind, data = queued(facts)
    return Answer(kind, data, private)


def _of(facts: Callable[..., Facts], *names: str) -> Page:
    """A page of which the words are looked up when its channel is ready (see letters.py)."""

    def page(sitting: Sitting, who: Official, league: League | None, args: Mapping[str, Any]) -> Answer:
        assert league is not None
        chosen = {"season": 0, **{name: args[name] for name in names if name in args}}
        return _page(facts(of=league.id, reader=who.person_id, **chosen))

    return page


def _table(sitting: Sitting, who: Official, league: League | None, args: Mapping[str, Any]) -> Answer:
    assert league is not None
    season = lookup.latest(sitting, league)
    if season is None:
        raise Refusal("league-no-season", league=league.name)
    number = lookup.table_of(sitting, season, int(args["table"])).no
    return _page(TableFacts(of=int(league.id or 0), season=0, table=number))


def _player(sitting: Sitting, who: Official, league: League | None, args: Mapping[str, Any]) -> Answer:
    assert league is not None
    person = meant.person(sitting, league, str(args["name"]))
    return _page(PlayerFacts(of=int(league.id or 0), person=int(person.id or 0)))


PAGES: Mapping[str, Page] = {
    "list": _list,
    "help": _help,
    "show": _show,
    "people": _people,
    "settings": _settings,
    "roles": _roles,
    "proposals": _proposals,
    "audit": _audit,
    "table": _table,
    "player": _player,
    "standings": _of(StandingsFacts, "season", "division"),
    "schedule": _of(ScheduleFacts, "season", "division", "round"),
    "tables": _of(ScheduleFacts, "season", "division", "round"),
    "stats": _of(StatsFacts, "season"),
    "export": _of(ExportFacts, "season", "form", "sheet"),
}
