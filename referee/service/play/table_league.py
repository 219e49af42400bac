"""What a table knows of its league: data of the table, which everybody may read."""

from __future__ import annotations

from referee.store import Game

from ..core.table_settings import TableLeague
from ..core.unit_of_work import settings_of


def read_league(game: Game) -> TableLeague | None:
    """What a table knows of its league; None for a table of none."""
    return settings_of(game).get("league") if '"league"' in game.settings else None
