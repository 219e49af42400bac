"""Pages of other rooms, and what they know of a table that its page shows."""

from __future__ import annotations

from typing import Any

from referee.store import Game

from ...core.hooks import Question
from ...core.registry import Registry
from .page_cache import PageContext, PageSpec


def _nothing(look: PageContext, game: Game) -> dict[str, Any] | None:
    return None


#: a page's name, which is also its template's -> how it is filled
MORE: Registry[PageSpec] = Registry("page")
#: the league that a table is played in, if strangers may see it: id, name, season, round, table
league_of: Question[[PageContext, Game], dict[str, Any] | None] = Question("league of a table", _nothing)
