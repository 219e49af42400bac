"""The nearest legal orders, for an answer that could not be read.  Offered, never applied."""

from __future__ import annotations

from difflib import SequenceMatcher

from ...rules.facts import Move
from ...rules.notation import order_text
from ..folding import fold
from ..meter import spend
from .open_question import OpenQuestion, texts
from .shapes import SHAPES
from .terms import Reading

MOST = 3
_LIKE = 0.45
#: this many letters of a line are compared: no order is longer
_COMPARED = 80


def order(move: Move, reading: Reading) -> str:
    """The canonical text of a move at this table.  An order of an edition that is not built, which the
    rules can't print, is printed by the same pattern here."""
    names = tuple(reading.names)
    try:
        return order_text(move, names)
    except ValueError:
        parts = next(p for p in SHAPES[move.verb] if len(p) == len(move.args))
        words = (
            names[a] if p == "<P>" else ", ".join(a) if isinstance(a, tuple) else str(a)
            for p, a in zip(parts, move.args, strict=True)
        )
        return " ".join((move.verb, *words))


def nearest(line: str, reading: Reading, now: OpenQuestion, verb: str = "") -> tuple[str, ...]:
    """At most three canonical orders that are legal now and look like the line; where its verb was
    understood, only orders with that verb."""
    typed = fold(line)[:_COMPARED]
    scored = []
    for place, (option, text) in enumerate(
        zip(now.options, texts(now.options, tuple(reading.names)), strict=True)
    ):
        score = SequenceMatcher(None, typed, fold(text)).ratio() if typed else _LIKE
        if option.verb == verb:
            score += 1
        elif verb:  # "build palce" is nowhere near "kill Architect"
            continue
        spend()
        if score >= _LIKE:
            scored.append((-score, place, text))
    return tuple(text for _, _, text in sorted(scored)[:MOST])


def naming(card: str, reading: Reading, now: OpenQuestion, verb: str) -> tuple[str, ...]:
    """At most three orders of that verb that name this card and are legal now."""
    said = texts(now.moves, tuple(reading.names)) if card else ()
    return tuple(
        text for move, text in zip(now.moves, said, strict=False) if move.verb == verb and card in move.args
    )[:MOST]
