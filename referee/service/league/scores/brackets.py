"""How far everybody has come in a knock-out, and who goes on.

All of it follows from tables and byes: nothing of it is kept.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from referee import league as sums
from referee.ids import ALL_ROUNDS, DivisionNo, PersonId, RoundNo
from referee.rules import Refusal
from referee.states import EntryState, RoundState, SeasonState, TableState
from referee.store import Entry, Season, SeasonRound, SeasonTable, TableResult

from ...core.unit_of_work import UnitOfWork
from .. import lookup
from ..terms import KNOCKOUT, Terms, read_terms

#: a round counts for more than any place in it
_ROUND = 1000


def rounds_of(terms: Terms, people: int) -> int:
    """How many rounds that many people of one division play."""
    if terms.format != KNOCKOUT:
        return terms.rounds
    return sums.rounds_needed(
        people, least=terms.least, most=terms.most, wanted=terms.wanted, advance=terms.advance
    )


def reached(
    uow: UnitOfWork, season: Season, division: DivisionNo, upto: RoundNo = ALL_ROUNDS
) -> dict[PersonId, int]:
    """How far each came, the more the farther: the last round they had a table or a bye in, then their place
    at that table. `upto`: as it was after that round.
    """
    found: dict[PersonId, int] = {}
    people = set(uow.tx.column(Entry, "person_id", season_id=season.id, division=division))
    for row in lookup.rounds(uow, season):
        if row.state == RoundState.PLANNED or (upto and row.no > upto):
            continue
        here = {who: _ROUND * row.no for who in _byes(row) if who in people}
        for table in _tables(uow, season, division, row.no):
            for who, place in places_at(uow, table).items():
                here[who] = max(here.get(who, 0), _ROUND * row.no - place)
        found |= here
    return found


def places_at(uow: UnitOfWork, table: SeasonTable, *, stayed: bool = False) -> dict[PersonId, int]:
    """Everybody at a table and their place: 0 while it is not decided; who left it, or was gone when it
    ended, is behind all others, and so is everybody where it does not count. `stayed`: without those who
    left it.
    """
    drawn = lookup.people_of(table)
    behind = len(drawn) + 1
    if table.state == TableState.VOID:  # it has no results that say who left it, and who came
        sits = [who for who in lookup.sitting(uow, table) if who is not None]
        return dict.fromkeys(sits if stayed else [*drawn, *sits], behind)
    found = dict.fromkeys(drawn, 0)
    for row in uow.tx.all(TableResult, table_id=table.id, order="id"):
        flags = json.loads(row.flags)
        found[row.person_id] = behind if flags.get("left") or flags.get("abandoned") else row.place
        if stayed and flags.get("left"):
            del found[row.person_id]
    return found


def going_on(
    uow: UnitOfWork,
    season: Season,
    terms: Terms,
    division: DivisionNo,
    after: SeasonRound,
    order: Sequence[PersonId],
) -> tuple[PersonId, ...]:
    """Who of a division plays in the round behind that one; () where its final is over.

    `order`: the standings, the best first. At a table that does not count they decide alone.
    """
    there = set(
        uow.tx.column(Entry, "person_id", season_id=season.id, division=division, state=EntryState.PLAYING)
    )
    tables: list[dict[int, int]] = [
        {who: place for who, place in places_at(uow, table, stayed=True).items() if who in there}
        for table in _tables(uow, season, division, after.no)
    ]
    found = sums.going_on(
        tables,
        [who for who in _byes(after) if who in there],
        order,
        least=terms.least,
        advance=terms.advance,
    )
    return tuple(map(PersonId, found))


def is_out(uow: UnitOfWork, season: Season, entry: Entry) -> bool:
    """Whether somebody who is in a knock-out has been knocked out: others play in a later round."""
    if read_terms(season).format != KNOCKOUT or season.state != SeasonState.RUNNING:
        return False
    far = reached(uow, season, entry.division)
    rounds = {who: -(-worth // _ROUND) for who, worth in far.items()}
    return rounds.get(entry.person_id, 0) < max(rounds.values(), default=0)


def settled(uow: UnitOfWork, season: Season, table: SeasonTable) -> None:
    """Raises Refusal where a table's places have sent people into a round that has begun: then they can't be
    changed any more without tearing tables apart that are played.
    """
    if read_terms(season).format != KNOCKOUT:
        return
    later = [
        row for row in lookup.rounds(uow, season) if row.no > table.round and row.state != RoundState.PLANNED
    ]
    if later:
        raise Refusal("league-gone-on", table=table.no, round=later[0].no)


def _byes(row: SeasonRound) -> list[PersonId]:
    """Who had a bye that was drawn; who was granted one has given up the seat."""
    facts = lookup.facts_of(row)
    return [who for who in facts.get("byes", ()) if who not in facts.get("granted", ())]


def _tables(uow: UnitOfWork, season: Season, division: DivisionNo, round_no: RoundNo) -> list[SeasonTable]:
    return [
        one
        for one in lookup.tables(uow, season, round_no)
        if one.division == division and one.state != TableState.REPLAYED
    ]
