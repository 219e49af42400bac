"""What a table came to, and what all tables come to: results and standings."""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from referee import league as sums
from referee import rules
from referee.states import EntryState, RoundState, TableState
from referee.store import (
    Entry,
    Game,
    Season,
    SeasonTable,
    Seat,
    TableResult,
)

from ..core.unit_of_work import Sitting, written
from ..deadlines import clock_state
from . import conduct, hooks, lookup, penalties
from .terms import points, read


def took_place(sitting: Sitting, season: Season, table: SeasonTable, game: Game) -> None:
    """A table's game is over: write down how everybody did.

    The place is that of whoever has the seat at the end; whoever left it is last.
    """
    state = sitting.states.of(game)
    _write(sitting, season, table, game, rules.places(state), {})
    sitting.tx.set(SeasonTable, table.id, state=TableState.OVER, ended_ms=game.ended_ms)


def ruled(
    sitting: Sitting, season: Season, table: SeasonTable, game: Game | None, places: Sequence[tuple[int, int]]
) -> None:
    """The office decided a table's places: (place, score) of each seat."""
    sitting.tx.drop(TableResult, table_id=table.id)
    _write(sitting, season, table, game, places, {"ruled": True})
    sitting.tx.set(SeasonTable, table.id, state=TableState.RULED, ended_ms=sitting.now_ms)


def _write(
    sitting: Sitting,
    season: Season,
    table: SeasonTable,
    game: Game | None,
    places: Sequence[tuple[int, int]],
    flags: dict[str, Any],
) -> None:
    seats = [] if game is None else sitting.seats(int(game.id or 0))
    clocks = clock_state.TableTime() if game is None else clock_state.read(game)
    told = {} if game is None else hooks.mine(game) or {}
    drawn = lookup.people_of(table)
    holders = [seat.person_id for seat in seats] or drawn
    played = {} if game is None else conduct.of_game(sitting.tx, game, drawn)
    rows: list[dict[str, Any]] = []
    for no, (place, score) in enumerate(places):
        who = holders[no]
        if who is None:
            continue  # nobody took it over: a stand-in's place is nobody's
        mine = {**flags, **played.get(who, conduct.Conduct()).facts()}
        if game is not None and no < len(drawn) and who != drawn[no]:
            mine["took_over"] = True
        if clocks.seat(no).probation and clocks.seat(no).offered:
            mine["abandoned"] = True
            _absent(sitting, season, who)
        rows.append(
            {"table_id": table.id, "person_id": who, "place": place, "score": score, "flags": written(mine)}
        )
    last = max(len(places), 1)
    left = [(int(one), str(why)) for one, why in told.get("left", [])]
    left += [
        (one, "left")
        for one in drawn
        if one not in holders and one not in [who for who, _ in left] and game is not None
    ]
    for who, why in dict(left).items():
        if who not in holders:
            rows.append(
                {
                    "table_id": table.id,
                    "person_id": who,
                    "place": last,
                    "score": 0,
                    "flags": written(
                        {
                            **flags,
                            **played.get(who, conduct.Conduct()).facts(),
                            "left": True,
                            "why": why,
                            **({} if why == "substituted" else {"abandoned": True}),
                        }
                    ),
                }
            )
    sitting.tx.add_all(TableResult, rows)


def _absent(sitting: Sitting, season: Season, who: int) -> None:
    """Nobody waited for them any more when the game ended, and nobody had taken the seat."""
    entry = lookup.entry_of(sitting, season, who)
    if entry is not None and entry.state == EntryState.PLAYING:
        penalties.abandoned(sitting, season, who, "abandoned")


def results(sitting: Sitting, season: Season, division: int = 0) -> list[sums.Result]:
    """How everybody did, as the sums want it; void and replayed tables are left out.

    Whoever left a table has a row of their own there, which changes nothing for the others.
    """
    found: list[sums.Result] = []
    tables = {
        int(one.id or 0): one
        for one in lookup.tables(sitting, season, 0, TableState.OVER, TableState.RULED)
        if division in (0, one.division)
    }
    for row in sitting.tx.all(TableResult, table_id=tuple(tables), order="id"):
        table, flags = tables[row.table_id], json.loads(row.flags)
        if flags.get("why") == "substituted":
            continue  # an official put somebody else there: a bye
        if flags.get("left"):
            found.append(sums.Result(row.person_id, table.round, -int(row.id or 0), 1, 1, abandoned=True))
        else:
            found.append(
                sums.Result(
                    row.person_id,
                    table.round,
                    table.no,
                    row.place,
                    row.score,
                    abandoned=bool(flags.get("abandoned")),
                )
            )
    return found


def standings(sitting: Sitting, season: Season, division: int, upto: int = 0) -> tuple[sums.Standing, ...]:
    """The standings of a division: everybody who plays in it, or played a table there.

    `upto`: as they were after that round, penalties aside; 0: as they are.
    """
    terms = read(season)
    found = [one for one in results(sitting, season, division) if not upto or one.round <= upto]
    known = sitting.tx.all(Entry, season_id=season.id, division=division)
    people = [
        one.person_id
        for one in known
        if one.state == EntryState.PLAYING or any(row.person == one.person_id for row in found)
    ]
    taken = [(one.person_id, Fraction(one.penalty, 100)) for one in known if one.penalty and not upto]
    order = tuple(sums.By(name) for name in ("points", *terms.tiebreaks, "lot"))
    table = terms.table()
    stated = sums.Terms(
        table,
        order=order,
        bye=None if terms.bye == "average" else points(terms.bye, "bye"),
        abandoned=table.places[min(terms.wanted, len(table.places)) - 1],
        seed=season.seed,
    )
    return sums.standings(people, found, stated, byes=byes(sitting, season, upto), penalties=taken)


def byes(sitting: Sitting, season: Season, upto: int = 0) -> dict[int, int]:
    """How many rounds, of those that are open or over (`upto`: of those up to that one), everybody had no
    table in, or one that does not count.
    """
    counts: dict[int, int] = {}
    for row in lookup.rounds(sitting, season):
        if row.state != RoundState.PLANNED and (not upto or row.no <= upto):
            for who in lookup.facts_of(row).get("byes", ()):
                counts[who] = counts.get(who, 0) + 1
    for one in sitting.tx.all(
        TableResult,
        table_id=tuple(
            int(table.id or 0)
            for table in lookup.tables(sitting, season, 0, TableState.OVER, TableState.RULED)
        ),
    ):
        if '"substituted"' in one.flags:
            counts[one.person_id] = counts.get(one.person_id, 0) + 1
    replays = {each.replays for each in lookup.tables(sitting, season) if each.replays is not None}
    for table in lookup.tables(sitting, season, 0, TableState.VOID):
        if table.id not in replays and (not upto or table.round <= upto):
            for who in lookup.people_of(table):
                if not _was_absent(sitting, table, who):
                    counts[who] = counts.get(who, 0) + 1
    return counts


def _was_absent(sitting: Sitting, table: SeasonTable, who: int) -> bool:
    """Whether it is their own doing that the table does not count: they were not there."""
    seat = None if table.game_id is None else sitting.tx.one(Seat, game_id=table.game_id, person_id=who)
    game = lookup.game_of(sitting, table)
    return (
        table.game_id is not None
        and game is not None
        and not game.snapshot
        and (seat is None or not seat.ready)
    )
