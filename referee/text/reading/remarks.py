"""What stands beside an order and may be left out, "kill Thief (I hope)", and what may not: "kill Thief (no,
the Bishop)", "gold (no wait, cards)".
"""

from __future__ import annotations

import re

from ..folding import fold
from .naming import SHORT
from .parsing import Parser
from .shapes import SHAPES
from .terms import Reading
from .verbs import verbs_at

_BRACKETS = re.compile(r" \(([^()]*)\) ?$")
#: words in brackets that are looked at
_MOST = 12


def takes_back(said: str, reading: Reading) -> bool:
    """Whether words begin by taking back what was said before them: "no, cards", "wait"."""
    words = fold(said).replace(",", " ").split()
    known = map(fold, reading.lexicon.words("takes_back", "language"))
    return any(words[: len(one)] == one for one in map(str.split, known) if one)


def without_brackets(line: str, reading: Reading) -> str:
    """The line without the remark in brackets at its end; "" where there is none, or one that counts: it
    names a card, somebody or a table, is an order, or takes the line back.
    """
    inside = _BRACKETS.search(line)
    if inside is None or "#" in inside[1] or _names(inside[1], reading) or says_otherwise(inside[1], reading):
        return ""
    return line[: inside.start()].rstrip()


def without_reason(line: str, reading: Reading) -> str:
    """The line without the reason at its end, "gold because I am poor"; "" where there is none, or where a
    card, somebody or a table is named in it, or where an order may begin at any word of it.
    """
    words, said = line.split(), {*map(fold, reading.lexicon.words("because", "language"))}
    at = next((n for n, word in enumerate(words) if n and fold(word) in said), 0)
    reason = fold(" ".join(words[at + 1 :])).split()
    if not at or "#" in line or len(reason) > _MOST or _names(" ".join(reason), reading):
        return ""
    if "," in reason or takes_back(" ".join(reason), reading):
        return ""
    if any(tier < SHORT for begin in range(len(reason)) for _, _, tier in verbs_at(reason[begin:], reading)):
        return ""
    return " ".join(words[:at]).rstrip(" ,")


def says_otherwise(remark: str, reading: Reading, *, begins: bool = False) -> bool:
    """Whether a remark says something else than the order beside it: another one, or that it is taken back.
    A price, "(2 gold)", is no order. `begins`: only its beginning is looked at.
    """
    if takes_back(remark, reading):
        return True
    pieces = [piece.split() for piece in fold(remark).split(",")][: 1 if begins else None]
    return any(_is_order(words, reading) for words in pieces if words and not words[0].isdecimal())


def _is_order(words: list[str], reading: Reading) -> bool:
    parser = Parser(words[:_MOST], reading)
    return any(
        next(iter(parser.fit(shape, used)), None) is not None
        for verb, used, tier in verbs_at(parser.words, reading)
        if tier < SHORT
        for shape in SHAPES[verb]
    )


def _names(remark: str, reading: Reading) -> bool:
    words, registers = fold(remark).split()[:_MOST], Parser((), reading).registers
    runs = [words[at : at + size] for size in (1, 2, 3) for at in range(len(words) - size + 1)]
    return any(
        hit.tier < SHORT
        for run in runs
        if not "".join(run).isdecimal()  # a price
        for kind in ("<C>", "<D>", "<P>")
        for hit in registers[kind].look_up(run)
    )
