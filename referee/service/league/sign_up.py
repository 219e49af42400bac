"""Signing up for a season, standing by as an alternate, going out of it again; and what officials do about
it.
"""

from __future__ import annotations

from typing import Any

from referee.rules import Refusal
from referee.states import EntryState, SeasonState
from referee.store import Entry, League, Person, Season

from ..core.unit_of_work import Sitting
from ..play import seat_offers
from . import absences, entry_conditions, founding, hooks, lookup
from .announcements import announce
from .terms import Terms, checked, hundredths, points, read, text_of

Facts = dict[str, Any]


def open_season(
    sitting: Sitting, league: League, closes_ms: int = 0, starts_ms: int = 0, *, rounds: int = 0
) -> Facts:
    """Open sign-up for a league's next season.

    `closes_ms` 0: until a director says `draw`; `starts_ms` 0: until one says `start`; `rounds` 0: as the
    league has it. Raises Refusal.
    """
    founding.going(league)
    before = lookup.latest(sitting, league)
    if before is not None and before.state in lookup.ALIVE:
        raise Refusal("league-goes-on", league=league.name, season=before.no)
    for moment in (closes_ms, starts_ms):
        if moment and moment <= sitting.now_ms:
            raise Refusal("league-past", at_ms=moment)
    if closes_ms and starts_ms and starts_ms < closes_ms:
        raise Refusal("league-starts-early", closes_ms=closes_ms, starts_ms=starts_ms)
    terms = read(sitting.tx.get(League, league.id) or league)
    if rounds:
        terms = checked(Terms(**{**vars(terms), "rounds": rounds}))
    no = 1 if before is None else before.no + 1
    number = sitting.tx.add(
        Season,
        league_id=league.id,
        no=no,
        settings=text_of(checked(terms)),
        seed=lookup.fresh_seed(sitting),
        opened_ms=sitting.now_ms,
        closes_ms=closes_ms,
        starts_ms=starts_ms,
    )
    hooks.due(sitting, number)
    facts: Facts = {
        "league": league.name,
        "season": no,
        "rounds": terms.rounds,
        "closes_ms": closes_ms,
        "starts_ms": starts_ms,
    }
    announce(sitting, league, "league-opened", facts)
    return facts


def join(sitting: Sitting, season: Season, person: Person, *, force: bool = False) -> Facts:
    """Sign up; when the season has begun, for the rounds that are not open yet.

    `force`: though conditions are not met. Raises Refusal.
    """
    season = lookup.fresh(sitting, season)
    league, terms = lookup.league_of(sitting, season), read(season)
    entry = lookup.entry_of(sitting, season, person.id)
    if season.state not in lookup.ALIVE:
        raise Refusal("league-season-over", league=league.name, season=season.no)
    if entry is not None and entry.state in (EntryState.SIGNED, EntryState.PLAYING):
        raise Refusal("league-in-already", league=league.name, name=person.name)
    if entry is not None and entry.state == EntryState.REMOVED and not force:
        raise Refusal("league-removed-before", league=league.name, name=person.name)
    late = season.state != SeasonState.SIGNUP
    if late and not terms.joins and not force:
        raise Refusal("league-joins-closed", league=league.name)
    if late and lookup.next_round(sitting, season) == 0:
        raise Refusal("league-no-rounds-left", league=league.name)
    if not force:
        _conditions(sitting, season, terms, person)
    first = lookup.next_round(sitting, season) if late else 1
    _enter(
        sitting,
        season,
        person,
        EntryState.PLAYING if late else EntryState.SIGNED,
        division=lookup.lowest(sitting, season) if late else 0,
        from_round=first,
    )
    if late:
        announce(
            sitting,
            league,
            "league-joined",
            {"season": season.no, "name": person.name, "round": first},
            "rooms",
        )
    return {
        "league": league.name,
        "season": season.no,
        "name": person.name,
        "person": person.id,
        "round": first,
        "late": late,
    }


