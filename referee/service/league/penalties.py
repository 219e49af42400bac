"""What leaving a table costs, and points that officials take."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from referee import league as sums
from referee.ids import PersonId
from referee.rules import Refusal
from referee.states import EntryState
from referee.store import Entry, Person, Season

from ..core.unit_of_work import UnitOfWork
from . import lookup
from .announcements import announce
from .terms import hundredths, points, read_terms

Facts = dict[str, Any]


def abandoned(uow: UnitOfWork, season: Season, person_id: PersonId, why: str) -> None:
    """Somebody left a table to others (replaced, kicked, or never there): it costs them points, and after as
    many tables as the league says they are out of the season. They may sign up again where latecomers may.
    """
    entry = lookup.entry_of(uow, season, person_id)
    if entry is None:
        return
    terms = read_terms(season)
    before = lookup.mind(lookup.fresh(uow, season)).get("strikes", {})
    count = int(before.get(str(person_id), 0)) + 1
    lookup.keep(uow, season, strikes={**before, str(person_id): count})
    out = entry.state == EntryState.PLAYING and count >= terms.strikes
    cost = hundredths(points(terms.abandonment, "abandonment"))
    uow.tx.set(
        Entry,
        entry.id,
        penalty=entry.penalty + cost,
        note="abandoned",
        **({"state": EntryState.WITHDRAWN} if out else {}),
    )
    league = lookup.league_of(uow, season)
    if cost:
        announce(
            uow,
            league,
            "league-penalty",
            {"name": lookup.name_of(uow, person_id), "points": points_text(cost), "cause": why},
            [person_id],
        )
    if out:
        announce(
            uow,
            league,
            "league-removed",
            {
                "season": season.no,
                "name": lookup.name_of(uow, person_id),
                "cause": why,
                "back": terms.joins and bool(lookup.next_round(uow, season)),
            },
            [person_id],
        )


def penalty(uow: UnitOfWork, season: Season, person: Person, worth: str, why: str = "") -> Facts:
    """Take points from somebody; with a minus before them they get some back.  Raises Refusal."""
    season = lookup.fresh(uow, season)
    entry = lookup.entered(uow, season, person)
    back = worth.strip().startswith(("-", "−"))
    taken = hundredths(points(worth.strip().lstrip("-−+"), "penalty"))
    if not taken:
        raise Refusal("league-points", key="penalty", value=worth[:40])
    now = entry.penalty + (-taken if back else taken)
    uow.tx.set(Entry, entry.id, penalty=now)
    facts: Facts = {
        "season": season.no,
        "name": person.name,
        "points": ("-" if back else "") + points_text(taken),
        "why": why[:200],
    }
    league = lookup.league_of(uow, season)
    announce(uow, league, "league-penalty", facts, [person.id])
    return {"league": league.name, "person": person.id, "total": points_text(now), **facts}


def points_text(worth: int) -> str:
    """Hundredths of points, as people write them."""
    return sums.shown(Fraction(worth, 100))
