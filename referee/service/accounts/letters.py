"""The letters about a person's accounts."""

from __future__ import annotations

from ..core.composing import Draft, Occasion
from ..core.letter_buttons import worded
from ..core.letters import letter, plain
from . import commands, join

plain(commands.AccountsFacts, __name__)
plain(join.LinkCodeFacts, __name__)


@letter(join.LinkAskFacts)
def link_ask(occasion: Occasion) -> Draft | None:
    """Whether two accounts are one person, asked at one of both addresses."""
    about = occasion.read(join.LinkAskFacts)
    question = join.asked(occasion.tx, occasion.row, about.join, about.address)
    if question is None:
        return None
    word = question["word"]
    offers = [] if question["answered"] else [("yes", f"link yes {word}"), ("no", f"link no {word}")]
    return Draft(question, worded(occasion, offers))
