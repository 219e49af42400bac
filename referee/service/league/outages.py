"""Time in which we could not be reached is no season's: what was to come then comes so much later."""

from __future__ import annotations

from referee.states import RoundState, TableState
from referee.store import Game, Season, SeasonRound

from ..core.unit_of_work import Sitting, settings_of, written
from . import hooks, lookup


def given_back(sitting: Sitting, since_ms: int) -> int:
    """Everything that seasons wait for and that was still to come then: sign-ups, rounds, tables that gather.

    How many moments moved.
    """
    later, tx, moved = sitting.now_ms - since_ms, sitting.tx, 0
    for season in tx.all(Season, state=lookup.ALIVE, order="id"):
        dates = {
            name: at + later
            for name in ("closes_ms", "starts_ms")
            if (at := getattr(season, name)) > since_ms
        }
        if dates:
            tx.set(Season, season.id, **dates)
            moved += len(dates)
        for row in lookup.rounds(sitting, season):
            ends = {
                name: at + later
                for name in ("starts_ms", "ends_ms")
                if (at := getattr(row, name)) > since_ms and row.state != RoundState.CLOSED
            }
            if ends:
                tx.set(SeasonRound, row.id, **ends)
                moved += len(ends)
        for table in lookup.tables(sitting, season, 0, TableState.GATHERING):
            game = lookup.game_of(sitting, table)
            told = None if game is None else hooks.mine(game)
            if game is not None and told is not None and told["until"] > since_ms:
                settings = settings_of(game)
                settings["league"]["until"] += later
                tx.set(Game, game.id, settings=written(settings))
                moved += 1
        hooks.due(sitting, season.id)
    return moved