def alternate(sitting: Sitting, season: Season, person: Person) -> Facts:
    """Stand by: take over a seat when one is to be had.  Raises Refusal."""
    season = lookup.fresh(sitting, season)
    league = lookup.league_of(sitting, season)
    entry = lookup.entry_of(sitting, season, person.id)
    if season.state not in lookup.ALIVE:
        raise Refusal("league-season-over", league=league.name, season=season.no)
    if entry is not None and entry.state == EntryState.PLAYING:
        raise Refusal("league-plays", league=league.name, name=person.name)
    if entry is not None and entry.state == EntryState.WAITING:
        raise Refusal("league-waits-already", league=league.name, name=person.name)
    if entry is not None and entry.state == EntryState.REMOVED:
        raise Refusal("league-removed-before", league=league.name, name=person.name)
    _conditions(sitting, season, read(season), person)
    _enter(sitting, season, person, "waiting", division=0, from_round=1)
    absences.ask_alternates(sitting, season)
    return {"league": league.name, "season": season.no, "name": person.name, "person": person.id}


def leave(sitting: Sitting, season: Season, person: Person) -> Facts:
    """Go out of a season: before it begins as if one had never signed up, later with what the league says it
    costs. Seats at tables that are played at are offered to alternates; whoever plays on until one comes
    keeps theirs. Raises Refusal.
    """
    return _out(sitting, season, person, EntryState.WITHDRAWN, "")


def admit(sitting: Sitting, season: Season, person: Person, force: bool = False) -> Facts:
    """Take somebody in, by an official: `force` where conditions are not met, sign-up is closed or they were
    taken out before.
    """
    return join(sitting, season, person, force=force)


def remove(sitting: Sitting, season: Season, person: Person, why: str = "") -> Facts:
    """Take somebody out of a season, by an official.  Raises Refusal."""
    return _out(sitting, season, person, EntryState.REMOVED, why)


def _out(sitting: Sitting, season: Season, person: Person, state: str, why: str) -> Facts:
    season = lookup.fresh(sitting, season)
    league, terms = lookup.league_of(sitting, season), read(season)
    entry = lookup.entered(sitting, season, person)
    if season.state not in lookup.ALIVE:
        raise Refusal("league-season-over", league=league.name, season=season.no)
    if entry.state in (EntryState.WITHDRAWN, EntryState.REMOVED) and (
        state != "removed" or entry.state == EntryState.REMOVED
    ):
        raise Refusal("league-out-already", league=league.name, name=person.name)
    cost = (
        hundredths(points(terms.withdrawal, "withdrawal"))
        if season.state == SeasonState.RUNNING
        and entry.state == EntryState.PLAYING
        and state == EntryState.WITHDRAWN
        else 0
    )
    sitting.tx.set(
        Entry,
        entry.id,
        state=state,
        note=why[:200] if state == "removed" else "",
        penalty=entry.penalty + cost,
    )
    from_round = lookup.next_round(sitting, season) if season.state == SeasonState.RUNNING else 0
    seat_offers.unasked(sitting, person.id)
    if season.state == SeasonState.RUNNING:
        absences.gone(sitting, season, int(person.id or 0))
    hooks.due(sitting, season.id)
    facts = {"season": season.no, "name": person.name, "round": from_round, "why": why}
    if season.state != SeasonState.SIGNUP and entry.state == EntryState.PLAYING:
        announce(
            sitting, league, "league-removed" if state == "removed" else "league-withdrawn", facts, "rooms"
        )
    return {"league": league.name, "person": person.id, "cost": cost, **facts}


def _conditions(sitting: Sitting, season: Season, terms: Terms, person: Person) -> None:
    no = entry_conditions.unmet(sitting, terms, person)
    if no is not None:
        raise Refusal(
            no[0], **{"id": season.league_id, "league": lookup.league_of(sitting, season).name, **no[1]}
        )


def _enter(
    sitting: Sitting, season: Season, person: Person, state: str, *, division: int, from_round: int
) -> None:
    """Write an entry, or renew the one of somebody who comes back: penalties stay, the line of those who
    signed up begins anew.
    """
    entry = lookup.entry_of(sitting, season, person.id)
    values: dict[str, Any] = {
        "state": state,
        "from_round": from_round,
        "note": "",
        "since_ms": sitting.now_ms,
    }
    if entry is None:
        sitting.tx.add(Entry, season_id=season.id, person_id=person.id, division=division, **values)
    else:
        sitting.tx.set(Entry, entry.id, division=entry.division or division, **values)
    hooks.due(sitting, season.id)
