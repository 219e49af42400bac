"""How much a person may type, and how long reading it may take.

Sizes are looked at before anything is read, so that no reader ever sees more than it can deal with at once.  A word or a name may
grow eighteenfold when it is folded (one Arabic sign is a whole sentence), so what counts is the folded text.  Where many small readings
add up (a plan of a hundred lines), the meter stops them: each reader that loops over what was typed calls `spend`.
"""
from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

from ..folding import fold
from .terms import Trouble

#: so long a message may be, whatever it is: a plan of many lines is the longest
MESSAGE = 12_000
#: what is said in a room and not to us is looked at for orders up to this length; orders are shorter
CHATTER = 200
#: words and folded signs of a line: one order, or what follows a command
WORDS, SIGNS = 60, 400
#: commands that may take more: (words, folded signs); what is said at a table, or announced in a league, has limits of its own in letters
ROOMY: Mapping[str, tuple[int, int]] = {"new": (120, 1_000), "admin": (120, 800)}
#: commands that pass on what follows them: so many signs are looked at
SPOKEN: Mapping[str, int] = {"say": 4_000, "tell": 4_000, "whisper": 4_000, "league": 4_000}
#: processor time that reading one message may take, milliseconds
READING_MS = 50

_END_NS: ContextVar[int] = ContextVar("reading until", default=0)


class TooCostly(Exception):
    """Reading a message took all of its time."""


@contextmanager
def metered(milliseconds: float = READING_MS) -> Iterator[None]:
    """What is read within may cost so much of this thread's processor time; then `spend` raises TooCostly.  Within another one, the
    stricter of both counts."""
    end, outer = time.thread_time_ns() + round(milliseconds * 1_000_000), _END_NS.get()
    token = _END_NS.set(min(end, outer) if outer else end)
    try:
        yield
    finally:
        _END_NS.reset(token)


def spend() -> None:
    """Called where a reader loops over what somebody typed.  Raises TooCostly when its time is over."""
    end = _END_NS.get()
    if end and time.thread_time_ns() > end:
        raise TooCostly


def too_long(text: str, quote: str = "", command: str = "") -> Trouble | None:
    """Why a line is not read: more words, or more letters once folded, than an order or a command may have.  None: it may be read."""
    words, signs = ROOMY.get(command, (WORDS, SIGNS))
    if len(text) <= words:                            # the usual way: not even folded
        grown = len(text) if text.isascii() else len(fold(text))
        if grown <= signs:
            return None
    elif len(text) <= 2 * signs:
        folded = fold(text)
        if len(folded) <= signs and sum(word != "," for word in folded.split()) <= words:
            return None
    return Trouble("too-many-words", quote or _quote(text), facts={"command": command, "words": words, "signs": signs})


def message_too_long(text: str) -> Trouble | None:
    """The same for a whole message."""
    return None if len(text) <= MESSAGE else Trouble("message-too-long", _quote(text), facts={"count": len(text), "most": MESSAGE})


def too_costly(text: str) -> Trouble:
    """What is said of a message whose reading took too long."""
    return Trouble("too-costly", _quote(text))


def _quote(text: str) -> str:
    return " ".join(text[:80].split())
