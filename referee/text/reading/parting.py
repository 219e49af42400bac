"""Several orders in one line, without a semicolon: "gold, build market, end", "gold then end".

A line is parted only where all of it is orders that are written out, and in one way only: commas and "and"
stand between the cards of one order, too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from ...rules.facts import Move
from ..folding import fold
from ..meter import spend
from .orders import read_order
from .shown import entries_named
from .terms import Reading

#: a line of more pieces is not parted
_MOST = 8
_WORD = re.compile(r",|[^\s,]+")


def part(line: str, reading: Reading) -> tuple[str, ...]:
    """The orders that a line consists of, () where they are not more than one or not certain.

    Other than `split`, which needs no question, and takes any piece for an order.
    """
    pieces = _pieces(line, reading)
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

    @cache
    def order(first: int, last: int) -> bool:
        said = line[pieces[first][0] : pieces[last][1]]
        spend()
        return isinstance(read_order(said, bare), Move) or len(entries_named(said, reading)) == 1

    @cache
    def ways_from(first: int) -> tuple[tuple[str, ...], ...]:
        if first == len(pieces):
            return ((),)
        found: list[tuple[str, ...]] = []
        for last in range(first, len(pieces)):
            if order(first, last):
                found += [(line[pieces[first][0] : pieces[last][1]], *rest) for rest in ways_from(last + 1)]
        return tuple(found[:2])

    return [list(way) for way in ways_from(0)]
