"""The pages that anybody may see, out of the store: public views, public events and public rows, nothing
else.

showing one page: is there a new one, else the one made before seen which tables a stranger may see tables the
first page: what is played table one table as it stands history one table step by step, and its record
unrolling the past, played again from the journal pictures one table as SVG: how it stands, its score, how it
went leagues standings, schedules, strength, a player's record league_files their pictures, CSV, JSON,
calendar
"""

from __future__ import annotations

from collections.abc import Mapping

from . import history, league_files, leagues, pictures, table, tables
from .history import Shelf
from .page_cache import Page, Showing

__all__ = ["PAGES", "Page", "Shelf", "Showing", "all_pages"]

#: a page's name, which is also its template's -> how it is filled
PAGES: Mapping[str, Page] = {**tables.PAGES, **table.PAGES, **leagues.PAGES, **league_files.PAGES}


def all_pages(shelf: Shelf) -> dict[str, Page]:
    """All of them; those of the past take it from this shelf."""
    return {**PAGES, **history.pages(shelf), **pictures.pages(shelf)}
