"""How much a person may type, and how long reading it may take.

Sizes are looked at before anything is read, so that no reader ever sees more than it can deal with at once. A
word or a name may grow eighteenfold when it is folded (one Arabic sign is a whole sentence), so what counts
is the folded text. Where many small readings add up (a plan of a hundred lines), the meter stops them
(meter.py).
"""

from __future__ import annotations

from collections.abc import Mapping

from ..folding import fold
from .terms import NotUnderstood

#: so long a message may be, whatever it is: a plan of many lines is the longest
MESSAGE = 12_000
#: what is said in a room and not to us is looked at for orders up to this length; orders are shorter
CHATTER = 200
#: words and folded signs of a line: one order, or what follows a command
WORDS, SIGNS = 60, 400
#: commands that may take more: (words, folded signs); what is said at a table, or announced in a league, has
#: limits of its own in letters
ROOMY: Mapping[str, tuple[int, int]] = {"new": (120, 1_000), "admin": (120, 800)}
#: commands that pass on what follows them: this many signs are looked at
SPOKEN: Mapping[str, int] = {
    "say": 4_000,
    "tell": 4_000,
    "whisper": 4_000,
    "comment": 4_000,
    "league": 4_000,
}
#: processor time that reading one message may take, milliseconds
READING_MS = 50


def too_long(text: str, quote: str = "", command: str = "") -> NotUnderstood | None:
    """Why a line is not read: more words, or more letters once folded, than an order or a command may have.

    None: it may be read.
    """
    words, signs = ROOMY.get(command, (WORDS, SIGNS))
    if len(text) <= words:  # the usual way: not even folded
        grown = len(text) if text.isascii() else len(fold(text))
        if grown <= signs:
            return None
    elif len(text) <= 2 * signs:
        folded = fold(text)
        if len(folded) <= signs and sum(word != "," for word in folded.split()) <= words:
            return None
    return NotUnderstood(
        "too-many-words", quote or _quote(text), facts={"command": command, "words": words, "signs": signs}
    )


def message_too_long(text: str) -> NotUnderstood | None:
    """The same for a whole message."""
    return (
        None
        if len(text) <= MESSAGE
        else NotUnderstood("message-too-long", _quote(text), facts={"count": len(text), "most": MESSAGE})
    )


def _quote(text: str) -> str:
    return " ".join(text[:80].split())
