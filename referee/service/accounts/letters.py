"""The letters about a person's accounts."""

from __future__ import annotations

from ..core.composing import Draft, LetterContext
from ..core.letter_buttons import button_rows
from ..core.letters import letter, plain
from . import commands, join
from . import my_data as my_data

plain(commands.AccountsFacts, __name__)
plain(join.LinkCodeFacts, __name__)


@letter(join.LinkAskFacts)
def link_ask(ctx: LetterContext) -> Draft | None:
    """Whether two accounts are one person, asked at one of both addresses."""
    about = ctx.read(join.LinkAskFacts)
    question = join.question_facts(ctx.tx, ctx.row, about.join, about.address)
    if question is None:
        return None
    word = question["word"]
    offers = [] if question["answered"] else [("yes", f"link yes {word}"), ("no", f"link no {word}")]
    return Draft(question, button_rows(ctx, offers))
