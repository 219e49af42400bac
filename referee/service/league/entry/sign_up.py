"""Signing up for a season, standing by as an alternate, going out of it again; and what officials do about
it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from referee.ids import ALL_DIVISIONS, DivisionNo, RoundNo
from referee.rules import Refusal
from referee.states import EntryState, SeasonState
from referee.store import Entry, League, Person, Season

from ...core.unit_of_work import UnitOfWork
from ...play import seat_offers
from .. import hooks, lookup
from ..announcements import announce
from ..scores import brackets, penalties, teams
from ..seats import absences
from ..terms import KNOCKOUT, Terms, checked, hundredths, points, read_terms, text_of
from . import entry_conditions, entry_questions, founding, invitations

Facts = dict[str, Any]


def open_season(
    uow: UnitOfWork, league: League, closes_ms: int = 0, starts_ms: int = 0, *, rounds: int = 0
) -> Facts:
    """Open sign-up for a league's next season.

    `closes_ms` 0: until a director says `draw`; `starts_ms` 0: until one says `start`; `rounds` 0: as the
    league has it. Raises Refusal.
    """
    founding.going(league)
    before = lookup.latest(uow, league)
    if before is not None and before.state in lookup.ALIVE:
        raise Refusal("league-goes-on", league=league.name, season=before.no)
    for moment in (closes_ms, starts_ms):
        if moment and moment <= uow.now_ms:
            raise Refusal("league-past", at_ms=moment)
    if closes_ms and starts_ms and starts_ms < closes_ms:
        raise Refusal("league-starts-early", closes_ms=closes_ms, starts_ms=starts_ms)
    terms = read_terms(uow.tx.get(League, league.id) or league)
    if rounds:
        terms = checked(Terms(**{**vars(terms), "rounds": rounds}))
    no = 1 if before is None else before.no + 1
    number = uow.tx.add(
        Season,
        league_id=league.id,
        no=no,
        settings=text_of(checked(terms)),
        seed=lookup.fresh_seed(uow),
        opened_ms=uow.now_ms,
        closes_ms=closes_ms,
        starts_ms=starts_ms,
    )
    hooks.wake_season(uow, number)
    facts: Facts = {
        "league": league.name,
        "season": no,
        "rounds": terms.rounds_known,
        "closes_ms": closes_ms,
        "starts_ms": starts_ms,
    }
    announce(uow, league, "league-opened", facts)
    return facts


class Given(NamedTuple):
    """What somebody brings along who joins: an invitation's code, and answers to the league's questions."""

    code: str = ""
    answers: Sequence[str] = ()


NOTHING = Given()


def join(
    uow: UnitOfWork, season: Season, person: Person, given: Given = NOTHING, *, force: bool = False
) -> Facts:
    """Sign up; when the season has begun, for the rounds that are not open yet.

    `force`: though conditions are not met, nobody invited them and they answered nothing. Raises Refusal.
    """
    season = lookup.fresh(uow, season)
    league, terms = lookup.league_of(uow, season), read_terms(season)
    entry = lookup.entry_of(uow, season, person.id)
    if season.state not in lookup.ALIVE:
        raise Refusal("league-season-over", league=league.name, season=season.no)
    if entry is not None and entry.state in (EntryState.SIGNED, EntryState.PLAYING):
        raise Refusal("league-in-already", league=league.name, name=person.name)
    if entry is not None and entry.state == EntryState.REMOVED and not force:
        raise Refusal("league-removed-before", league=league.name, name=person.name)
    late = season.state != SeasonState.SIGNUP
    if late and not terms.joins and not force:
        raise Refusal("league-joins-closed", league=league.name)
    if season.state == SeasonState.RUNNING and terms.format == KNOCKOUT:
        raise Refusal("league-knockout-on", league=league.name)
    if late and lookup.next_round(uow, season) == 0:
        raise Refusal("league-no-rounds-left", league=league.name)
    answers = [] if force else _conditions(uow, season, terms, person, given, "join")
    first = lookup.next_round(uow, season) if late else RoundNo(1)
    _enter(
        uow,
        season,
        person,
        EntryState.PLAYING if late else EntryState.SIGNED,
        division=lookup.lowest(uow, season) if late else ALL_DIVISIONS,
        from_round=first,
        answers=answers,
    )
    seat_offers.unasked(uow, person.id)  # an alternate who was asked to take a seat over has their own now
    if late:
        announce(
            uow,
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


def alternate(uow: UnitOfWork, season: Season, person: Person, given: Given = NOTHING) -> Facts:
    """Stand by: take over a seat when one is to be had.  Raises Refusal."""
    season = lookup.fresh(uow, season)
    league = lookup.league_of(uow, season)
    entry = lookup.entry_of(uow, season, person.id)
    if season.state not in lookup.ALIVE:
        raise Refusal("league-season-over", league=league.name, season=season.no)
    if entry is not None and entry.state == EntryState.PLAYING:
        raise Refusal("league-plays", league=league.name, name=person.name)
    if entry is not None and entry.state == EntryState.WAITING:
        raise Refusal("league-waits-already", league=league.name, name=person.name)
    if entry is not None and entry.state == EntryState.REMOVED:
        raise Refusal("league-removed-before", league=league.name, name=person.name)
    answers = _conditions(uow, season, read_terms(season), person, given, "alternate")
    _enter(uow, season, person, "waiting", division=ALL_DIVISIONS, from_round=RoundNo(1), answers=answers)
    absences.ask_alternates(uow, season)
    return {"league": league.name, "season": season.no, "name": person.name, "person": person.id}


def leave_season(uow: UnitOfWork, season: Season, person: Person) -> Facts:
    """Go out of a season: before it begins as if one had never signed up, later with what the league says it
    costs. Seats at tables that are played at are offered to alternates; anyone who plays on until one comes
    keeps theirs. Raises Refusal.
    """
    return _out(uow, season, person, EntryState.WITHDRAWN, "")


def admit(uow: UnitOfWork, season: Season, person: Person, force: bool = False) -> Facts:
    """Take somebody in, by an official, which they hear: `force` where conditions are not met, sign-up is
    closed or they were taken out before.
    """
    facts = join(uow, season, person, force=force)
    told = {"season": season.no, "name": person.name, "round": facts["round"]}
    announce(uow, lookup.league_of(uow, season), "league-joined", told, [person.id])
    return facts


def remove(uow: UnitOfWork, season: Season, person: Person, why: str = "") -> Facts:
    """Take somebody out of a season, by an official.  Raises Refusal."""
    return _out(uow, season, person, EntryState.REMOVED, why)


def _out(uow: UnitOfWork, season: Season, person: Person, state: str, why: str) -> Facts:
    season = lookup.fresh(uow, season)
    league, terms = lookup.league_of(uow, season), read_terms(season)
    entry = lookup.entered(uow, season, person)
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
        and not brackets.is_out(uow, season, entry)
        else 0
    )
    uow.tx.set(Entry, entry.id, state=state, note=why[:200] if state == "removed" else "")
    if cost:
        penalties.correct(uow, entry, penalties.Correction(-cost, "left"))
    from_round = lookup.next_round(uow, season) if season.state == SeasonState.RUNNING else 0
    seat_offers.unasked(uow, person.id)
    if season.state == SeasonState.RUNNING:
        absences.release_tables(uow, season, person.id, removed=state == EntryState.REMOVED)
    hooks.wake_season(uow, season.id)
    facts = {"season": season.no, "name": person.name, "round": from_round, "why": why}
    if season.state != SeasonState.SIGNUP and entry.state == EntryState.PLAYING:
        announce(uow, league, "league-removed" if state == "removed" else "league-withdrawn", facts, "rooms")
    if state == EntryState.REMOVED:  # nobody else would tell them, where they have no seat to lose
        announce(uow, league, "league-removed", facts, [person.id])
    return {"league": league.name, "person": person.id, "cost": cost, **facts}


def _conditions(
    uow: UnitOfWork, season: Season, terms: Terms, person: Person, given: Given, act: str
) -> list[tuple[str, str]]:
    """The league's questions with the answers.  Raises Refusal for whatever keeps somebody out."""
    no = entry_conditions.unmet(uow, terms, person)
    league = lookup.league_of(uow, season)
    if no is not None:
        raise Refusal(no[0], **{"id": season.league_id, "league": league.name, **no[1]})
    invitations.let_in(uow, season, terms, person, given.code)
    return entry_questions.asked(league, terms, given.answers, given.code, act)


def _enter(
    uow: UnitOfWork,
    season: Season,
    person: Person,
    state: str,
    *,
    division: DivisionNo,
    from_round: RoundNo,
    answers: Sequence[tuple[str, str]],
) -> None:
    """Write an entry, or renew the one of somebody who comes back: penalties stay, the line of those who
    signed up begins anew.
    """
    values: dict[str, Any] = {
        "state": state,
        "from_round": from_round,
        "note": "",
        "since_ms": uow.now_ms,
    }
    entry = lookup.entry_of(uow, season, person.id)
    if entry is None:
        uow.tx.add(Entry, season_id=season.id, person_id=person.id, division=division, **values)
    else:
        # who comes back to a division that everybody has left plays with the latecomers, not alone
        alone = state == EntryState.PLAYING and not uow.tx.count(
            Entry, season_id=season.id, state=EntryState.PLAYING, division=entry.division
        )
        uow.tx.set(Entry, entry.id, division=division if alone else entry.division or division, **values)
        if season.state == SeasonState.SIGNUP:
            teams.put(uow, entry, "")
    entry_questions.keep_answers(uow, lookup.entered(uow, season, person), answers)
    hooks.wake_season(uow, season.id)
