"""The letters about a person's calendar."""

from __future__ import annotations

from ..core.composing import Draft, Occasion
from ..core.letters import Traits, letter, plain
from . import commands, ical

plain(commands.CalendarLinkFacts, __name__, Traits(secret=True))


@letter("calendar_file")
def calendar_file(occasion: Occasion) -> Draft:
    """One's deadlines as a file."""
    if occasion.person is None:
        return Draft()
    count, files = ical.attached(occasion.tx, occasion.words, occasion.person, occasion.key)
    return Draft({"count": count}, attachments=files)
