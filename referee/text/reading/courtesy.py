"""Polite lines around the orders of a letter: "Hi referee," above them, "Thanks, Dan" below.

They are no orders and must not spoil those that are.  Only whole lines of a message of several are
taken off, and only the ones that the language knows; anything else is left for the reader to refuse.
"""

from __future__ import annotations

from ..folding import fold
from ..lexicon import Lexicon

#: how many words an opening line may have: "Dear kind referee,"
_MOST = 3
#: and how many letters a line may have to be one
_LONGEST = 80


def without_courtesies(text: str, lexicon: Lexicon) -> str:
    """The same text without an opening line and without everything from a closing line on."""
    lines = text.splitlines()
    written = [n for n, line in enumerate(lines) if line.strip()]
    if len(written) < 2:
        return text
    closings = {fold(one) for one in lexicon.courtesies("closings")}
    end = next(
        (n for n in written[1:] if len(lines[n]) <= _LONGEST and _bare(lines[n]) in closings), len(lines)
    )
    first = written[0]
    begin = (
        first + 1
        if len(lines[first]) <= _LONGEST
        and _opens(lines[first], lexicon)
        and any(first < n < end for n in written)
        else 0
    )
    return "\n".join(lines[begin:end])


def _bare(line: str) -> str:
    return fold(line).strip(" ,.!-;")


def _opens(line: str, lexicon: Lexicon) -> bool:
    words = _bare(line).split()
    said = " ".join(words)
    return len(words) <= _MOST and any(
        said == o or said.startswith(o + " ") for o in map(fold, lexicon.courtesies("openings"))
    )
