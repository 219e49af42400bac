"""The letter about an act that waits for votes or keys."""

from __future__ import annotations

from ..core.composing import Draft, LetterContext
from ..core.letter_buttons import button_rows
from ..core.letters import LetterTraits, UnsolicitedDelivery, letter
from ..core.unit_of_work import names
from . import votes


@letter(votes.VoteFacts, LetterTraits(due_stands=True, unasked=UnsolicitedDelivery("urgent", gathered=False)))
def vote(ctx: LetterContext) -> Draft | None:
    """An open proposal, with its buttons."""
    if ctx.game is None:
        return Draft()
    shown = votes.proposal_facts(ctx.tx, ctx.row, ctx.read(votes.VoteFacts).proposal)
    if shown is None:
        return None
    facts, offers = shown
    return Draft({**facts, "names": names(ctx.seats)}, button_rows(ctx, offers))
