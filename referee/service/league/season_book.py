"""A season as it stands, read at once: for lists, pages and files, which want to know of hundreds of people
and tables.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from referee.states import TableState
from referee.store import (
    Entry,
    League,
    Person,
    Season,
    SeasonDivision,
    SeasonRound,
    SeasonTable,
    TableResult,
    Tx,
)
from referee.text import clean

from .terms import Terms, read

#: the longest name that is shown
NAME_MOST = 60
#: so many numbers are asked for at once
_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Book:
    """Rows of a season: `results` by table (its row's number), `names` of everybody in it, `people` of each
    table in seat order, `byes` by round.
    """

    league: League
    season: Season
    terms: Terms
    divisions: Sequence[SeasonDivision]
    entries: Sequence[Entry]
    rounds: Sequence[SeasonRound]
    tables: Sequence[SeasonTable]
    results: Mapping[int, Sequence[TableResult]]
    people: Mapping[int, Sequence[int]]
    names: Mapping[int, str]

    def byes(self) -> dict[int, list[int]]:
        """Who has none of the tables of a round: round -> persons."""
        return {row.no: [int(who) for who in json.loads(row.facts).get("byes", ())] for row in self.rounds}

    def name(self, person_id: int) -> str:
        """What somebody is called."""
        return self.names.get(person_id, "")


def opened(tx: Tx, league: League, season: Season) -> Book:
    """Read it."""
    tables = tx.all(SeasonTable, season_id=season.id, order="no")
    entries = tx.all(Entry, season_id=season.id, order="since_ms,id")
    results: dict[int, list[TableResult]] = {}
    for part in parts(
        [
            int(one.id or 0)
            for one in tables
            if one.state not in (TableState.PLANNED, TableState.GATHERING, TableState.PLAYING)
        ]
    ):
        for row in tx.all(TableResult, table_id=part, order="place,id"):
            results.setdefault(row.table_id, []).append(row)
    people = {int(one.id or 0): tuple(int(who) for who in json.loads(one.people)) for one in tables}
    known = (
        {one.person_id for one in entries}
        | {who for each in people.values() for who in each}
        | {row.person_id for each in results.values() for row in each}
    )
    return Book(
        league,
        season,
        read(season),
        tx.all(SeasonDivision, season_id=season.id, order="no"),
        entries,
        tx.all(SeasonRound, season_id=season.id, order="no"),
        tables,
        results,
        people,
        named(tx, known),
    )


def named(tx: Tx, people: Iterable[int]) -> dict[int, str]:
    """What they are called, in one safe line each."""
    return {
        int(one.id or 0): clean(one.name, NAME_MOST)
        for part in parts(sorted(people))
        for one in tx.all(Person, id=part)
    }


def parts(numbers: Sequence[int]) -> Iterable[tuple[int, ...]]:
    """The same in pieces that one question of the store can hold."""
    return (tuple(numbers[at : at + _AT_ONCE]) for at in range(0, len(numbers), _AT_ONCE))


def flags_of(row: TableResult) -> dict[str, Any]:
    """What a result says besides place and score."""
    return dict(json.loads(row.flags))
