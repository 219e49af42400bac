"""The cards of one table, each with its text in full, its orders and its rulings: what a card on the board
leads to once it is tapped.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from ...cards.card_help import in_game
from .page_cache import PageContext, PageSpec, Wanted
from .visibility import visible_table


def known_cards(look: PageContext, wanted: Wanted) -> Hashable | None:
    """Which cards are in the game: these may still change while a table gathers."""
    game = visible_table(look.tx, wanted)
    return None if game is None else (game.edition, *in_game(look.states, game))


def cards_page_facts(look: PageContext, wanted: Wanted) -> dict[str, Any] | None:
    """game (id, edition), path, cast by rank, uniques."""
    game = visible_table(look.tx, wanted)
    if game is None:
        return None
    cast, uniques = in_game(look.states, game)
    return {
        "game": {"id": game.id, "edition": game.edition},
        "path": f"{look.root}/t/{game.id}{wanted.get('key', '')}",
        "cast": cast,
        "uniques": uniques,
    }


PAGES = {"cards": PageSpec(("game", "key"), known_cards, cards_page_facts)}
