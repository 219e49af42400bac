"""The pages that anybody may see, out of the store: public views, public events and public rows, nothing
else.

page_cache  one page: is there a new one, else the one made before
visibility  which tables a stranger may see
home        the first page, and a game of bots      tables    all tables
table       one table as it stands; characters: the row above its cities
invitation  a table by invitation, before the game  cards     the cards of one table
history     one table step by step, and its record  pictures  one table as SVG
chances     the course of a finished game in numbers; comments: what players wrote below its positions
hooks       pages of other rooms
"""

from __future__ import annotations

from collections.abc import Mapping

from ..demo import Demo
from . import cards, chances, history, home, invitation, pictures, table, tables
from .history import HistoryCache
from .hooks import MORE
from .page_cache import PageCache, PageSpec

__all__ = ["PAGES", "HistoryCache", "PageCache", "PageSpec", "all_pages"]

#: a page's name, which is also its template's -> how it is filled
PAGES: Mapping[str, PageSpec] = {**tables.PAGES, **table.PAGES, **cards.PAGES, **invitation.PAGES}


def all_pages(shelf: HistoryCache, demo: Demo) -> dict[str, PageSpec]:
    """All of them, also those of other rooms; those of the past take it from this shelf, the first page shows
    this demo.
    """
    return {
        **PAGES,
        "table": chances.with_chances(shelf, PAGES["table"]),
        **MORE,
        **home.pages(demo),
        **history.pages(shelf),
        **pictures.pages(shelf),
    }
