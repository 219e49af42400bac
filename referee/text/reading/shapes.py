"""The shapes of all orders, in the pattern language of the rules.

A pattern is a verb with words and slots: <C> a character, <D> a district, <B> a district that may be followed
by "beautified", <P> a player, <T> a type, <n> a number, <D>+ and <C>+ lists. Each part after the verb is one
argument of the move. These are the orders of the flow and of every card of every edition, as they are
declared there, so that an order of another edition or another moment is understood, and refused with its
reason, instead of being called unreadable.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from ...rules.catalog import every_card, every_order
from ...rules.facts import Move
from ...rules.notation import shapes
from ...rules.shapes import SLOTS, Shape, table

Parts = tuple[str, ...]


class LooseShape(NamedTuple):
    """A looser way to say an order: its `parts`, the place of each slot's argument in the canonical pattern,
    and the words that stand in that pattern by themselves; `size`: how many parts it has.
    """

    parts: Parts
    places: tuple[int, ...]
    words: Mapping[int, str]
    size: int


def _loose(shape: Shape) -> Iterator[LooseShape]:
    words = {place: part for place, part in enumerate(shape.parts) if part not in SLOTS}
    for text, places in shape.loose:
        yield LooseShape(tuple(text.split(" ")), places, words, len(shape.parts))


_TABLE = table(every_order())
#: verb -> the parts of each of its patterns
SHAPES: Mapping[str, tuple[Parts, ...]] = {
    verb: tuple(shape.parts for shape in found) for verb, found in _TABLE.items()
}
#: verb -> looser ways to say it
LOOSE: Mapping[str, tuple[LooseShape, ...]] = {
    verb: tuple(way for shape in found for way in _loose(shape)) for verb, found in _TABLE.items()
}
#: words of the patterns that are names of cards: "build <D> with Framework"
CARD_WORDS = frozenset(
    part
    for several in SHAPES.values()
    for parts in several
    for part in parts
    if part in {card.name for card in every_card()}
)


def forms(verb: str, offered: Iterable[Move] = ()) -> tuple[str, ...]:
    """The patterns of a verb as text: ``("crown <P>", "crown <P> gold", …)``; only those of the moves that
    are offered, where some are: others belong to cards that may not be there.
    """
    known = shapes().get(verb, ())
    own = [next((one.text for one in known if one.fits(move.args)), "") for move in offered]
    return tuple(dict.fromkeys(filter(None, own))) or tuple(shape.text for shape in known)
