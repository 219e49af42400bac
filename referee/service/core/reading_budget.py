"""What a message is read as, and what that may cost.

Reading is done before the writer is entered where a message is long (`desk.read_ahead`, on a reader's
thread): what was found is taken along, and nobody waits for it. All readings of one message together may take
`READING_MS` of the processor's time; then it is refused in words.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from referee.text import Reading, Words, read_wish
from referee.text.meter import TooCostly, metered
from referee.text.reading.limits import READING_MS

T = TypeVar("T")
#: a line that takes every reader to its end
_SAMPLE = "#1 new classic 4 seats 24h no bank no quiet remind 25% with 1 bots"
#: shorter messages are read where they are handled: that costs less than looking who wrote them
AHEAD_FROM = 80
_TOO_COSTLY = object()


def warm(words: Words) -> None:
    """Read a line in every language, unmetered: a lexicon is made of its folder when it is first used, which
    takes longer than a message may, and the first person to write after a start is not to blame for that.
    """
    for language in words.languages:
        read_wish(_SAMPLE, Reading(language, own=words.own), private=True)


class Readings:
    """Of one message; each is made once.

    `most_ms`: what all of them may take; `spent_ms`: what they took so far.
    """

    def __init__(self, most_ms: float = READING_MS) -> None:
        self.most_ms = most_ms
        self.spent_ms = 0.0
        self._found: dict[Hashable, Any] = {}

    def of(self, key: Hashable, make: Callable[[], T]) -> T:
        """What was read under that key, else read now.

        Raises TooCostly, then and ever after, where that takes too long.
        """
        if key not in self._found:
            try:
                with self.metered():
                    self._found[key] = make()
            except TooCostly:
                self._found[key] = _TOO_COSTLY
        found = self._found[key]
        if found is _TOO_COSTLY:
            raise TooCostly
        made: T = found
        return made

    def metered(self) -> metered:
        """What is read within counts."""
        return metered(self.most_ms - self.spent_ms, self._spend)

    def _spend(self, milliseconds: float) -> None:
        self.spent_ms += milliseconds
