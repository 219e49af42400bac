"""What leaving a table costs, and points that officials take."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from referee import league as sums
from referee.rules import Refusal
from referee.states import EntryState
from referee.store import Entry, Person, Season

from ..core.unit_of_work import Sitting
from . import lookup
from .announcements import announce
from .terms import hundredths, points, read

Facts = dict[str, Any]


def abandoned(sitting: Sitting, season: Season, person_id: int, why: str) -> None:
    """Somebody left a table to others (replaced, kicked, or never there): it costs them points, and after so
    many tables as the league says they are out of the season. They may sign up again where latecomers may.
    """
    entry = lookup.entry_of(sitting, season, person_id)
    if entry is None:
        return
    terms = read(season)
    before = lookup.mind(lookup.fresh(sitting, season)).get("strikes", {})
    count = int(before.get(str(person_id), 0)) + 1
    lookup.keep(sitting, season, strikes={**before, str(person_id): count})
    out = entry.state == EntryState.PLAYING and count >= terms.strikes
    cost = hundredths(points(terms.abandonment, "abandonment"))
    sitting.tx.set(
        Entry,
        entry.id,
        penalty=entry.penalty + cost,
        note="abandoned",
        **({"state": EntryState.WITHDRAWN} if out else {}),
    )
    league = lookup.league_of(sitting, season)
    if cost:
        announce(
            sitting,
            league,
            "league-penalty",
            {"name": lookup.name_of(sitting, person_id), "points": shown(cost), "cause": why},
            [person_id],
        )
    if out:
        announce(
            sitting,
            league,
            "league-removed",
            {
                "season": season.no,
                "name": lookup.name_of(sitting, person_id),
                "cause": why,
                "back": terms.joins and bool(lookup.next_round(sitting, season)),
            },
            [person_id],
        )


def penalty(sitting: Sitting, season: Season, person: Person, worth: str, why: str = "") -> Facts:
    """Take points from somebody; with a minus before them they get some back.  Raises Refusal."""
    season = lookup.fresh(sitting, season)
    entry = lookup.entered(sitting, season, person)
    back = worth.strip().startswith(("-", "−"))
    taken = hundredths(points(worth.strip().lstrip("-−+"), "penalty"))
    if not taken:
        raise Refusal("league-points", key="penalty", value=worth[:40])
    now = entry.penalty + (-taken if back else taken)
    sitting.tx.set(Entry, entry.id, penalty=now)
    facts: Facts = {
        "season": season.no,
        "name": person.name,
        "points": ("-" if back else "") + shown(taken),
        "why": why[:200],
    }
    league = lookup.league_of(sitting, season)
    announce(sitting, league, "league-penalty", facts, [int(person.id or 0)])
    return {"league": league.name, "person": person.id, "total": shown(now), **facts}


def shown(worth: int) -> str:
    """Hundredths of points, as people write them."""
    return sums.shown(Fraction(worth, 100))
