"""The course of a finished game in numbers, beside its chart."""

from __future__ import annotations

from typing import Any

from referee.states import GameStatus

from ...play.chances import course_of_chances
from .history import HistoryCache
from .page_cache import PageContext, PageSpec, Wanted
from .visibility import visible_table


def with_chances(shelf: HistoryCache, page: PageSpec) -> PageSpec:
    """The page of a table, with `chances`: at the beginning of each round, every seat's chance to win in per
    cent; [] before the end.
    """

    def facts(look: PageContext, wanted: Wanted) -> dict[str, Any] | None:
        game = visible_table(look.tx, wanted)
        found = None if page.facts is None else page.facts(look, wanted)
        if found is None or game is None:
            return found
        over = game.status == GameStatus.OVER and bool(game.snapshot)
        past = shelf.now(look.tx, game, look.states) if over else None
        return found | {"chances": [] if past is None else course_of_chances(past)}

    return page._replace(facts=facts)
