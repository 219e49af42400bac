"""What came of a simulated season."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from fractions import Fraction
from itertools import combinations
from statistics import median
from typing import NamedTuple

from referee.ids import ALL_ROUNDS, TableNo
from referee.service.core.unit_of_work import UnitOfWork
from referee.service.league import log, lookup
from referee.service.league.scores import results
from referee.states import TableState
from referee.store import Entry, Game, OfficeLog, Season, TableResult

from .league_spread import Spread, spreads
from .league_trial import LeagueTrial
from .people import DAY_MS

#: states of a table that is decided
DECIDED = (TableState.OVER, TableState.RULED, TableState.VOID, TableState.REPLAYED)

#: what people say to the office of themselves, which is written down too
_OWN = frozenset({"join", "alternate", "leave"})


class TableRow(NamedTuple):
    """One table of the season.

    `state`: over, ruled, void or replayed; `days` from its round's start to its decision; `took_over`: people
    who took a seat over, `left`: people who lost theirs, `empty`: seats that nobody held at the end.
    """

    round: int
    table: TableNo
    division: int
    state: str
    people: int
    days: float
    took_over: int
    left: int
    empty: int


class StandingsLine(NamedTuple):
    """One line of the standings: `taken` are penalties, `tables` how many were counted."""

    division: int
    rank: int
    name: str
    points: Fraction
    wins: int
    tables: int
    taken: Fraction


class LeagueRow(NamedTuple):
    """The season.

    `days` from the first round's start to the end; `gone`: people who vanished; `repeats` and `bound` of the
    draw, `again`: the repeats of those who really sat together, after all changes; `acts`: what anybody did
    in office after sign-up had opened; `typed` messages, `letters` and `refused` of all people; `penalties`:
    points taken in all; `round_days`: how long a round was; `spread` of the tables, and of `random` ones.
    """

    days: float
    gone: int
    acts: int
    typed: int
    letters: int
    refused: int
    round_days: int
    repeats: int
    bound: int
    again: int
    penalties: Fraction
    spread: Spread
    random: Spread
    tables: tuple[TableRow, ...]
    standings: tuple[StandingsLine, ...]

    def counted(self) -> Counter[str]:
        """How many tables are in which state."""
        return Counter(row.state for row in self.tables)

    def by_round(self) -> list[tuple[int, int, float, float]]:
        """For each round: its number, its tables, days of the middle one and of the last."""
        numbers = sorted({row.round for row in self.tables})
        days = {number: [row.days for row in self.tables if row.round == number] for number in numbers}
        return [(number, len(days[number]), median(days[number]), max(days[number])) for number in numbers]


def accounted(uow: UnitOfWork, season: Season, acts_before: int, **counts: int) -> LeagueRow:
    """The account of a season that is over."""
    tx = uow.tx
    starts = {row.no: row.starts_ms for row in lookup.rounds(uow, season)}
    rows: list[TableRow] = []
    for table in lookup.tables(uow, season):
        flags = [json.loads(row.flags) for row in tx.all(TableResult, table_id=table.id)]
        game = None if table.game_id is None else tx.get(Game, table.game_id)
        seats = [] if game is None else uow.seats(game.id)
        rows.append(
            TableRow(
                table.round,
                table.no,
                table.division,
                table.state,
                len(seats),
                max(0, table.ended_ms - starts[table.round]) / DAY_MS,
                sum(bool(one.get("took_over")) for one in flags),
                sum(bool(one.get("left")) for one in flags),
                sum(bool(one.get("abandoned")) and not one.get("left") for one in flags),
            )
        )
    divisions = sorted({*tx.column(Entry, "division", season_id=season.id)} - {0})
    lines = tuple(
        StandingsLine(
            number,
            row.rank,
            lookup.name_of(uow, row.person),
            row.points,
            row.wins,
            row.played,
            row.penalty,
        )
        for number in divisions
        for row in results.standings(uow, season, number)
    )
    met = Counter(
        pair
        for table in lookup.tables(uow, season, ALL_ROUNDS, TableState.OVER, TableState.RULED)
        for pair in combinations(sorted(lookup.people_of(table)), 2)
    )
    drawn = lookup.mind(season).get("divisions", [])
    spread, random = spreads(uow, season)
    return LeagueRow(
        days=(season.ended_ms - min(starts.values())) / DAY_MS,
        acts=sum(act not in log.BY_ITSELF | _OWN for act in tx.column(OfficeLog, "act", order="id"))
        - acts_before,
        repeats=sum(one["repeats"] for one in drawn),
        bound=sum(one["bound"] for one in drawn),
        again=sum(count * (count - 1) // 2 for count in met.values()),
        penalties=Fraction(sum(tx.column(Entry, "penalty", season_id=season.id)), 100),
        spread=spread,
        random=random,
        tables=tuple(rows),
        standings=lines,
        **counts,
    )


def league_csv(trial: LeagueTrial, row: LeagueRow) -> str:
    """A line of names, then a line for each table."""
    page = io.StringIO()
    writer = csv.writer(page, lineterminator="\n")
    writer.writerow([*TableRow._fields, "seed"])
    for one in row.tables:
        writer.writerow(
            [*(round(value, 4) if isinstance(value, float) else value for value in one), trial.seed]
        )
    return page.getvalue()
