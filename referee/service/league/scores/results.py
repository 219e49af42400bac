"""What a table came to, and what all tables come to: results and standings."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from referee import league as sums
from referee import rules
from referee.ids import ALL_DIVISIONS, ALL_ROUNDS, DivisionNo, PersonId, RoundNo, SeatNo
from referee.states import EntryState, RoundState, TableState
from referee.store import (
    Entry,
    Game,
    Season,
    SeasonTable,
    TableResult,
)

from ...core.unit_of_work import UnitOfWork, json_text
from ...deadlines import clock_state
from .. import hooks, lookup
from ..terms import KNOCKOUT, Terms, points, read_terms
from . import brackets, conduct, outcome, penalties, table_places
from .outcome import Code, Outcome


def took_place(uow: UnitOfWork, season: Season, table: SeasonTable, game: Game) -> None:
    """A table's game is over: write down how everybody did.

    The place is that of the person who has the seat at the end; those who left it are last. The only one who
    stayed has won, whatever the stand-ins came to.
    """
    places, how = list(rules.places(uow.states.of(game))), Outcome(Code.PLAYED)
    winner = stayed(uow, season, game)
    if winner is not None:
        places = table_places.won(places, winner)
        how = Outcome(Code.FORFEIT, "alone")
    _write(uow, season, table, game, places, {})
    outcome.decided(uow, table, TableState.OVER, game.ended_ms, how)


def stayed(uow: UnitOfWork, season: Season, game: Game | None) -> SeatNo | None:
    """The seat of the only one who stayed, where that decides a table; it did not in the first form."""
    return None if game is None or read_terms(season).form == 1 else outcome.alone(uow, game)


def ruled(
    uow: UnitOfWork,
    season: Season,
    table: SeasonTable,
    game: Game | None,
    places: Sequence[tuple[int, int]],
    how: Outcome,
    lost: Collection[int] = (),
) -> None:
    """The office decided a table's places: (place, score) of each seat; `lost`: seats that forfeit it.

    What leaving the table cost somebody is not taken from them once more.
    """
    before = uow.tx.all(TableResult, table_id=table.id)
    charged = {row.person_id for row in before if json.loads(row.flags).get("abandoned")}
    uow.tx.drop(TableResult, table_id=table.id)
    _write(uow, season, table, game, places, {"ruled": True}, lost, charged)
    outcome.decided(uow, table, TableState.RULED, uow.now_ms, how)


def places(uow: UnitOfWork, table: SeasonTable) -> list[tuple[PersonId, int]]:
    """Who came where at a table, as the log keeps it."""
    return [(row.person_id, row.place) for row in uow.tx.all(TableResult, table_id=table.id, order="id")]


def _write(
    uow: UnitOfWork,
    season: Season,
    table: SeasonTable,
    game: Game | None,
    places: Sequence[tuple[int, int]],
    flags: dict[str, Any],
    lost: Collection[int] = (),
    charged: Collection[PersonId] = (),
) -> None:
    seats = [] if game is None else uow.seats(game.id)
    clocks = clock_state.TableTime() if game is None else clock_state.read_clocks(game)
    told = None if game is None else hooks.read_league(game)
    drawn = lookup.people_of(table)
    holders = [seat.person_id for seat in seats] or drawn
    played = {} if game is None else conduct.of_game(uow.tx, game, drawn)
    rows: list[dict[str, Any]] = []
    for no, (place, score) in enumerate(places):
        who = holders[no]
        if who is None:
            continue  # nobody took it over: a stand-in's place is nobody's
        mine = {**flags, **played.get(who, conduct.Conduct()).facts()}
        if game is not None and no < len(drawn) and who != drawn[no]:
            mine["took_over"] = True
        if no in lost:
            mine["forfeit"] = True
        if outcome.left(clocks, SeatNo(no)):
            mine["abandoned"] = True
            if who not in charged:
                _absent(uow, season, who)
        rows.append(
            {"table_id": table.id, "person_id": who, "place": place, "score": score, "flags": json_text(mine)}
        )
    last = max(len(places), 1)
    left = [(PersonId(int(one)), str(why)) for one, why in (told.get("left", ()) if told else ())]
    left += [
        (one, "left")
        for one in drawn
        if one not in holders and one not in [who for who, _ in left] and game is not None
    ]
    for gone, why in dict(left).items():
        if gone not in holders:
            rows.append(
                {
                    "table_id": table.id,
                    "person_id": gone,
                    "place": last,
                    "score": 0,
                    "flags": json_text(
                        {
                            **flags,
                            **played.get(gone, conduct.Conduct()).facts(),
                            "left": True,
                            "why": why,
                            **({} if why == "substituted" else {"abandoned": True}),
                        }
                    ),
                }
            )
    uow.tx.add_all(TableResult, rows)


def _absent(uow: UnitOfWork, season: Season, who: PersonId) -> None:
    """Nobody waited for them any more when the game ended, and nobody had taken the seat."""
    entry = lookup.entry_of(uow, season, who)
    if entry is not None and entry.state == EntryState.PLAYING:
        penalties.abandoned(uow, season, who, "abandoned")


def as_result(table: SeasonTable, row: TableResult) -> sums.Result | None:
    """A row as the sums want it; None for somebody in whose place an official put another: that is a bye.

    Anyone who left a table has a row of their own there, which changes nothing for the others.
    """
    flags = json.loads(row.flags)
    if flags.get("why") == "substituted":
        return None
    if flags.get("left"):
        return sums.Result(row.person_id, table.round, -row.id, 1, abandoned=True)
    return sums.Result(
        row.person_id,
        table.round,
        table.no,
        row.place,
        row.score,
        abandoned=bool(flags.get("abandoned")),
        size=len(lookup.people_of(table)),
        played=outcome.of_table(table).code == Code.PLAYED,
    )


def results(uow: UnitOfWork, season: Season, division: DivisionNo = ALL_DIVISIONS) -> list[sums.Result]:
    """How everybody did, as the sums want it; void and replayed tables are left out."""
    tables = {
        one.id: one
        for one in lookup.tables(uow, season, ALL_ROUNDS, TableState.OVER, TableState.RULED)
        if division in (0, one.division)
    }
    rows = uow.tx.all(TableResult, table_id=tuple(tables), order="id")
    return [found for row in rows if (found := as_result(tables[row.table_id], row)) is not None]


def stated(season: Season, terms: Terms, reached: Mapping[PersonId, int] | None = None) -> sums.Terms:
    """What a season states, as the sums want it; `reached`: how far each came in a knock-out."""
    table, early = terms.table(), terms.form == 1
    first = ("round reached",) if terms.format == KNOCKOUT else ()
    return sums.Terms(
        table,
        order=tuple(sums.By(name) for name in (*first, "points", *terms.tiebreaks, "lot")),
        bye=None if terms.bye == "average" else points(terms.bye, "bye"),
        abandoned=table.of(terms.wanted)[-1] if early else Fraction(0),
        seed=season.seed,
        early=early,
        reached=reached or {},
    )


def standings(
    uow: UnitOfWork, season: Season, division: DivisionNo, upto: RoundNo = ALL_ROUNDS
) -> tuple[sums.Standing, ...]:
    """The standings of a division: everybody who plays in it, or played a table there; before the first
    result in the order in which they signed up.

    `upto`: as they were after that round, penalties aside; 0: as they are.
    """
    terms = read_terms(season)
    found = [one for one in results(uow, season, division) if not upto or one.round <= upto]
    played = {row.person for row in found}
    known = uow.tx.all(Entry, season_id=season.id, order="since_ms,id")
    people = [
        one.person_id
        for one in known
        if one.person_id in played or (one.division == division and one.state == EntryState.PLAYING)
    ]
    # anyone who left and took over a seat in another division keeps here what they played here; byes and
    # penalties count once, where they are now
    mine = {one.person_id: one for one in known if one.division == division}
    taken = [(who, Fraction(one.penalty, 100)) for who, one in mine.items() if one.penalty and not upto]
    rested = {who: count for who, count in byes(uow, season, upto).items() if who in mine}
    far = brackets.reached(uow, season, division, upto) if terms.format == KNOCKOUT else {}
    return sums.standings(people, found, stated(season, terms, far), byes=rested, penalties=taken)


def byes(uow: UnitOfWork, season: Season, upto: RoundNo = ALL_ROUNDS) -> dict[PersonId, int]:
    """How many rounds, of those that are open or over (`upto`: of those up to that one), everybody had no
    table in, or one that does not count.
    """
    rested: dict[RoundNo, set[PersonId]] = {}
    for no, who in _without_result(uow, season, upto):
        rested.setdefault(no, set()).add(who)
    for no, people in rested.items():  # who was put in at another table of that round has played in it
        people -= lookup.seated(uow, season, no)
    for row in lookup.rounds(uow, season):
        if row.state != RoundState.PLANNED and (not upto or row.no <= upto):
            rested.setdefault(row.no, set()).update(lookup.facts_of(row).get("byes", ()))
    return dict(Counter(who for people in rested.values() for who in people))


def _without_result(uow: UnitOfWork, season: Season, upto: RoundNo) -> Iterator[tuple[RoundNo, PersonId]]:
    """In whose place an official put another, and who was at a table that does not count; with the round."""
    every = lookup.tables(uow, season)
    rounds = {one.id: one.round for one in every if not upto or one.round <= upto}
    counted = tuple(one.id for one in every if one.id in rounds and one.state in lookup.COUNTED)
    for row in uow.tx.all(TableResult, table_id=counted):
        if '"substituted"' in row.flags:
            yield rounds[row.table_id], row.person_id
    replays = {one.replays for one in every}
    for table in every:
        if table.state == TableState.VOID and table.id in rounds and table.id not in replays:
            for who in outcome.there(uow, table):
                yield table.round, who
