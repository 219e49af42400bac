"""What somebody has done in leagues: their seasons, their tables, how strong they seem and whether they can
be relied on. Nothing of how they are reached.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import partial
from typing import Any

from referee.ids import NO_LEAGUE, LeagueId, PersonId
from referee.states import TableState
from referee.store import Entry, League, Person, Season, Tx
from referee.text import clean

from ...core.unit_of_work import UnitOfWork
from ..terms import read_terms
from . import outcome, standings, statistics, views
from .season_book import NAME_MOST, SeasonRows, flags_of, load_season

#: this many results are told, the newest
RESULTS = 40
#: states of an entry that are nobody's business
_HIDDEN = ("refused",)


def now(key: Hashable, make: Callable[[], Any]) -> Any:
    """Reckon it."""
    return make()


def of_person(
    uow: UnitOfWork,
    person_id: PersonId,
    *,
    league_id: LeagueId = NO_LEAGUE,
    public: bool = False,
    lately: Callable[[Hashable, Callable[[], Any]], Any] = now,
) -> dict[str, Any] | None:
    """person {person, name}, seasons [{league, season, entry …}], results [{league, season, round, table,
    place, of, score, ended_ms, flags}], ratings by league, reliability. `league_id`: only of that league;
    `public`: only of leagues that strangers may see. None for nobody. `lately` may give what it reckoned
    before under the same key: whole seasons are read for one person's sake.
    """
    tx = uow.tx
    person = tx.get(Person, person_id)
    if person is None:
        return None
    found: dict[str, Any] = {
        "person": {"person": person_id, "name": clean(person.name, NAME_MOST)},
        "seasons": [],
        "results": [],
        "ratings": [],
        "reliability": statistics.reliability(()),
    }
    flags: list[dict[str, Any]] = []
    leagues: dict[LeagueId, League] = {}
    for entry, season, league in entries(tx, person_id, league_id, public):
        book: SeasonRows = lately(("book", season.id), partial(load_season, tx, league, season))
        leagues.setdefault(league.id, league)
        found["seasons"].append(
            {
                "league": views.league_facts(league),
                "season": views.season_facts(book),
                **place(uow, book, entry, lately),
            }
        )
        found["results"] += results(book, person_id)
        flags += [
            flags_of(row) for each in book.results.values() for row in each if row.person_id == person_id
        ]
    found["results"] = sorted(found["results"], key=lambda one: -int(one["ended_ms"]))[:RESULTS]
    found["ratings"] = [
        {"league": views.league_facts(league), **one}
        for league in leagues.values()
        for one in lately(("strength", league.id), partial(statistics.ratings, tx, league))
        if one["person"] == person_id
    ]
    found["reliability"] = statistics.reliability(flags)
    return found


def entries(
    tx: Tx, person_id: PersonId, league_id: LeagueId = NO_LEAGUE, public: bool = False
) -> list[tuple[Entry, Season, League]]:
    """Somebody's entries, the newest first."""
    found = []
    for entry in tx.all(Entry, person_id=person_id, order="-id"):
        season = tx.get(Season, entry.season_id)
        league = None if season is None else tx.get(League, season.league_id)
        if (
            season is None
            or league is None
            or entry.state in _HIDDEN
            or league_id not in (0, league.id)
            or (public and not read_terms(league).visible)
        ):
            continue
        found.append((entry, season, league))
    return found


def place(
    uow: UnitOfWork,
    book: SeasonRows,
    entry: Entry,
    lately: Callable[[Hashable, Callable[[], Any]], Any] = now,
) -> dict[str, Any]:
    """How somebody stands in a season: entry (its state), division, several, rank, of, points, played, wins;
    rank 0 where they don't stand in it.
    """
    facts: dict[str, Any] = {
        "entry": entry.state,
        "division": entry.division,
        "several": len(book.divisions) > 1,
        "rank": 0,
        "of": 0,
        "points": "0",
        "played": 0,
        "wins": 0,
        "abandoned": 0,
        "penalty": "0",
    }
    if entry.division:
        rows = lately(
            ("rows", book.season.id, entry.division),
            partial(standings.rows, uow, book, entry.division, False, False),
        )
        mine = next((row for row in rows if row["person"] == entry.person_id), None)
        if mine is not None:
            facts |= {
                "of": len(rows),
                **{name: mine[name] for name in ("rank", "points", "played", "wins", "abandoned", "penalty")},
            }
    return facts


def results(book: SeasonRows, person_id: PersonId) -> list[dict[str, Any]]:
    """Somebody's decided tables in a season."""
    found = []
    for row in book.tables:
        at = book.results.get(row.id, ()) if row.state in views.DECIDED else ()
        mine = next((one for one in at if one.person_id == person_id), None)
        if mine is not None:
            found.append(
                {
                    "league": views.league_facts(book.league),
                    "season": book.season.no,
                    "round": row.round,
                    "table": row.no,
                    "game": row.game_id,
                    "place": mine.place,
                    "of": sum("left" not in flags_of(one) for one in at),
                    "score": mine.score,
                    "ended_ms": row.ended_ms,
                    "flags": views.flag_names(flags_of(mine), outcome.of_table(row).code),
                }
            )
    return found


def tables_of(book: SeasonRows, person_id: Any) -> Sequence[dict[str, Any]]:
    """The tables of a season at which somebody sits or will sit, in order."""
    dates = {row.no: row for row in book.rounds}
    return [
        {
            **views.table_view(book, row),
            "starts_ms": dates[row.round].starts_ms,
            "ends_ms": dates[row.round].ends_ms,
        }
        for row in book.tables
        if person_id is not None
        and person_id in book.people[row.id]
        and row.state not in (TableState.REPLAYED, TableState.VOID)
        and row.round in dates
    ]
