"""What a table knows of its league: data of the table, which everybody may read."""

from __future__ import annotations

from typing import Any

from referee.store import Game

from .unit_of_work import settings_of


def mine(game: Game) -> dict[str, Any] | None:
    """What a table knows of its league: league, name, season, no (of the season), round, table, division,
    until (when it begins without those who are not there), tries; `left` are [person, why] of those who left
    a seat (no show, withdrawn, replaced, kicked, substituted), `charged`: for so many of them it has been
    seen to what it costs. None for a table of no league.
    """
    if '"league"' not in game.settings:
        return None
    found: dict[str, Any] | None = settings_of(game).get("league")
    return found
