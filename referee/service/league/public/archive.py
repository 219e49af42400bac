"""The seasons of a league that are over, and what people have done in all of them together: all of it follows
from what their ends left behind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from referee.ids import DivisionNo, LeagueId, PersonId
from referee.states import EntryState, SeasonState, TableState
from referee.store import Entry, League, Season, SeasonRound, SeasonTable, TableResult, Tx

from .. import lookup
from ..scores.season_book import flags_of, names_of, parts
from ..terms import read_terms

#: that many of each division stand on the podium, that many people in each list of the hall
PODIUM, FAMOUS = 3, 10


def seasons(tx: Tx, league: League) -> list[dict[str, Any]]:
    """Every season, the newest first: no, state, format, people, rounds, starts_ms, ended_ms, several, and
    `divisions` [{no, podium [{person, name}]}] where something was decided, () for one that is not over.
    """
    rows = tx.all(Season, league_id=league.id, order="-no")
    names = names_of(tx, {who for row in rows for _, group in _groups(row) for who in group[:PODIUM]})
    return [
        {
            "no": row.no,
            "state": row.state,
            "format": read_terms(row).format,
            "people": tx.count(Entry, season_id=row.id, state=(EntryState.SIGNED, EntryState.PLAYING)),
            "rounds": tx.count(SeasonRound, season_id=row.id),
            "starts_ms": row.starts_ms,
            "ended_ms": row.ended_ms,
            "several": any(number > 1 for number, _ in _groups(row)),
            "divisions": [
                {
                    "no": number,
                    "podium": [{"person": who, "name": names.get(who, "")} for who in group[:PODIUM]],
                }
                for number, group in _groups(row)
                if group
            ],
        }
        for row in rows
    ]


def hall(tx: Tx, league: League) -> dict[str, Any]:
    """Of the seasons that are over: titles (first of the top division), wins (tables), seasons (played to the
    end); of each the first few [{person, name, count}], the most first.
    """
    over = tx.all(Season, league_id=league.id, state=SeasonState.OVER, order="no")
    titles = Counter(group[0] for row in over for _, group in _groups(row)[:1] if group)
    played = Counter(
        PersonId(who)
        for row in over
        for who in tx.column(Entry, "person_id", season_id=row.id, state=EntryState.PLAYING)
    )
    wins = _wins(tx, league.id)
    lists = {"titles": titles, "wins": wins, "seasons": played}
    names = names_of(tx, {*titles, *wins, *played})
    return {
        key: [
            {"person": who, "name": names.get(who, ""), "count": count}
            for who, count in sorted(
                counts.items(), key=lambda one: (-one[1], names.get(one[0], "").casefold(), one[0])
            )[:FAMOUS]
        ]
        for key, counts in lists.items()
    }


def _wins(tx: Tx, league_id: LeagueId) -> Counter[PersonId]:
    """First places at tables that count."""
    tables = [
        number
        for row in tx.all(Season, league_id=league_id, state=SeasonState.OVER)
        for number in tx.column(
            SeasonTable, "id", season_id=row.id, state=(TableState.OVER, TableState.RULED)
        )
    ]
    return Counter(
        row.person_id
        for part in parts(tables)
        for row in tx.all(TableResult, table_id=part, place=1)
        if not {"left", "abandoned"} & set(flags_of(row))
    )


def _groups(season: Season) -> list[tuple[DivisionNo, Sequence[PersonId]]]:
    """The last order of each division of a season that is over, with its number; () where no table counts."""
    mind = lookup.mind(season)
    final = mind.get("final", ()) if season.state == SeasonState.OVER else ()
    numbers = mind.get("held", range(1, len(final) + 1))  # seasons that ended earlier don't say them
    return [
        (DivisionNo(no), () if no in mind.get("idle", ()) else group)
        for no, group in zip(numbers, final, strict=False)
    ]
