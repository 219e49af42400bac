"""What a table knows of its league: data of the table, which everybody may read."""

from __future__ import annotations

from referee.states import GameStatus
from referee.store import Game

from ..core.table_settings import TableLeague
from ..core.unit_of_work import settings_of


def read_league(game: Game) -> TableLeague | None:
    """What a table knows of its league; None for a table of none."""
    return settings_of(game).get("league") if '"league"' in game.settings else None


def told_status(game: Game) -> str:
    """A game's status as it is told: what the office of a league ended before its end was not given up, it is
    `ruled` or `void`.
    """
    told = read_league(game) if game.status == GameStatus.ABANDONED else None
    return game.status if told is None else told.get("ended", game.status)
