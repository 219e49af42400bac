"""The reminder of a question."""

from __future__ import annotations

from ..core.composing import Draft, Occasion
from ..core.letters import Traits, Unasked, letter
from ..play.letters import shown
from .reminders import ReminderFacts


@letter(
    ReminderFacts,
    Traits(
        asks=True,
        urgent=True,
        must_arrive=True,
        entries="question",
        on_page=True,
        unasked=Unasked("turns", raised={"last": "urgent"}),
    ),
)
def reminder(occasion: Occasion) -> Draft | None:
    """What the seat is still asked."""
    return shown(occasion)
