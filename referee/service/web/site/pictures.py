"""A table's pictures as everybody may see them: how it stands; the final score, how it went, the chances to
win meanwhile.

SVG, which browsers draw by themselves.
"""

from __future__ import annotations

from collections.abc import Hashable

from referee import rules
from referee.states import GameStatus
from referee.store import Game, Journal, Seat
from referee.text.rendering import pictures

from ...core.unit_of_work import names
from ...play.chances import course_of_chances
from ...play.replay import GameHistory, points
from .history import HistoryCache
from .page_cache import PageContext, PageSpec, Wanted
from .visibility import visible_table

SVG = "image/svg+xml"
#: pictures that there are of a finished game only: the chances are reckoned from all hands
_ENDED = ("score", "chances")
TAKES = ("game", "key", "what", "theme")


def pages(shelf: HistoryCache) -> dict[str, PageSpec]:
    """The pictures; how a game went is taken from the pasts of this shelf."""

    def version(look: PageContext, wanted: Wanted) -> Hashable | None:
        game = visible_table(look.tx, wanted)
        if (
            game is None
            or not game.snapshot
            or (wanted.get("what") in _ENDED and game.status != GameStatus.OVER)
        ):
            return None
        seats = tuple(seat.name for seat in look.tx.all(Seat, game_id=game.id, order="no"))
        if wanted.get("what") == "course" and game.status == GameStatus.RUNNING:
            # with every order it would be drawn anew; but a round that was gone back over ends otherwise
            undone = look.tx.count(Journal, game_id=game.id, undone=1)
            return game.round, undone, game.status, seats
        return game.event_no, game.status, seats

    def drawn(look: PageContext, wanted: Wanted) -> tuple[str, str, str] | None:
        game = visible_table(look.tx, wanted)
        if game is None:
            return None
        theme, tag = "dark" if wanted.get("theme") == "dark" else "light", f"#{game.id}"
        if wanted.get("what") in ("course", "chances"):
            called = names(look.tx.all(Seat, game_id=game.id, order="no"))
            players = [{"seat": seat, "name": name} for seat, name in enumerate(called)]
            draw, reckon = (
                (pictures.course_picture, points)
                if wanted["what"] == "course"
                else (pictures.chances_picture, of_chances)
            )
            rounds = reckon(shelf.now(look.tx, game, look.states), game)
            return "", draw(look.words, look.language, theme, players, rounds, tag).svg, SVG
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


def of_chances(past: GameHistory, game: Game) -> list[list[int]]:
    """At the beginning of each round of a finished game, every seat's chance to win in per cent."""
    return course_of_chances(past) if game.status == GameStatus.OVER else []
