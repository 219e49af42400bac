"""The lists: the tables that are gathering, that are played at, and that have ended."""

from __future__ import annotations

import json
from collections.abc import Hashable
from functools import lru_cache
from typing import Any

from referee import rules
from referee.ids import GameId
from referee.states import GATHERING, GameStatus
from referee.store import Game, Seat, Tx

from ...core.unit_of_work import settings_of
from .page_cache import PageContext, PageSpec, Wanted

#: tables on one page, and for how long a list may be what it was
SIZE, FRESH_MS = 50, 2_000
#: what `show` may be -> the states of those tables
LISTS = {
    "running": (GameStatus.RUNNING, GameStatus.FROZEN),
    "gathering": GATHERING,
    "over": (GameStatus.OVER,),
}
#: how many of each are listed at all
MOST = {"running": 100_000, "gathering": 100_000, "over": 500}


def version(look: PageContext, wanted: Wanted) -> Hashable | None:
    """The same for two seconds: a list of thousands is not made for each of its readers."""
    return look.now_ms // FRESH_MS if wanted.get("show", "running") in LISTS and page_of(wanted) > 0 else None


def list_page_facts(look: PageContext, wanted: Wanted) -> dict[str, Any] | None:
    """One page of one list: show, page, pages, counts by list, and the tables [{id, edition, status, round,
    names, waiting, result}].
    """
    show, page = wanted.get("show", "running"), page_of(wanted)
    counts = counts_of_lists(look.tx)
    pages = max(1, -(-counts[show] // SIZE))
    if page > pages:
        return None
    here = [row(look, number) for number in look.tx.public_games(LISTS[show], SIZE, (page - 1) * SIZE)]
    return {
        "show": show,
        "page": page,
        "pages": pages,
        "counts": counts,
        "tables": [one for one in here if one is not None],
    }


def counts_of_lists(tx: Tx) -> dict[str, int]:
    """How many tables there are in each list."""
    return {name: tx.public_count(states, MOST[name]) for name, states in LISTS.items()}


def page_of(wanted: Wanted) -> int:
    """The page that is wanted; 0 for what is none."""
    text = wanted.get("page", "1")
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 6 else 0


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
