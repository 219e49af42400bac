"""What stands around the orders of a letter: "Hi referee," above them, "Thanks, Dan" below, quotation marks.

They are no orders and must not spoil those that are.  Only whole lines of a message of several are
taken off, and only the ones that the language knows; anything else is left for the reader to refuse.
Letters show in quotation marks what may be typed, so a line is also read as it was copied from there.
"""

from __future__ import annotations

from ..folding import fold
from ..lexicon import Lexicon

#: how many words an opening line may have: "Dear kind referee,"
_MOST = 3
#: and how many letters a line may have to be one
_LONGEST = 80
#: a quotation mark -> those that end what it begins
_ENDED_BY = {"“": "”“", "„": "“”", "”": "”", "«": "»", "»": "«", '"': '"', "‘": "’", "'": "'"}


def without_courtesies(text: str, lexicon: Lexicon) -> str:
    """The same text without an opening line and without everything from a closing line on; each line without
    the quotation marks that it stands in.
    """
    lines = [_unquoted(line) for line in text.splitlines()]
    written = [n for n, line in enumerate(lines) if line.strip()]
    if len(written) < 2:
        return "\n".join(lines)
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


def without_thanks(chunks: list[str], lexicon: Lexicon) -> list[str]:
    """The orders of a message without those that are only a greeting or a thank-you: "gold. Thanks!"."""
    polite = {fold(one) for table in ("openings", "closings") for one in lexicon.courtesies(table)}
    return [chunk for chunk in chunks if _bare(chunk) not in polite] or chunks


def _unquoted(line: str) -> str:
    """“join #17” as join #17; a line in which something else is quoted, too, stays as it is."""
    said = line.strip().rstrip(".,;")
    inner = said[1:-1]
    ended = len(said) > 2 and said[-1] in _ENDED_BY.get(said[0], "")
    return inner if ended and not any(mark in inner for mark in (said[0], said[-1])) else line


def _bare(line: str) -> str:
    return fold(line).strip(" ,.!-;")


def _opens(line: str, lexicon: Lexicon) -> bool:
    words = _bare(line).split()
    said = " ".join(words)
    return len(words) <= _MOST and any(
        said == o or said.startswith(o + " ") for o in map(fold, lexicon.courtesies("openings"))
    )
