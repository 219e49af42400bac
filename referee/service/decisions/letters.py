"""The letter about an act that waits for votes or keys."""

from __future__ import annotations

from ..core.composing import Draft, Occasion
from ..core.letter_buttons import worded
from ..core.letters import Traits, Unasked, letter
from ..core.unit_of_work import names
from . import votes


@letter(votes.VoteFacts, Traits(due_stands=True, unasked=Unasked("urgent", gathered=False)))
def vote(occasion: Occasion) -> Draft | None:
    """An open proposal, with its buttons."""
    if occasion.game is None:
        return Draft()
    shown = votes.shown(occasion.tx, occasion.row, occasion.read(votes.VoteFacts).proposal)
    if shown is None:
        return None
    facts, offers = shown
    return Draft({**facts, "names": names(occasion.seats)}, worded(occasion, offers))
