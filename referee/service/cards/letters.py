"""The letters about cards."""

from __future__ import annotations

from ..core.composing import Draft, Occasion
from ..core.letters import letter
from .card_help import by_itself, here, in_game


@letter("card")
def card(occasion: Occasion) -> Draft:
    """What a card does, and where it is in the game."""
    game = occasion.game
    return (
        Draft() if game is None else Draft({"here": here(occasion.states, game, str(occasion.data["card"]))})
    )


@letter("cards")
def cards(occasion: Occasion) -> Draft:
    """All cards of a game, or of the edition to begin with."""
    if occasion.game is None:
        return Draft(by_itself())
    cast, uniques = in_game(occasion.states, occasion.game)
    return Draft({"cast": cast, "uniques": uniques})
