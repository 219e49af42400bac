"""What leaving a table costs, and points that officials take, give back, and give."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any, NamedTuple

from referee import league as sums
from referee.ids import PersonId
from referee.rules import Refusal
from referee.states import EntryState
from referee.store import Entry, Person, Season
from referee.text import clean

from ...core.unit_of_work import UnitOfWork, json_text
from .. import lookup
from ..announcements import announce
from ..terms import hundredths, points, read_terms

Facts = dict[str, Any]
#: the longest reason
WHY_MOST = 200
#: what a correction is where it is none of the causes for which the office takes points by itself
TAKEN, BACK, BONUS = "taken", "back", "bonus"


class Correction(NamedTuple):
    """Points given to somebody (taken, where negative), in hundredths: what kind of correction that is, or
    why the office did so by itself (`left`, `no show` …), and the reason that an official gave.
    """

    points: int
    kind: str
    why: str = ""


def abandoned(uow: UnitOfWork, season: Season, person_id: PersonId, why: str) -> None:
    """Somebody left a table to others (replaced, kicked, or never there): it costs them points, and after as
    many tables as the league says they are out of the season. They may sign up again where latecomers may.
    """
    entry = lookup.entry_of(uow, season, person_id)
    if entry is None:
        return
    terms = read_terms(season)
    mind = lookup.mind(lookup.fresh(uow, season))
    before = mind.get("strikes", {})
    count = int(before.get(str(person_id), 0)) + 1
    out = entry.state == EntryState.PLAYING and count >= terms.strikes
    # their other tables are seen to in a step of the season's own (`absences.released`)
    struck = [*mind.get("struck", ()), person_id] if out else mind.get("struck")
    lookup.keep(uow, season, strikes={**before, str(person_id): count}, struck=struck)
    cost = hundredths(points(terms.abandonment, "abandonment"))
    uow.tx.set(Entry, entry.id, note="abandoned", **({"state": EntryState.WITHDRAWN} if out else {}))
    league = lookup.league_of(uow, season)
    if cost:
        correct(uow, entry, Correction(-cost, why))
        facts = {"season": season.no, "name": lookup.name_of(uow, person_id), "person": person_id}
        announce(
            uow, league, "league-penalty", {**facts, "points": points_text(cost), "cause": why}, [person_id]
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
    """Take points from somebody; with a minus before them they get some back, at most what was taken from
    them in this season. Raises Refusal.
    """
    season = lookup.fresh(uow, season)
    entry = lookup.entered(uow, season, person)
    back = worth.strip().startswith(("-", "−"))
    taken = _worth(worth.strip().lstrip("-−+"), "penalty")
    if back and taken > owed(entry):
        raise Refusal(
            "league-penalty-back",
            league=lookup.league_of(uow, season).name,
            name=person.name,
            most=points_text(owed(entry)),
            points=points_text(taken),
        )
    one = Correction(taken if back else -taken, BACK if back else TAKEN, clean(why, WHY_MOST))
    return _announced(uow, season, person, entry, one, "league-penalty", [person.id])


def bonus(uow: UnitOfWork, season: Season, person: Person, worth: str, why: str) -> Facts:
    """Give somebody points that nobody took from them.  Everybody in their division hears of it, and why.

    Raises Refusal.
    """
    season = lookup.fresh(uow, season)
    entry = lookup.entered(uow, season, person)
    one = Correction(_worth(worth, "bonus"), BONUS, clean(why, WHY_MOST))
    to = f"division {entry.division}" if entry.division else "all"
    return _announced(uow, season, person, entry, one, "league-bonus", to)


def _announced(
    uow: UnitOfWork,
    season: Season,
    person: Person,
    entry: Entry,
    one: Correction,
    code: str,
    to: str | list[PersonId],
) -> Facts:
    now = correct(uow, entry, one)
    sign = "-" if one.kind == BACK else ""
    facts: Facts = {
        "season": season.no,
        "name": person.name,
        "points": sign + points_text(abs(one.points)),
        "why": one.why,
    }
    league = lookup.league_of(uow, season)
    announce(uow, league, code, facts, to)
    return {"league": league.name, "person": person.id, "total": points_text(now.penalty), **facts}


def _worth(said: str, key: str) -> int:
    found = hundredths(points(said, key))
    if not found:
        raise Refusal("league-points", key=key, value=said[:40])
    return found


def correct(uow: UnitOfWork, entry: Entry, one: Correction) -> Entry:
    """Somebody's points are corrected: the only place where that is written."""
    facts = json.loads(entry.facts)
    facts["points"] = [*facts.get("points", ()), list(one)]
    return uow.tx.renew(Entry, entry, penalty=entry.penalty - one.points, facts=json_text(facts))


def corrections(entry: Entry) -> list[Correction]:
    """What was taken from somebody's points and given to them in a season, in order; first, without a reason,
    what came before reasons were kept.
    """
    kept = [Correction(int(worth), str(kind), str(why)) for worth, kind, why in _kept(entry)]
    before = -entry.penalty - sum(one.points for one in kept)
    return [Correction(before, TAKEN if before < 0 else BONUS), *kept] if before else kept


def _kept(entry: Entry) -> list[tuple[int, str, str]]:
    return list(json.loads(entry.facts).get("points", ()))


def owed(entry: Entry) -> int:
    """How much may be given back: what was taken, less what was given back, in hundredths."""
    return -sum(one.points for one in corrections(entry) if one.kind != BONUS)


def points_text(worth: int) -> str:
    """Hundredths of points, as people write them."""
    return ("-" if worth < 0 else "") + sums.shown(Fraction(abs(worth), 100))
