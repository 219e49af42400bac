"""The first page: the tables that are gathering, that are played at, and that have ended."""

from __future__ import annotations

import json
from collections.abc import Hashable
from functools import lru_cache
from typing import Any

from referee import rules
from referee.ids import GameId
from referee.states import GATHERING, GameStatus
from referee.store import Game, GameRoom, Seat, Tx

from ...core.unit_of_work import settings_of
from .page_cache import PageContext, PageSpec, Wanted
from .visibility import settings_are_public

#: tables on one page, seconds for which a list may be what it was, and how many that have ended are listed at
#: all
SIZE, FRESH_MS, ENDED = 50, 2_000, 500
#: what `show` may be -> the states of those tables
LISTS = {
    "running": (GameStatus.RUNNING, GameStatus.FROZEN),
    "gathering": GATHERING,
    "over": (GameStatus.OVER,),
}


def version(look: PageContext, wanted: Wanted) -> Hashable | None:
    """The same for two seconds: a list of thousands is not made for each of its readers."""
    return look.now_ms // FRESH_MS if wanted.get("show", "running") in LISTS and page_of(wanted) > 0 else None


def list_page_facts(look: PageContext, wanted: Wanted) -> dict[str, Any] | None:
    """One page of one list: show, page, pages, counts by list, and the tables [{id, edition, status, round,
    names, waiting, result}].
    """
    show, page = wanted.get("show", "running"), page_of(wanted)
    numbers = {name: public_numbers(look.tx, name) for name in LISTS}
    pages = max(1, -(-len(numbers[show]) // SIZE))
    if page > pages:
        return None
    here = [row(look, number) for number in numbers[show][(page - 1) * SIZE : page * SIZE]]
    return {
        "show": show,
        "page": page,
        "pages": pages,
        "counts": {name: len(found) for name, found in numbers.items()},
        "tables": [one for one in here if one is not None],
    }


def page_of(wanted: Wanted) -> int:
    """The page that is wanted; 0 for what is none."""
    text = wanted.get("page", "1")
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 6 else 0


def public_numbers(tx: Tx, name: str) -> list[GameId]:
    """The numbers of the tables of a list that everybody may see, the newest first."""
    watched = set(tx.column(GameRoom, "game_id"))
    limit = ENDED if name == "over" else 0
    numbers = tx.column(Game, "id", status=LISTS[name], archived_ms=0, order="-id", limit=limit)
    settings = tx.column(Game, "settings", status=LISTS[name], archived_ms=0, order="-id", limit=limit)
    return [
        number
        for number, text in zip(numbers, settings, strict=True)
        if settings_are_public(json.loads(text), number in watched)
    ]


def row(look: PageContext, number: GameId) -> dict[str, Any] | None:
    """One table in a list."""
    game = look.tx.get(Game, number)
    if game is None:
        return None
    seats = look.tx.all(Seat, game_id=number, order="no")
    found: dict[str, Any] = {
        "id": number,
        "edition": game.edition,
        "status": game.status,
        "round": game.round,
        "names": [seat.name for seat in seats],
        "wanted": settings_of(game)["seats"],
        "waiting": [],
        "winners": [],
        "ended_ms": game.ended_ms,
    }
    if game.status == GameStatus.OVER:
        found["winners"] = [found["names"][seat] for seat in winners(game.snapshot)]
    elif game.status == GameStatus.RUNNING:
        found["waiting"] = [found["names"][int(seat)] for seat in game.asked.split(",") if seat]
    return found


@lru_cache(maxsize=256)
def winners(snapshot: bytes) -> tuple[int, ...]:
    """The seats that won; a game that has ended is read once, not for each list that it is in."""
    return tuple(rules.view(rules.load(json.loads(snapshot)), None)["result"]["winners"])


PAGES = {"tables": PageSpec(("show", "page"), version, list_page_facts)}
