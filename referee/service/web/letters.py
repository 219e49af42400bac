"""The letters about one's pages, and what other letters tell of a table's page: its address, and below a
question the button that opens it inside the reader's own channel.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from referee.ports import Button, Letter
from referee.store import Game

from ..core import outbox
from ..core.composing import FINISHERS, TABLE_FACTS, ComposedLetter, LetterContext
from ..core.letters import LetterTraits, plain, traits
from . import commands, page_command

plain(commands.WebLinkFacts, __name__, LetterTraits(secret=True))
plain(commands.WebSessionsFacts, __name__)


def page(ctx: LetterContext, game: Game) -> dict[str, Any]:
    """`page`: where the table can be looked at, in the letters that end with that. `replay`: the address that
    its steps begin with; of a reader who is signed in, the one that shows their own cards, too.
    """
    shown = traits(ctx.row.kind).linked
    base_url = ctx.settings.base_url
    link = page_command.table_link(ctx.tx, base_url, game, ctx.row) if shown else ""
    own = link and ctx.row.channel == outbox.WEB
    return {"page": link, "replay": f"{base_url}/me/{game.id}" if own else link}


TABLE_FACTS.add("page", page, __name__)


def app_button(composition: ComposedLetter, letter: Letter) -> Letter:
    """A question with a last button that opens its table inside the channel, where that can do it."""
    ctx, draft = composition.ctx, composition.draft
    if not draft.question or ctx.game is None or letter.address is None:
        return letter
    if ctx.row.channel not in ctx.settings.apps:
        return letter
    button = Button(
        label=ctx.words.phrase("button-app", ctx.language),
        key="",
        link=f"{ctx.settings.base_url}/me/app?game={ctx.game.id}",
        app=True,
    )
    return replace(letter, buttons=(*letter.buttons, (button,)))


FINISHERS.add("app", app_button, __name__)
