"""A big question in small steps: what is offered at one place of the way to an order.

A question of the deluxe edition can have hundreds of answers.  Those that are alike are one entry, a
`MenuStep`, that opens into the next word of the order: which district, then whose, then which of theirs.
Typing the whole order always works; steps are for buttons and numbers.

    sheet(moves, families)          the question as it is asked
    sheet(moves, families, path)    what may follow a step
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations, permutations
from typing import Any, NamedTuple

from ...rules.facts import Family, Move
from ...rules.notation import shapes

#: orders alike are listed one by one up to this many
ALIKE = 9
#: and all of them together up to this many, as far as steps can help
TOGETHER = 24
#: fewer orders than this are not worth a step of their own
_FEW = 4
#: a choice among this many cards is written out
_PAIR = 2
DOTS = "…"


class MenuStep(NamedTuple):
    """`path`: the pattern of the order, then the arguments chosen so far, the last a tuple where cards are
    being chosen one by one. `example` is one of the orders that it leads to, `family` the choice of cards
    where it is only one.
    """

    path: tuple[Any, ...]
    example: Move
    family: Family | None = None

    @property
    def pattern(self) -> str:
        """How the whole order goes: "destroy <P> <B>"."""
        return str(self.path[0])

    def text(self, names: Sequence[str]) -> str:
        """The order as far as it is known: "exchange Temple for …"."""
        return so_far(self.path, names)


def so_far(path: tuple[Any, ...], names: Sequence[str]) -> str:
    """A step's path as an order that is not finished."""
    verb, *parts = str(path[0]).split(" ")
    words, given = [verb], path[1:]
    for place, part in enumerate(parts):
        if place < len(given):
            words.append(_word(part, given[place], names))
        elif not (place and len(given) == place and isinstance(given[-1], tuple)):
            words.append(DOTS if part.startswith("<") else part)
    while len(words) > 1 and words[-1] == DOTS == words[-2]:
        words.pop()
    return " ".join(words)


Entry = Move | MenuStep


class _SimilarOrders(NamedTuple):
    moves: list[Move]
    families: list[Family]


def sheet(moves: Sequence[Move], families: Sequence[Family], path: tuple[Any, ...] = ()) -> tuple[Entry, ...]:
    """The entries at that place; () for a path that leads nowhere."""
    groups: dict[str, _SimilarOrders] = {}
    for move in moves:
        groups.setdefault(_pattern(move), _SimilarOrders([], [])).moves.append(move)
    for family in families:
        for move in _written_out(family):
            groups.setdefault(_pattern(move), _SimilarOrders([], [])).moves.append(move)
    for family in families:
        if len(family.cards) <= _PAIR:
            continue
        groups.setdefault(_pattern(_first(family)), _SimilarOrders([], [])).families.append(family)
    if path:
        found = groups.get(path[0])
        return () if found is None else tuple(_after(path, found))
    whole = tuple(_whole(groups))
    only = whole[0] if len(whole) == 1 else None
    if isinstance(only, MenuStep) and only.family is None:  # nothing else to choose: its first words at once
        return tuple(_after(only.path, groups[only.pattern]))
    return whole


def _whole(groups: dict[str, _SimilarOrders]) -> Iterator[Entry]:
    single = {
        key: len(alike.moves)
        for key, alike in groups.items()
        if not alike.families and len(alike.moves) <= ALIKE
    }
    while sum(single.values()) + len(groups) - len(single) > TOGETHER and max(single.values()) >= _FEW:
        del single[max(single, key=lambda key: single[key])]
    for key, alike in groups.items():
        if key in single:
            yield from alike.moves
        else:
            yield _step((key,), alike)


def _after(path: tuple[Any, ...], alike: _SimilarOrders) -> Iterator[Entry]:
    """What may follow these arguments: whole orders where they are few, else the next argument's values."""
    given = path[1:]
    if given and isinstance(given[-1], tuple):
        for family in alike.families:
            if family.before == given[:-1]:
                yield from _chosen(path[:-1], family, given[-1])
        return
    here = _matching(alike, given)
    if not here.families and len(here.moves) <= ALIKE:
        yield from here.moves
        return
    for value in _values(here, len(given)):
        inner = _matching(here, (*given, value))
        if len(inner.moves) == 1 and not inner.families:
            yield inner.moves[0]
        else:
            yield _step((*path, value), inner)
    for family in here.families:
        if len(family.before) == len(given):
            yield from _chosen(path, family, ())


def _chosen(path: tuple[Any, ...], family: Family, so_far: tuple[str, ...]) -> Iterator[Entry]:
    """One more card of a choice of cards, or enough of them."""
    if family.least <= len(so_far) <= family.most and so_far:
        yield family.move(so_far)
    if len(so_far) >= family.most:
        return
    for card in dict.fromkeys((Counter(family.cards) - Counter(so_far)).elements()):
        more = (*so_far, card)
        last = len(more) == family.most or (family.least <= len(more) == len(family.cards))
        yield family.move(more) if last else MenuStep((*path, more), family.move(_filled(family, more)))


def _written_out(family: Family) -> list[Move]:
    """All its orders, where it is a choice among so few cards that each can be an entry of its own."""
    if len(family.cards) > _PAIR:
        return []
    ways = permutations if family.ordered else combinations
    sizes = range(max(1, family.least), family.most + 1)
    return list(dict.fromkeys(family.move(chosen) for size in sizes for chosen in ways(family.cards, size)))


def _filled(family: Family, so_far: tuple[str, ...]) -> tuple[str, ...]:
    """The fewest cards that make an order, beginning with these."""
    rest = (Counter(family.cards) - Counter(so_far)).elements()
    return (*so_far, *(card for _, card in zip(range(family.least - len(so_far)), rest, strict=False)))


def _step(path: tuple[Any, ...], alike: _SimilarOrders) -> MenuStep:
    """A step, gone on as long as there is only one way."""
    while True:
        place = len(path) - 1
        values = _values(alike, place)
        if len(values) != 1 or any(len(family.before) == place for family in alike.families):
            break
        path = (*path, values[0])
    only = alike.families[0] if len(alike.families) == 1 and not alike.moves else None
    return MenuStep(path, alike.moves[0] if alike.moves else _first(alike.families[0]), only)


def _matching(alike: _SimilarOrders, given: tuple[Any, ...]) -> _SimilarOrders:
    n = len(given)
    return _SimilarOrders(
        [m for m in alike.moves if m.args[:n] == given], [f for f in alike.families if f.before[:n] == given]
    )


def _values(alike: _SimilarOrders, place: int) -> list[Any]:
    moves = (m.args[place] for m in alike.moves if len(m.args) > place)
    return list(dict.fromkeys((*moves, *(f.before[place] for f in alike.families if len(f.before) > place))))


def _first(family: Family) -> Move:
    return family.move(_filled(family, ()) or family.cards[:1])


@lru_cache(maxsize=4096)
def _pattern(move: Move) -> str:
    return next((shape.text for shape in shapes().get(move.verb, ()) if shape.fits(move.args)), move.verb)


def _word(part: str, value: Any, names: Sequence[str]) -> str:
    if isinstance(value, tuple):
        return ", ".join((*value, DOTS))
    return str(names[value]) if part == "<P>" else str(value)
