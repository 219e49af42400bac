"""A season as it stands, read at once: for lists, pages and files, which want to know of hundreds of people
and tables.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from referee.ids import GameId, PersonId, RoundNo, TableId
from referee.states import RoundState, TableState
from referee.store import (
    Entry,
    League,
    Person,
    Season,
    SeasonDivision,
    SeasonRound,
    SeasonTable,
    Seat,
    TableResult,
    Tx,
)
from referee.text import clean

from .. import pausing, same_names
from ..terms import Terms, read_terms

#: the longest name that is shown
NAME_MOST = 60
#: this many numbers are asked for at once
_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class SeasonRows:
    """Rows of a season: `results` by table (its row's number), `names` of everybody in it, `people` of each
    table in seat order (`_people`), `byes` by round.
    """

    league: League
    season: Season
    terms: Terms
    divisions: Sequence[SeasonDivision]
    entries: Sequence[Entry]
    rounds: Sequence[SeasonRound]
    tables: Sequence[SeasonTable]
    results: Mapping[TableId, Sequence[TableResult]]
    people: Mapping[TableId, Sequence[PersonId]]
    names: Mapping[PersonId, str]

    def byes(self) -> dict[RoundNo, list[PersonId]]:
        """Who has none of the tables of a round: round -> persons."""
        return {
            row.no: [PersonId(int(who)) for who in json.loads(row.facts).get("byes", ())]
            for row in self.rounds
        }

    def name(self, person_id: PersonId) -> str:
        """What somebody is called."""
        return self.names.get(person_id, "")


def load_season(tx: Tx, league: League, season: Season) -> SeasonRows:
    """Read it."""
    tables = tx.all(SeasonTable, season_id=season.id, order="no")
    entries = tx.all(Entry, season_id=season.id, order="since_ms,id")
    results: dict[TableId, list[TableResult]] = {}
    for part in parts(
        [
            one.id
            for one in tables
            if one.state not in (TableState.PLANNED, TableState.GATHERING, TableState.PLAYING)
        ]
    ):
        for row in tx.all(TableResult, table_id=part, order="place,id"):
            results.setdefault(row.table_id, []).append(row)
    people = _people(tx, tables)
    known = (
        {one.person_id for one in entries}
        | {who for each in people.values() for who in each}
        | {row.person_id for each in results.values() for row in each}
    )
    names = names_of(tx, known)
    alike = same_names.told_apart(
        (one.person_id, names[one.person_id])
        for one in sorted(entries, key=lambda one: one.id)
        if one.person_id in names
    )
    return SeasonRows(
        league,
        season,
        read_terms(season),
        tx.all(SeasonDivision, season_id=season.id, order="no"),
        entries,
        [_as_expected(season, one) for one in tx.all(SeasonRound, season_id=season.id, order="no")],
        tables,
        results,
        people,
        {**names, **alike},
    )


def _people(tx: Tx, tables: Sequence[SeasonTable]) -> dict[TableId, tuple[PersonId, ...]]:
    """Who was drawn for each table; while it is played, those who took a seat over are there instead."""
    sit: dict[GameId, list[PersonId | None]] = {}
    for part in parts([one.game_id for one in tables if one.game_id and one.state == TableState.PLAYING]):
        for seat in tx.all(Seat, game_id=part, order="game_id,no"):
            sit.setdefault(seat.game_id, []).append(seat.person_id)
    found = {}
    for one in tables:
        drawn = [PersonId(int(who)) for who in json.loads(one.people)]
        now = sit.get(one.game_id, []) if one.game_id else []
        same = len(now) == len(drawn)  # else who sits in whose place is not known
        found[one.id] = tuple(here or was for here, was in zip(now if same else drawn, drawn, strict=True))
    return found


def _as_expected(season: Season, row: SeasonRound) -> SeasonRound:
    """A round with the dates that it will have by the pause that is announced."""
    if row.state == RoundState.CLOSED:
        return row
    starts, ends = pausing.expected(season, row.starts_ms), pausing.expected(season, row.ends_ms)
    if (starts, ends) == (row.starts_ms, row.ends_ms):
        return row
    moved: SeasonRound = row._replace(starts_ms=starts, ends_ms=ends)  # type: ignore[attr-defined]  # a named tuple
    return moved


def names_of(tx: Tx, people: Iterable[PersonId]) -> dict[PersonId, str]:
    """What they are called, in one safe line each."""
    return {
        one.id: clean(one.name, NAME_MOST)
        for part in parts(sorted(people))
        for one in tx.all(Person, id=part)
    }


def parts(numbers: Sequence[int]) -> Iterable[tuple[int, ...]]:
    """The same in pieces that one question of the store can hold."""
    return (tuple(numbers[at : at + _AT_ONCE]) for at in range(0, len(numbers), _AT_ONCE))


def flags_of(row: TableResult) -> dict[str, Any]:
    """What a result says besides place and score."""
    return dict(json.loads(row.flags))
