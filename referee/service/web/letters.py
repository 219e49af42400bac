"""The letter that lets its reader in on the web, and what letters tell of a table's page."""

from __future__ import annotations

from typing import Any

from referee.store import Game

from ..core.composing import TABLE_FACTS, Occasion
from ..core.letters import Traits, plain, traits
from . import commands, page_command

plain(commands.WebLinkFacts, __name__, Traits(secret=True))


def page(occasion: Occasion, game: Game) -> dict[str, Any]:
    """Where the table can be looked at, in the letters that end with that."""
    shown = traits(occasion.row.kind).linked
    base_url = occasion.settings.base_url
    return {"page": page_command.link(occasion.tx, base_url, game, occasion.row) if shown else ""}


TABLE_FACTS.add("page", page, __name__)
