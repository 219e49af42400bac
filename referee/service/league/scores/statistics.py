"""Who can be relied on and how long answers take, by player and for a whole league; and how strong somebody
seems. From results that stand written; nothing here reads a game.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from referee import league as sums
from referee.ids import LeagueId, PersonId, TableId
from referee.states import EntryState, SeasonState
from referee.store import League, Season, SeasonTable, TableResult, Tx

from .conduct import summed
from .season_book import SeasonRows, flags_of, load_season, names_of, parts
from .views import DECIDED


def reliability(flags: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """in_time and finished (percent, None where nothing is known), median_ms and slow_ms (nine in ten answers
    took no longer), questions.
    """
    got = summed(flags)
    return {
        "in_time": None if got.in_time is None else round(got.in_time * 100),
        "finished": None if got.finished is None else round(got.finished * 100),
        "median_ms": got.median_ms,
        "slow_ms": got.slow_ms,
        "questions": got.questions,
    }


def of_season(book: SeasonRows) -> dict[str, Any]:
    """tables by state, `all`: the reliability of everybody together, `people`: of each, the most reliable
    first: {person, name, tables, abandoned, …}.
    """
    mine: dict[PersonId, list[dict[str, Any]]] = {
        one.person_id: []
        for one in book.entries
        if one.state in (EntryState.PLAYING, EntryState.WITHDRAWN, EntryState.REMOVED)
    }
    for each in book.results.values():
        for row in each:
            mine.setdefault(row.person_id, []).append(flags_of(row))
    states = [one.state for one in book.tables]
    rows = [
        {
            "person": who,
            "name": book.name(who),
            "tables": len(flags),
            "abandoned": sum(gone(one) for one in flags),
            **reliability(flags),
        }
        for who, flags in mine.items()
    ]
    rows.sort(
        key=lambda row: (-1 if row["in_time"] is None else row["in_time"], row["questions"], -row["person"]),
        reverse=True,
    )
    return {
        "tables": {state: states.count(state) for state in dict.fromkeys(states)},
        "all": reliability(one for each in mine.values() for one in each),
        "people": rows,
    }


def gone(flags: Mapping[str, Any]) -> bool:
    """Whether somebody left that table to others; not whom an official replaced."""
    return bool(flags.get("abandoned"))


def league_games(tx: Tx, league_id: LeagueId | None) -> list[sums.Played]:
    """Every game of a league that says something about strength."""
    seasons = [
        one.id
        for one in tx.all(
            Season, league_id=league_id, state=(SeasonState.RUNNING, SeasonState.OVER), order="no"
        )
    ]
    tables = {
        one.id: one for season in seasons for one in tx.all(SeasonTable, season_id=season, state=DECIDED)
    }
    rows: dict[TableId, list[TableResult]] = {}
    for part in parts(sorted(tables)):
        for row in tx.all(TableResult, table_id=part, order="id"):
            if "left" not in flags_of(row):
                rows.setdefault(row.table_id, []).append(row)
    return [
        sums.Played(
            [one.person_id for one in each], [one.place for one in each], tables[number].ended_ms, number
        )
        for number, each in rows.items()
    ]


def ratings(tx: Tx, league: League) -> list[dict[str, Any]]:
    """Everybody who has played, the strongest first: {person, name, strength, mu, sigma, games}; `strength`
    is what is nearly certain of them.
    """
    rated = {PersonId(who): one for who, one in sums.ratings(league_games(tx, league.id)).items()}
    names = names_of(tx, rated)
    return [
        {
            "person": who,
            "name": names.get(who, ""),
            "strength": round(rated[who].ordinal, 2),
            "mu": round(rated[who].mu, 2),
            "sigma": round(rated[who].sigma, 2),
            "games": rated[who].games,
        }
        for who in sums.ladder(rated)
    ]


def books(tx: Tx, leagues: Sequence[League]) -> list[SeasonRows]:
    """All seasons of these leagues that have been drawn, the newest first."""
    return [
        load_season(tx, league, season)
        for league in leagues
        for season in tx.all(Season, league_id=league.id, order="-no")
    ]
