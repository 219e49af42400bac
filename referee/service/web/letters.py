"""The letter that lets its reader in on the web, and what letters tell of a table's page."""

from __future__ import annotations

from typing import Any

from referee.store import Game

from ..core.composing import TABLE_FACTS, LetterContext
from ..core.letters import LetterTraits, plain, traits
from . import commands, page_command

plain(commands.WebLinkFacts, __name__, LetterTraits(secret=True))
plain(commands.WebSessionsFacts, __name__)


def page(ctx: LetterContext, game: Game) -> dict[str, Any]:
    """Where the table can be looked at, in the letters that end with that."""
    shown = traits(ctx.row.kind).linked
    base_url = ctx.settings.base_url
    return {"page": page_command.table_link(ctx.tx, base_url, game, ctx.row) if shown else ""}


TABLE_FACTS.add("page", page, __name__)
