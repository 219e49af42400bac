"""Teams of a season: who is in which (in the facts of their entries), and how teams stand."""

from __future__ import annotations

import json
from typing import Any

from referee import league as sums
from referee.ids import PersonId
from referee.rules import Refusal
from referee.states import EntryState, SeasonState
from referee.store import Entry, Person, Season
from referee.text import clean, squash

from ...core.unit_of_work import UnitOfWork, json_text
from .. import lookup
from ..terms import Terms, read_terms
from . import results
from .season_book import SeasonRows
from .views import points_text

Facts = dict[str, Any]
#: the longest name of a team
NAME_MOST = 40
#: somebody in one of these states has a place in their team
_COUNTED = (EntryState.SIGNED, EntryState.WAITING, EntryState.PLAYING)


def team_of(entry: Entry) -> str:
    """The name of somebody's team, "" for none."""
    return str(json.loads(entry.facts).get("team", ""))


def members(uow: UnitOfWork, season: Season) -> dict[str, list[Entry]]:
    """Every team that somebody is in, its captain (the first who came) first."""
    found: dict[str, list[Entry]] = {}
    for entry in uow.tx.all(Entry, season_id=season.id, order="since_ms,id"):
        if (name := team_of(entry)) and entry.state != EntryState.REFUSED:
            found.setdefault(name, []).append(entry)
    return found


def team_standings(uow: UnitOfWork, book: SeasonRows) -> list[dict[str, Any]]:
    """How teams stand: rank, team, points, wins, people [{person, name}]; [] where there are none."""
    if not book.terms.team:
        return []
    every = members(uow, book.season)
    rows = [
        row
        for no in sorted({one.division for one in book.entries} - {0})
        for row in results.standings(uow, book.season, no)
    ]
    found = sums.team_standings(
        {name: [one.person_id for one in team] for name, team in every.items()}, rows, book.terms.team_best
    )
    return [
        {
            "rank": one.rank,
            "team": one.team,
            "points": points_text(one.points),
            "wins": one.wins,
            "people": [{"person": who, "name": book.name(PersonId(who))} for who in one.people],
        }
        for one in found
    ]


def groups(uow: UnitOfWork, season: Season, terms: Terms) -> tuple[tuple[PersonId, ...], ...]:
    """The people of each team, for the draw."""
    if not terms.team:
        return ()
    return tuple(tuple(one.person_id for one in team) for team in members(uow, season).values())


def choose(uow: UnitOfWork, season: Season, person: Person, name: str) -> Facts:
    """Somebody who has signed up plays for a team ("": for none); who names a new one is its captain.

    Teams are settled when the season is drawn. Raises Refusal.
    """
    season, league = lookup.fresh(uow, season), lookup.league_of(uow, season)
    terms = read_terms(season)
    if not terms.team:
        raise Refusal("league-no-teams", league=league.name)
    if season.state != SeasonState.SIGNUP:
        raise Refusal("league-teams-settled", league=league.name)
    entry = lookup.entered(uow, season, person)
    if entry.state not in (EntryState.SIGNED, EntryState.WAITING):
        raise Refusal("league-not-in", league=league.name, name=person.name)
    every = members(uow, season)
    said = clean(name, NAME_MOST + 1)
    if name and (not squash(said) or len(said) > NAME_MOST):
        raise Refusal("league-team-name", name=said, most=NAME_MOST)
    said = next((one for one in every if squash(one) == squash(said)), said)
    there = [one for one in every.get(said, ()) if one.state in _COUNTED and one.id != entry.id]
    if said and len(there) >= terms.team:
        raise Refusal(
            "league-team-full",
            team=said,
            size=terms.team,
            names=lookup.names_of(uow, [one.person_id for one in there]),
        )
    put(uow, entry, said)
    return {
        "league": league.name,
        "season": season.no,
        "name": person.name,
        "person": person.id,
        "team": said,
        "size": terms.team,
        "names": lookup.names_of(uow, [one.person_id for one in there]),
    }


def dismiss(uow: UnitOfWork, season: Season, captain: Person, person: Person) -> Facts:
    """A captain takes somebody out of the team, until the season is drawn.  Raises Refusal."""
    season, league = lookup.fresh(uow, season), lookup.league_of(uow, season)
    if season.state != SeasonState.SIGNUP:
        raise Refusal("league-teams-settled", league=league.name)
    mine = next(
        ((team, each) for team, each in members(uow, season).items() if leads(each, captain.id)), None
    )
    entry = None if mine is None else next((one for one in mine[1] if one.person_id == person.id), None)
    if mine is None or entry is None or person.id == captain.id:
        raise Refusal("league-not-captain", league=league.name, name=person.name)
    put(uow, entry, "")
    return {
        "league": league.name,
        "season": season.no,
        "name": person.name,
        "person": person.id,
        "team": mine[0],
        "dismissed": True,
    }


def captain(uow: UnitOfWork, season: Season, name: str) -> PersonId | None:
    """Who leads a team, None where nobody is in it."""
    team = members(uow, season).get(name, [])
    return next((one.person_id for one in team if leads(team, one.person_id)), None)


def leads(team: list[Entry], who: PersonId | None) -> bool:
    """Whether somebody is the captain of a team: the first who came, of those who are still there."""
    return next((one.person_id == who for one in team if one.state in _COUNTED), False)


def put(uow: UnitOfWork, entry: Entry, name: str) -> None:
    """Write down somebody's team."""
    facts = {key: value for key, value in json.loads(entry.facts).items() if key != "team"}
    uow.tx.set(Entry, entry.id, facts=json_text({**facts, "team": name} if name else facts))
