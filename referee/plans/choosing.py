"""Which of the answers on offer an order of a plan means."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from ..rules.facts import Family, Move
from .cards import best
from .model import Order, value

View = Mapping[str, Any]


def offered(view: View) -> tuple[Move, ...]:
    """The single answers to the view's open question."""
    return tuple(
        Move(str(verb), tuple(tuple(a) if isinstance(a, list) else a for a in args))
        for verb, args in view["ask"]["moves"]
    )


def families(view: View) -> Iterator[Family]:
    """The choices of cards among its answers."""
    for verb, cards, least, most, before, ordered in view["ask"]["families"]:
        yield Family(
            verb,
            tuple(cards),
            least,
            most,
            tuple(tuple(a) if isinstance(a, list) else a for a in before),
            ordered,
        )


def fitting(order: Order, view: View) -> Move | None:
    """The answer that an order means now, None where it is not among those on offer.

    A value word takes what is on offer with that card in its place: dearest or cheapest as printed, like
    costs by their place in the database of cards. In a choice of cards it takes as few as are allowed.
    """
    places = [place for place, arg in enumerate(order.args) if value(arg)]
    if not places:
        return _exactly(Move(order.verb, order.args), view)
    place = places[0]
    word = value(order.args[place])
    found: dict[str, Move] = {}
    for move in offered(view):
        if (
            move.verb == order.verb
            and len(move.args) == len(order.args)
            and _beside(move.args, order.args, place)
        ):
            card = move.args[place]
            if isinstance(card, str) or len(card) == 1:
                found.setdefault(card if isinstance(card, str) else card[0], move)
    if found:
        return found[best(view["edition"], word, found)[0]]
    for family in families(view):
        if (
            family.verb == order.verb
            and place == len(family.before) == len(order.args) - 1
            and family.before == order.args[:place]
        ):
            count = max(family.least, 1)
            return (
                family.move(tuple(best(view["edition"], word, family.cards)[:count]))
                if len(family.cards) >= count
                else None
            )
    return None


def means(order: Order, move: Move) -> bool:
    """Whether an order may come out as that move, at whatever table."""
    if order.verb != move.verb or len(order.args) != len(move.args):
        return False
    return all(value(mine) or mine == theirs for mine, theirs in zip(order.args, move.args, strict=True))


def _beside(found: tuple[Any, ...], wanted: tuple[Any, ...], place: int) -> bool:
    return all(a == b for n, (a, b) in enumerate(zip(found, wanted, strict=True)) if n != place)


def _exactly(move: Move, view: View) -> Move | None:
    if move in offered(view):
        return move
    for family in families(view):
        chosen = move.args[-1] if move.args else ()
        if (
            (move.verb, move.args[:-1]) == (family.verb, family.before)
            and isinstance(chosen, tuple)
            and family.least <= len(chosen) <= family.most
            and not Counter(chosen) - Counter(family.cards)
        ):
            return move
    return None
