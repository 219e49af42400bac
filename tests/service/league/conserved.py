"""A law over whole seasons: points are conserved. A table gives what its size gives, however it was decided;
the places of those who left it, and of stand-ins, are nobody's; everybody's points are those, byes and
penalties.
"""

from __future__ import annotations

import json
from fractions import Fraction

from referee.service.league import lookup
from referee.service.league.scores import results
from referee.service.league.terms import read_terms
from referee.store import Entry, SeasonTable, TableResult
from tests.service.league.seasons import do, season, tables
from tests.service.rig import House


def conserved(office: House) -> None:
    """Reckoned anew from the rows of the store, by the places alone."""
    the = season(office)
    worth: dict[int, list[Fraction]] = {}
    for table in tables(office, "over", "ruled"):
        given = given_at(office, table)
        for who, points in given:
            worth.setdefault(who, []).append(points)
    entries = {one.person_id: one for one in office.store.read_now(lambda tx: tx.all(Entry))}
    rows = do(office, lambda one: results.standings(one, the, 1))
    assert {row.person for row in rows} >= set(worth)
    for row in rows:
        own = worth.get(row.person, [])
        mean = sum(own, Fraction()) / len(own) if own else Fraction(0)
        taken = Fraction(entries[row.person].penalty, 100)
        assert row.points == sum(own) + row.byes * mean - taken, row
    total = sum(sum(own) for own in worth.values())
    byes = sum(
        row.byes * sum(worth.get(row.person, []), Fraction()) / max(1, len(worth.get(row.person, [])))
        for row in rows
    )
    assert sum(row.points for row in rows) == total + byes - sum(
        Fraction(one.penalty, 100) for one in entries.values() if one.division
    )


def given_at(office: House, table: SeasonTable) -> list[tuple[int, Fraction]]:
    """Who has how many points from a table; what nobody has of them is that of seats that were left."""
    worth = read_terms(season(office)).table().of(len(lookup.people_of(table)))
    rows = office.store.read_now(lambda tx: tx.all(TableResult, table_id=table.id))
    flags = {row.person_id: json.loads(row.flags) for row in rows}
    there = [row for row in rows if not flags[row.person_id].get("left")]
    places = [row.place for row in there]
    given: list[tuple[int, Fraction]] = []
    free = Fraction(0)
    for row in there:
        same = places.count(row.place)
        mine = sum(worth[row.place - 1 : row.place - 1 + same], Fraction()) / same
        left = bool(flags[row.person_id].get("abandoned"))
        free += mine if left else 0
        given.append((row.person_id, Fraction(0) if left else mine))
    filled = {place for one in places for place in range(one, one + places.count(one))}
    free += sum(points for place, points in enumerate(worth, 1) if place not in filled)
    assert sum(points for _, points in given) + free == sum(worth)
    assert free == 0 or len(there) < len(worth) or any(flags[row.person_id].get("abandoned") for row in there)
    left = [
        row
        for row in rows
        if flags[row.person_id].get("left") and flags[row.person_id].get("why") != "substituted"
    ]
    return given + [(row.person_id, Fraction(0)) for row in left]
