"""The first page: what this is, tables that are open to join, those that are played at, and a game of bots
where nobody plays; and that game on a page of its own.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from referee.states import GameStatus
from referee.store import Game
from referee.text.rendering.news import paragraphs

from ...core.unit_of_work import settings_of
from ..demo import EDITION, PLAYERS, Demo, DemoPosition
from . import tables
from .characters import character_row
from .page_cache import PageContext, PageSpec, Wanted

#: this many tables of each kind stand there, and this many that gather are looked at for a free seat
SHOWN, LOOKED = 12, 60
#: paragraphs of what happened lately
_LATEST = 6


def pages(demo: Demo) -> dict[str, PageSpec]:
    """The first page and those of the demo, which others have brought up to date before (`Demo.position`)."""

    def version(look: PageContext, wanted: Wanted) -> Hashable | None:
        show = wanted.get("show", "")
        return (show, tables.version(look, {}), demo.seen.mark) if not show or show in tables.LISTS else None

    def facts(look: PageContext, wanted: Wanted) -> dict[str, Any] | None:
        if wanted.get("show"):
            return {"moved": f"/tables?show={wanted['show']}"}  # where the lists were before
        playing, gathering = (
            look.tx.public_games(tables.LISTS[name], most)
            for name, most in (("running", SHOWN), ("gathering", LOOKED))
        )
        running = [tables.row(look, number) for number in playing]
        games = [look.tx.get(Game, number) for number in gathering]
        free = [game.id for game in games if game is not None and _open(look, game)][:SHOWN]
        return {
            **demo_facts(look, demo.seen),
            "open_tables": [tables.row(look, number) for number in free],
            "running": [one for one in running if one is not None],
            "counts": tables.counts_of_lists(look.tx),
        }

    def demo_version(look: PageContext, wanted: Wanted) -> Hashable | None:
        return demo.seen.mark

    def demo_page(look: PageContext, wanted: Wanted) -> dict[str, Any] | None:
        return demo_facts(look, demo.seen)

    return {
        "home": PageSpec(("show",), version, facts),
        "demo": PageSpec((), demo_version, demo_page),
        "demo_cards": PageSpec((), lambda look, wanted: demo.seen.cast, demo_page),
    }


def _open(look: PageContext, game: Game) -> bool:
    """Whether anybody may sit down there."""
    found, table = tables.row(look, game.id), settings_of(game)
    return (
        found is not None
        and game.status == GameStatus.LOBBY
        and table["entry"] == "open"
        and len(found["names"]) < found["wanted"]
    )


def demo_facts(look: PageContext, seen: DemoPosition) -> dict[str, Any]:
    """The demo as a table's page has it: game, path, names, view, characters, latest, and `watch`, where it
    is heard of.
    """
    view = dict(seen.view)
    told = [(name, look.words.event(name, facts, look.language, PLAYERS)) for _, name, facts in seen.events]
    return {
        "game": {"id": 0, "edition": EDITION, "status": GameStatus.RUNNING, "round": view["round"]},
        "path": f"{look.root}/demo",
        "names": list(PLAYERS),
        "me_seat": None,
        "view": view,
        "cast": seen.cast,
        "uniques": [],
        "characters": character_row(view, seen.cast),
        "latest": paragraphs((name, line) for name, line in told if line)[-_LATEST:],
        "watch": f"{look.root}/demo/events?seen={seen.mark}",
    }
