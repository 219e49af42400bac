"""Seasons whose rounds are drawn when they are due: Swiss and knock-out.

`due_round` says what is to be drawn once the round before is closed; it is worked out beside everything else
(see draw.py), and `save_round` writes it down if nothing has changed meanwhile. A round is opened only while
what it was drawn from still holds (`drawn` in its facts): otherwise it is drawn anew.
"""

from __future__ import annotations

import hashlib
from typing import Any

from referee.ids import DivisionNo, PersonId, RoundNo
from referee.league.lots import Drawn, Lots
from referee.states import EntryState, RoundState, TableState
from referee.store import Season, SeasonRound, SeasonTable

from ...core.unit_of_work import UnitOfWork, json_text
from .. import lookup
from ..announcements import announce
from ..scores import brackets, results, teams
from ..terms import BALANCED, KNOCKOUT, SWISS, Terms, read_terms
from . import draw

#: the people of a division, by its number
Groups = list[tuple[DivisionNo, tuple[PersonId, ...]]]


def due_round(uow: UnitOfWork, season: Season, terms: Terms) -> Lots | None:
    """What is to be drawn for the round that begins now, if it is not drawn yet."""
    row = _next(uow, season) if terms.format != BALANCED else None
    if row is None or row.no == 1 or row.starts_ms > uow.now_ms:
        return None
    lots = _lots(uow, season, terms, row)
    return None if lookup.facts_of(row).get("drawn") == lots.mark else lots


def save_round(uow: UnitOfWork, season: Season, drawn: Drawn | None, mark: str) -> bool:
    """Write a round down; False where something has changed meanwhile, so that it must be drawn anew.

    `drawn`: None where it can't be seated, then nobody has a table in it.
    """
    season = lookup.fresh(uow, season)
    terms, row = read_terms(season), _next(uow, season)
    if row is None or _lots(uow, season, terms, row).mark != mark:
        return False
    groups = _groups(uow, season, terms, row)
    seated = [no for no, group in groups if len(group) >= terms.least]
    plans = [] if drawn is None else list(zip(seated, drawn.plans, strict=True))
    tables = [(no, table) for no, plan in plans for table in plan.rounds[0].tables]
    there = {PersonId(who) for _, table in tables for who in table.people}
    byes = sorted(who for _, group in groups for who in group if who not in there)
    uow.tx.drop(SeasonTable, season_id=season.id, round=row.no, state=TableState.PLANNED)
    last = max(uow.tx.column(SeasonTable, "no", season_id=season.id), default=0)
    uow.tx.add_all(SeasonTable, draw.planned(season, row.no, tables, last))
    facts: dict[str, Any] = {**lookup.facts_of(row), "byes": byes, "drawn": mark}
    if terms.format == KNOCKOUT:
        facts["out"] = _tell_out(uow, season, row, {*there, *byes})
    uow.tx.set(SeasonRound, row.id, facts=json_text(facts))
    return True


def fit(uow: UnitOfWork, season: Season, terms: Terms, closed: SeasonRound) -> None:
    """A round of a knock-out is closed: as many rounds follow as those who go on need, which may be more or
    fewer than were planned where people came or went.
    """
    if terms.format != KNOCKOUT:
        return
    needed = max(
        (brackets.rounds_of(terms, len(group)) for _, group in _survivors(uow, season, terms, closed)),
        default=0,
    )
    planned = [one for one in lookup.rounds(uow, season) if one.state == RoundState.PLANNED]
    for one in planned[needed:]:
        uow.tx.drop(SeasonTable, season_id=season.id, round=one.no)
        uow.tx.drop(SeasonRound, id=one.id)
    last = (planned or [closed])[-1]
    length = last.ends_ms - last.starts_ms
    for number in range(1, needed - len(planned) + 1):
        uow.tx.add(
            SeasonRound,
            season_id=season.id,
            no=last.no + number,
            starts_ms=last.ends_ms + (number - 1) * length,
            ends_ms=last.ends_ms + number * length,
        )


def _next(uow: UnitOfWork, season: Season) -> SeasonRound | None:
    """The round that is to be drawn next: all before it are closed."""
    every = lookup.rounds(uow, season)
    if any(one.state == RoundState.OPEN for one in every):
        return None
    return next((one for one in every if one.state == RoundState.PLANNED), None)


def _groups(uow: UnitOfWork, season: Season, terms: Terms, row: SeasonRound) -> Groups:
    """Who plays in a round, by divisions."""
    if terms.format == KNOCKOUT:
        before = lookup.round_of(uow, season, RoundNo(row.no - 1))
        return _survivors(uow, season, terms, before)
    granted = lookup.facts_of(row).get("granted", ())
    playing = [one for one in lookup.entries(uow, season, EntryState.PLAYING) if one.from_round <= row.no]
    return [
        (
            no,
            tuple(
                sorted(
                    one.person_id for one in playing if one.division == no and one.person_id not in granted
                )
            ),
        )
        for no in sorted({one.division for one in playing})
    ]


def _survivors(uow: UnitOfWork, season: Season, terms: Terms, after: SeasonRound) -> Groups:
    divisions = sorted({one.division for one in lookup.entries(uow, season, EntryState.PLAYING)})
    found = []
    for no in divisions:
        order = [row.person for row in results.standings(uow, season, no, after.no)]
        found.append((no, brackets.going_on(uow, season, terms, no, after, order)))
    return found


def _lots(uow: UnitOfWork, season: Season, terms: Terms, row: SeasonRound) -> Lots:
    """What the draw of one round needs; its mark changes with whatever it is drawn from."""
    everybody = _groups(uow, season, terms, row)
    groups = [(no, group) for no, group in everybody if len(group) >= terms.least]
    points: dict[int, float] = {
        one.person: float(one.points)
        for no, group in groups
        if terms.format == SWISS
        for one in results.standings(uow, season, no, RoundNo(row.no - 1))
        if one.person in group  # who has changed divisions stands in both
    }
    told = f"{season.seed} {season.settings} {row.no} {everybody} {sorted(points.items())}"
    return Lots(
        tuple(who for _, group in groups for who in group),
        tuple(group for _, group in groups),
        rounds=1,
        least=terms.least,
        most=terms.most,
        wanted=terms.wanted,
        seed=f"{season.seed} round {row.no}",
        past=tuple(draw.past(uow, season, no, row.no) for no, _ in groups),
        like=terms.format == SWISS,
        points=points,
        teams=teams.groups(uow, season, terms),
        mark=hashlib.sha256(told.encode()).hexdigest(),
    )


def _tell_out(uow: UnitOfWork, season: Season, row: SeasonRound, there: set[PersonId]) -> list[PersonId]:
    """Everybody who was in the round before and is not in this one hears so, once; all who heard it."""
    before = lookup.round_of(uow, season, RoundNo(row.no - 1))
    known = set(lookup.facts_of(row).get("out", ()))
    was = {who for table in lookup.tables(uow, season, before.no) for who in brackets.places_at(uow, table)}
    playing = {one.person_id for one in lookup.entries(uow, season, EntryState.PLAYING)}
    out = sorted((was & playing) - there - known)
    if out:
        announce(
            uow,
            lookup.league_of(uow, season),
            "league-out",
            {"season": season.no, "round": before.no, "advance": read_terms(season).advance},
            out,
        )
    return sorted({*known, *out})
