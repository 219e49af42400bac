"""What a seat sees as a picture on its own page: its cards, what it may answer, and the table.

SVG, which browsers draw by themselves.

It is made of the same view and the same answers as the page, for the same person; anyone who wants no
pictures has none here either.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from referee import rules
from referee.ids import SeatNo
from referee.states import GameStatus
from referee.store import Game, Person, Seat
from referee.text.rendering import pictures

from ...core.unit_of_work import names
from ..site.page_cache import PageContext
from . import seat


def picture_facts(root: str, person: Person, game: Game, since: str, way: str, seen: str) -> dict[str, Any]:
    """What the page is filled with: `picture`, its address ("" for none), and `pictured`, whether they like
    to see any.
    """
    return {
        "pictured": person.pictures != "off",
        "picture": address(root, game, since, way, seen) if wanted(person, game) else "",
    }


def wanted(person: Person, game: Game) -> bool:
    """Whether there is one: of a table that has cards on it and is not over (then its score is shown), for
    somebody who did not say `pictures off`.
    """
    return person.pictures != "off" and bool(game.snapshot) and game.status != GameStatus.OVER


def address(root: str, game: Game, since: str, way: str, seen: str) -> str:
    """Where the page finds it, with what it must know to show the same answers; "&theme=dark" may follow.
    `seen`: the page's mark, so that a browser asks anew when there is something else to see."""
    asked = {"q": game.question, "way": way} if way else {"since": since} if since else {}
    return f"{root}/me/{game.id}/seat.svg?{urlencode({**asked, 'seen': seen})}"


def seat_svg(
    look: PageContext, game: Game, no: SeatNo, way: Sequence[int], path: tuple[Any, ...], theme: str
) -> str:
    """The SVG of that seat.  `way` and `path`: as for `seat.seat_page_facts`."""
    state = look.states.of(game)
    view = rules.view(state, no)
    asked = seat.question(
        look, game, no, view, names(look.tx.all(Seat, game_id=game.id, order="no")), way, path
    )
    return pictures.seat_picture(
        look.words,
        look.language,
        theme,
        view,
        f"#{game.id}",
        asked.get("options", ()),
        cast=tuple(rules.rulebook(state).characters),
    ).svg
