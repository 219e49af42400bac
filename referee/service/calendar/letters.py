"""The letters about a person's calendar."""

from __future__ import annotations

from ..core.composing import Draft, LetterContext
from ..core.letters import LetterTraits, letter, plain
from . import commands, ical

plain(commands.CalendarLinkFacts, __name__, LetterTraits(secret=True))


@letter(commands.CalendarFileFacts)
def calendar_file(ctx: LetterContext) -> Draft:
    """One's deadlines as a file."""
    if ctx.person is None:
        return Draft()
    count, files = ical.attached(ctx.tx, ctx.words, ctx.person, ctx.key)
    return Draft({"count": count}, attachments=files)
