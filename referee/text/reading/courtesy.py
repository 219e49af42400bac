"""What stands around the orders of a letter: "Hi referee," above them, "Thanks, Dan" below, quotation marks.

They are no orders and must not spoil those that are.  Only whole lines of a message of several are
taken off, and only the ones that the language knows; anything else is left for the reader to refuse.
Letters show in quotation marks what may be typed, so a line is also read as it was copied from there.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from ..folding import fold
from ..lexicon import Lexicon, lexicon
from ..meter import unmetered
from .talk_around import is_face
from .terms import Reading

#: lists of what may be said to be polite
_TABLES = ("openings", "closings", "pleasantries")
#: and what is that only where it stands alone: "kill Thief; sorry" may take back
_ALONE = (*_TABLES, "apologies")
#: how many words an opening line may have: "Dear kind referee,"
_MOST = 3
#: and how many letters a line may have to be one
_LONGEST = 80
#: the same once more, and again: "kkkkkkk", "hahahaha"
_LAUGHTER = re.compile(r"(\w{1,2}?)\1{3,}")
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
    polite = {fold(one) for table in _TABLES for one in lexicon.courtesies(table)}
    return [chunk for chunk in chunks if _bare(chunk) not in polite] or chunks


def is_courtesy(line: str, reading: Reading) -> bool:
    """Whether a line is nothing but greetings, thanks, laughter and emoji, perhaps with names of the table:
    "Thanks Bea, gg 👍".
    """
    if len(line) > _LONGEST:
        return False
    written = line.split()
    line = " ".join(word for word in written if not is_face(word))
    words = [_LAUGHTER.sub(r"\1\1\1", word) for word in _bare(line).split() if word != ","]
    said = _phrases(reading.language, reading.own, _ALONE)
    names = [tuple(fold(one).split()) for one in (*reading.names, *reading.lexicon.courtesies("audience"))]
    place, polite = 0, written != line.split()
    while place < len(words):
        used = _begun(words[place:], said) or int(_is_emoji(words[place]))
        polite = polite or used > 0
        used = used or _begun(words[place:], names)
        if not used:
            return False
        place += used
    return polite


def is_pleasantry(line: str, reading: Reading) -> bool:
    """Whether a line is one of the things that are only said to be kind, word for word, and nobody's name:
    "de nada" refuses nothing.
    """
    said = _bare(line) if len(line) <= _LONGEST else ""
    kind = tuple(said.split()) in _phrases(reading.language, reading.own, ("pleasantries", "apologies"))
    return kind and said not in map(fold, reading.names)


def _begun(words: Sequence[str], phrases: Iterable[tuple[str, ...]]) -> int:
    """How many words the longest of those phrases takes up that they begin with."""
    return max((len(one) for one in phrases if tuple(words[: len(one)]) == one), default=0)


def _is_emoji(word: str) -> bool:
    return all(unicodedata.category(char) in ("So", "Sk") for char in word)


@lru_cache(maxsize=16)
@unmetered
def _phrases(language: str, own: tuple[Any, ...], tables: tuple[str, ...]) -> frozenset[tuple[str, ...]]:
    lex = lexicon(language, own)
    return frozenset(tuple(fold(one).split()) for table in tables for one in lex.courtesies(table)) - {()}


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
