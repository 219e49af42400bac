"""The shapes of all orders, in the pattern language of the rules.

A pattern is a verb with words and slots: <C> a character, <D> a district, <B> a district that may be followed
by "beautified", <P> a player, <T> a type, <n> a number, <D>+ and <C>+ lists. Each part after the verb is one
argument of the move. This page lists the orders of every edition, so that an order of another edition or
another moment is understood, and refused with its reason, instead of being called unreadable.
"""

from __future__ import annotations

from collections.abc import Mapping

from ...rules.notation import shapes

_PATTERNS = """
pick <C>
discard <C>
exchange <P>
exchange <C> with <P>
exchange <B> for <P> <B>
pass
gold
cards
keep <D>+
income
income <n> gold <n> cards
build <D>
build <D> with Framework
build <D> with <B>
build <D> discarding <D>+
build <D> borrowing <P> giving <D>+
end
kill <C>
bewitch <C>
warrant <C>+
confiscate
rob <C>
spy <P> <T>
threaten <C>+
bribe
refuse
reveal
swap <P>
redraw <D>+
peek <P>
take <D>
see
give <D> to <P>
crown <P>
crown <P> gold
crown <P> card
tithe
tithe <P>
bonus
draw
sail gold
sail cards
study
destroy <P> <B>
seize <P> <B>
favor
beautify <B>+
collect
laboratory <D>
smithy
museum <D>
armory <P> <B>
finish
buy
"""


def _table() -> Mapping[str, tuple[tuple[str, ...], ...]]:
    out: dict[str, list[tuple[str, ...]]] = {}
    for line in _PATTERNS.split("\n"):
        if line:
            verb, *parts = line.split(" ")
            out.setdefault(verb, []).append(tuple(parts))
    return {verb: tuple(shapes) for verb, shapes in out.items()}


#: verb -> the parts of each of its patterns
SHAPES: Mapping[str, tuple[tuple[str, ...], ...]] = _table()

#: verb -> looser ways to say it: parts, and for each slot in them the place of its argument in the canonical
#: pattern.  A place that is left out is filled in only where exactly one legal order fits.
_AIMED = (
    (("<B>", "of", "<P>"), (1, 0)),
    (("<B>", "<P>"), (1, 0)),
    (("<B>",), (1,)),
)
LOOSE: Mapping[str, tuple[tuple[tuple[str, ...], tuple[int, ...]], ...]] = {
    "destroy": _AIMED,
    "seize": _AIMED,
    "armory": _AIMED,
    "give": ((("<P>", "<D>"), (2, 0)),),
    "swap": ((("with", "<P>"), (0,)),),
    "laboratory": ((("with", "<D>"), (0,)),),
    "museum": ((("with", "<D>"), (0,)),),
    "exchange": ((("<B>", "for", "<B>", "of", "<P>"), (0, 3, 2)), (("with", "<P>"), (0,))),
}


def forms(verb: str) -> tuple[str, ...]:
    """The patterns of a verb as text: ``("crown <P>", "crown <P> gold", …)``; those that the editions
    built here know, or all if none knows the verb."""
    known = tuple(shape.text for shape in shapes().get(verb, ()))
    return known or tuple(" ".join((verb, *parts)) for parts in SHAPES.get(verb, ()))
