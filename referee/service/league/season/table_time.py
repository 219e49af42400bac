"""How long a table has, and how long it probably needs: tables in danger will not be finished at the usual
pace when the office rules them.
"""

from __future__ import annotations

from typing import NamedTuple

from referee.ids import ALL_ROUNDS
from referee.league import forecast
from referee.policy import DAY_MS, Span, joined, skipping, within
from referee.states import GameStatus, TableState
from referee.store import Game, Season, SeasonRound, SeasonTable

from ...core.unit_of_work import UnitOfWork
from ...deadlines import clock_state
from .. import lookup
from ..terms import Terms, read_terms
from . import expectations

#: a table that may run on until it ends
TO_ITS_END = -1


class Danger(NamedTuple):
    """A table that is played: `left` days that it probably still needs; `until_ms`: when it is ruled."""

    table: SeasonTable
    left: float
    until_ms: int


def overtime_ms(terms: Terms, row: SeasonRound) -> int:
    """When the office rules what is not finished of a round; 0: never."""
    return row.ends_ms + terms.overtime_days * DAY_MS if terms.overtime == "rule" else 0


def ruled_ms(terms: Terms, row: SeasonRound, table: SeasonTable) -> int:
    """When the office rules a table of that round that is not finished; 0: never."""
    usual, until = overtime_ms(terms, row), extended_ms(row, table)
    return 0 if until == TO_ITS_END or not usual else max(usual, until)


def extended_ms(row: SeasonRound, table: SeasonTable) -> int:
    """Until when somebody in charge lets a table of that round run on (`TO_ITS_END`: until it ends); 0:
    nobody said so. It is kept as the time after the round's end, so pauses and outages move it with that.
    """
    later = int(lookup.facts_of(table).get("later_ms", 0))
    return later if later in (0, TO_ITS_END) else row.ends_ms + later


def days_left(uow: UnitOfWork, season: Season, table: SeasonTable) -> float | None:
    """Days that a table probably still needs (`forecast.left`), pauses not counted; None for one that is not
    played now.
    """
    game = lookup.game_of(uow, table)
    if game is None or game.status != GameStatus.RUNNING or not game.snapshot:
        return None
    if not lookup.readable(uow, game):
        return None
    state = uow.states.of(game)
    at = forecast.Progress(
        _played_ms(game, uow.now_ms) / DAY_MS,
        state.round - 1,
        max(len(player.city) for player in state.players),
        state.goal,
    )
    terms = read_terms(season)
    kind = expectations.kind(terms, len(state.players), "none", expectations.measured(season, terms))
    return forecast.left(kind, at)


def _played_ms(game: Game, now_ms: int) -> int:
    """How long a table has been played, without pauses and our outages."""
    table = clock_state.read_clocks(game)
    still = sorted(Span(*one) for one in (*table.held, *table.paused, *table.frozen))
    stood = within(joined([iter(still)], game.started_ms), game.started_ms, now_ms)
    return max(0, now_ms - game.started_ms - stood)


def in_danger(uow: UnitOfWork, season: Season) -> list[Danger]:
    """The tables of a season that probably need longer than they have, the shortest of time first."""
    terms, found = read_terms(season), list[Danger]()
    for table in lookup.tables(uow, season, ALL_ROUNDS, TableState.PLAYING):
        left = days_left(uow, season, table)
        until = ruled_ms(terms, lookup.round_of(uow, season, table.round), table)
        if left is None or not until:
            continue
        game = lookup.game_of(uow, table)
        held = [] if game is None else clock_state.read_clocks(game).held
        if skipping((Span(*one) for one in held), uow.now_ms, round(left * DAY_MS)) > until:
            found.append(Danger(table, left, until))
    return sorted(found, key=lambda one: one.until_ms - one.left * DAY_MS)
