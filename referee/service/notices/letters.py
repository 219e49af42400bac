"""The letter over all of somebody's games, and what every letter to a person tells of how to end letters."""

from __future__ import annotations

from dataclasses import replace

from referee.ports import Letter

from ..core.composing import FINISHERS, ComposedLetter, Draft, LetterContext
from ..core.letter_buttons import keyed, listed
from ..core.letters import LetterTraits, UnsolicitedDelivery, letter
from . import commands
from . import digest as all_games


@letter(
    all_games.DigestFacts,
    LetterTraits(spans=True, entries="menu", unasked=UnsolicitedDelivery("off", gathered=False, timed=True)),
)
def digest(ctx: LetterContext) -> Draft | None:
    """The daily letter, or what was held back in quiet hours."""
    if ctx.person is None:
        return Draft()
    facts = ctx.read(all_games.DigestFacts)
    filled, told = all_games.digest_contents(ctx.tx, ctx.words, ctx.states, ctx.person, facts, ctx.now_ms)
    if not filled["games"] and not facts.notices:
        return None
    options = keyed(ctx, all_games.entries(filled["games"], ctx.words, ctx.language))
    return Draft({**filled, "options": options}, listed(options), told=told)


def unsubscribe(composition: ComposedLetter, letter: Letter) -> Letter:
    """Where the link of a letter to a person leads that ends such letters."""
    ctx = composition.ctx
    link = commands.unsubscribe_facts(ctx.settings.base_url, ctx.key, ctx.row)
    return replace(letter, facts={**link, **letter.facts}) if link else letter


FINISHERS.add("unsubscribe", unsubscribe, __name__)
