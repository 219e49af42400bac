"""The letter over all of somebody's games, and what every letter to a person tells of how to end letters."""

from __future__ import annotations

from dataclasses import replace

from referee.ports import Letter

from ..core.composing import FINISHERS, Composition, Draft, Occasion
from ..core.letter_buttons import keyed, listed
from ..core.letters import Traits, Unasked, letter
from . import commands
from . import digest as all_games


@letter(
    all_games.DigestFacts,
    Traits(spans=True, entries="menu", unasked=Unasked("off", gathered=False, timed=True)),
)
def digest(occasion: Occasion) -> Draft | None:
    """The daily letter, or what was held back in quiet hours."""
    if occasion.person is None:
        return Draft()
    filled, told = all_games.filled(
        occasion.tx, occasion.words, occasion.states, occasion.person, occasion.data
    )
    if not filled["games"] and not occasion.data.get("notices"):
        return None
    options = keyed(occasion, all_games.entries(filled["games"], occasion.words, occasion.language))
    return Draft({**filled, "options": options}, listed(options), told=told)


def unsubscribe(composition: Composition, letter: Letter) -> Letter:
    """Where the link of a letter to a person leads that ends such letters."""
    occasion = composition.occasion
    link = commands.link(occasion.settings.base_url, occasion.key, occasion.row)
    return replace(letter, facts={**link, **letter.facts}) if link else letter


FINISHERS.add("unsubscribe", unsubscribe, __name__)
