"""A table's pictures as everybody may see them: how it stands, the final score, how it went.

SVG, which browsers draw by themselves.
"""

from __future__ import annotations

from collections.abc import Hashable

from referee import rules
from referee.states import GameStatus
from referee.store import Seat
from referee.text.rendering import pictures

from ...core.unit_of_work import names
from ...play.replay import points
from .history import HistoryCache
from .page_cache import PageContext, PageSpec, Wanted
from .visibility import visible_table

SVG = "image/svg+xml"
TAKES = ("game", "key", "what", "theme")


def pages(shelf: HistoryCache) -> dict[str, PageSpec]:
    """The pictures; how a game went is taken from the pasts of this shelf."""

    def version(look: PageContext, wanted: Wanted) -> Hashable | None:
        game = visible_table(look.tx, wanted)
        if (
            game is None
            or not game.snapshot
            or (wanted.get("what") == "score" and game.status != GameStatus.OVER)
        ):
            return None
        seats = tuple(seat.name for seat in look.tx.all(Seat, game_id=game.id, order="no"))
        return (
            (
                game.round
                if wanted.get("what") == "course" and game.status == GameStatus.RUNNING
                else game.event_no
            ),
            game.status,
            seats,
        )

    def drawn(look: PageContext, wanted: Wanted) -> tuple[str, str, str] | None:
        game = visible_table(look.tx, wanted)
        if game is None:
            return None
        theme, tag = "dark" if wanted.get("theme") == "dark" else "light", f"#{game.id}"
        if wanted.get("what") == "course":
            called = names(look.tx.all(Seat, game_id=game.id, order="no"))
            rounds = course(shelf, look, wanted)
            players = [{"seat": seat, "name": name} for seat, name in enumerate(called)]
            return (
                "",
                pictures.course_picture(look.words, look.language, theme, players, rounds, tag).svg,
                SVG,
            )
        state = look.states.of(game)
        view = rules.view(state, None)
        if wanted.get("what") == "score":
            return "", pictures.ending_picture(look.words, look.language, theme, view, tag).svg, SVG
        return (
            "",
            pictures.table_picture(
                look.words, look.language, theme, view, tag, cast=tuple(rules.rulebook(state).characters)
            ).svg,
            SVG,
        )

    return {"table_picture": PageSpec(TAKES, version, file=drawn)}


def course(shelf: HistoryCache, look: PageContext, wanted: Wanted) -> list[list[int]]:
    """After each round that is over, the points of every city by seat; of a finished game, the score at
    last.
    """
    game = visible_table(look.tx, wanted)
    if game is None:
        return []
    return points(shelf.now(look.tx, game, look.states), game)
