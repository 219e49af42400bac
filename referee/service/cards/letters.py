"""The letters about cards."""

from __future__ import annotations

from ..core.composing import Draft, LetterContext
from ..core.letters import letter
from .card_help import AllCardsFacts, CardHelpFacts, by_itself, here, in_game


@letter(CardHelpFacts)
def card(ctx: LetterContext) -> Draft:
    """What a card does, and where it is in the game."""
    game = ctx.game
    if game is None:
        return Draft()
    return Draft({"here": here(ctx.states, game, ctx.read(CardHelpFacts).card)})


@letter(AllCardsFacts)
def cards(ctx: LetterContext) -> Draft:
    """All cards of a game, or of the edition to begin with."""
    if ctx.game is None:
        return Draft(by_itself())
    cast, uniques = in_game(ctx.states, ctx.game)
    return Draft({"cast": cast, "uniques": uniques})
