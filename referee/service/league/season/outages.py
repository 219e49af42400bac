"""Time in which we could not be reached is no season's: what was to come then comes so much later."""

from __future__ import annotations

from collections.abc import Sequence

from referee.ids import ALL_ROUNDS
from referee.policy import Span, within
from referee.states import RoundState, TableState
from referee.store import Game, Season, SeasonRound

from ...core.unit_of_work import UnitOfWork, json_text, settings_of
from .. import hooks, lookup, pausing


def extend_seasons(uow: UnitOfWork, since_ms: int) -> int:
    """Everything that seasons wait for and that was still to come then: sign-ups, rounds, tables that gather.

    How many moments moved.
    """
    return _moved(uow, Span(since_ms, uow.now_ms), since_ms, 1)


def take_back(uow: UnitOfWork, never: Sequence[Span]) -> None:
    """The same the other way round, for time that never was."""
    for gone in never:
        _moved(uow, gone, gone.end, -1)


def _moved(uow: UnitOfWork, gone: Span, after_ms: int, sign: int) -> int:
    """What is to come after a moment comes by the length of a time later, or sooner; how many moments."""
    tx, moved = uow.tx, 0
    for season in tx.all(Season, state=lookup.ALIVE, order="id"):
        # a pause moves them by itself
        paused = within([Span(*one) for one in pausing.spans(season)], gone.start, gone.end)
        later = sign * (gone.end - gone.start - paused)
        if not later:
            continue
        dates = {
            name: at + later
            for name in ("closes_ms", "starts_ms")
            if (at := getattr(season, name)) > after_ms
        }
        if dates:
            tx.set(Season, season.id, **dates)
            moved += len(dates)
        for row in lookup.rounds(uow, season):
            ends = {
                name: at + later
                for name in ("starts_ms", "ends_ms")
                if (at := getattr(row, name)) > after_ms and row.state != RoundState.CLOSED
            }
            if ends:
                tx.set(SeasonRound, row.id, **ends)
                moved += len(ends)
        for table in lookup.tables(uow, season, ALL_ROUNDS, TableState.GATHERING):
            game = lookup.game_of(uow, table)
            told = None if game is None else hooks.read_league(game)
            if game is not None and told is not None and told["until"] > after_ms:
                settings = settings_of(game)
                settings["league"]["until"] += later
                tx.set(Game, game.id, settings=json_text(settings))
                moved += 1
        hooks.wake_season(uow, season.id)
    return moved
