"""Several orders in one line, without a semicolon: "gold, build market, end", "gold then end".

A line is parted only where all of it is orders that are written out, and in one way only: commas and "and"
stand between the cards of one order, too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from ...rules.facts import Move
from ..folding import fold
from ..meter import spend
from .orders import read_order
from .shown import entries_named
from .splitting import LONGEST
from .terms import Reading

#: a line of more pieces is not parted
_MOST = 8
_WORD = re.compile(r",|[^\s,]+")


def part(line: str, reading: Reading) -> tuple[str, ...]:
    """The orders that a line consists of, () where they are not more than one or not certain.

    Other than `split`, which needs no question, and takes any piece for an order.
    """
    pieces = _pieces(line, reading) if len(line) <= LONGEST else []
    if not 1 < len(pieces) <= _MOST:
        return ()
    ways = _ways(line, pieces, reading)
    return tuple(ways[0]) if len(ways) == 1 and len(ways[0]) > 1 else ()


def _pieces(line: str, reading: Reading) -> list[tuple[int, int]]:
    """Where the pieces between commas, "and" and "then" begin and end."""
    words = [(found.start(), found.end(), fold(found[0])) for found in _WORD.finditer(line)]
    between = _between(reading)
    pieces: list[tuple[int, int]] = []
    at = begin = 0
    while at < len(words):
        used = next(
            (len(one) for one in between if [w for _, _, w in words[at : at + len(one)]] == list(one)), 0
        )
        if used:
            if begin < at:
                pieces.append((words[begin][0], words[at - 1][1]))
            begin = at + used
        at += used or 1
    if begin < len(words):
        pieces.append((words[begin][0], words[-1][1]))
    return pieces


def _between(reading: Reading) -> Sequence[tuple[str, ...]]:
    """What may stand between two orders, folded, the longest first."""
    said = (*reading.lexicon.words("then", "language"), reading.lexicon.words("and", "language")[-1], ",")
    return sorted({tuple(fold(one).split()) for one in said}, key=len, reverse=True)


def _ways(line: str, pieces: Sequence[tuple[int, int]], reading: Reading) -> list[list[str]]:
    """At most two ways to put the pieces together again so that each is an order."""
    bare = replace(reading, ask=None, view=None, shown=None, numbers=False)
    ways: list[list[list[str]]] = [[[]]]  # from the end backwards: those of the pieces from each on
    for first in range(len(pieces) - 1, -1, -1):
        here: list[list[str]] = []
        for behind, (_, end) in zip(reversed(ways), pieces[first:], strict=True):
            said = line[pieces[first][0] : end]
            if behind and _is_order(said, bare, reading):
                here += [[said, *rest] for rest in behind]
        ways.append(here[:2])
    return ways[-1]


def _is_order(said: str, bare: Reading, reading: Reading) -> bool:
    """Whether it is written out, whatever is asked, or stands on a button of the question."""
    spend()
    return isinstance(read_order(said, bare), Move) or len(entries_named(said, reading)) == 1
