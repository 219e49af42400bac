"""Rounds that overlap: one that opens while tables of the round before are still played, and a table that
somebody in charge lets run on.

No more than two rounds are open at once, so nobody sits at more than two tables of a league.
"""

from __future__ import annotations

from typing import Any

from referee.ids import PersonId
from referee.rules import Refusal
from referee.states import RoundState, TableState
from referee.store import Season, SeasonRound, SeasonTable

from ...core.unit_of_work import UnitOfWork, json_text
from .. import hooks, lookup
from ..announcements import announce
from ..terms import BALANCED, Terms, read_terms
from .table_time import TO_ITS_END, days_left, extended_ms, ruled_ms

#: this many rounds are open at once
_AT_ONCE = 2


def may_open(uow: UnitOfWork, season: Season, terms: Terms) -> bool:
    """Whether another round may open: none is on; or one, and rounds overlap or nothing is played in it but
    tables that may run on. A round that is drawn from the results of the one before waits for it.
    """
    here = [one for one in lookup.rounds(uow, season) if one.state == RoundState.OPEN]
    if len(here) >= _AT_ONCE or (here and terms.format != BALANCED):
        return False
    if terms.overlap:
        return True
    return all(
        _runs_on(row, table, uow.now_ms)
        for row in here
        for table in lookup.tables(uow, season, row.no, *lookup.UNDECIDED)
    ) and all(row.ends_ms <= uow.now_ms for row in here)


def _runs_on(row: SeasonRound, table: SeasonTable, now_ms: int) -> bool:
    until = extended_ms(row, table)
    return until == TO_ITS_END or until > now_ms


def extend(uow: UnitOfWork, season: Season, table: SeasonTable, until_ms: int, by_ms: int) -> dict[str, Any]:
    """A table runs on, into the next round if need be, until then, for so long after its time, or (both 0)
    until it ends; its result counts for its own round. Everybody there hears of it. Raises Refusal.
    """
    terms, row = read_terms(season), lookup.round_of(uow, season, table.round)
    if table.state not in (TableState.GATHERING, TableState.PLAYING):
        raise Refusal("league-table-state", table=table.no, state=table.state)
    usual = ruled_ms(terms, row, table) or max(row.ends_ms, extended_ms(row, table))
    until = until_ms or (usual + by_ms if by_ms else TO_ITS_END)
    if until != TO_ITS_END and until <= max(uow.now_ms, usual):
        raise Refusal("league-table-not-later", table=table.no, at_ms=max(uow.now_ms, usual))
    later = until if until == TO_ITS_END else until - row.ends_ms
    uow.tx.set(SeasonTable, table.id, facts=json_text({**lookup.facts_of(table), "later_ms": later}))
    hooks.wake_season(uow, season.id)
    league, game = lookup.league_of(uow, season), lookup.game_of(uow, table)
    facts = {
        "round": table.round,
        "table": table.no,
        "until_ms": max(0, until),
        "game": None if game is None else game.id,
    }
    seats = [] if game is None else uow.seats(game.id)
    there = sorted({PersonId(seat.person_id) for seat in seats if seat.person_id})
    announce(uow, league, "league-extended", facts, there)
    left = days_left(uow, season, table)
    return {"league": league.name, **facts, "left": None if left is None else max(1, round(left))}
