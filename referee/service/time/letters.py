"""The reminder of a question."""

from __future__ import annotations

from ..core.composing import Draft, LetterContext
from ..core.letters import LetterTraits, UnsolicitedDelivery, letter
from ..play.letters import seat_prompt
from .reminders import ReminderFacts


@letter(
    ReminderFacts,
    LetterTraits(
        asks=True,
        urgent=True,
        must_arrive=True,
        entries="question",
        on_page=True,
        unasked=UnsolicitedDelivery("turns", raised={"last": "urgent"}),
    ),
)
def reminder(ctx: LetterContext) -> Draft | None:
    """What the seat is still asked."""
    return seat_prompt(ctx)
