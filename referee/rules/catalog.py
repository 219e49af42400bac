"""Every card of every edition, each name once, and what the cards declare (see declared.py)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from .declared import LAST, Declaration, Told
from .editions import EDITIONS
from .facts import FLOW_EVENTS
from .flow_verbs import FLOW
from .rulebook import spoken
from .seams import Card, Character, District
from .shapes import Shape

_Kind = TypeVar("_Kind", bound=Declaration)


def every_card() -> Iterator[Card]:
    """The cards of all editions, a card of several of them several times."""
    for edition in EDITIONS.values():
        yield from edition.characters
        yield from (district for district, _ in edition.districts)


def every_order() -> Iterator[Shape]:
    """The shapes of all orders: the flow's, the districts', the characters', so that the plain ways to build
    come first.
    """
    yield from FLOW
    for card in sorted(every_card(), key=lambda card: isinstance(card, Character)):
        yield from spoken(card)


def declared(kind: type[_Kind]) -> tuple[tuple[Card, _Kind], ...]:
    """All declarations of that kind with their cards, each once, by their places."""
    found: dict[tuple[str, _Kind], Card] = {}
    for card in every_card():
        for one in _of(card):
            if isinstance(one, kind):
                found.setdefault((card.name, one), card)
    every = [(card, one) for (_, one), card in found.items()]
    return tuple(sorted(every, key=lambda pair: getattr(pair[1], "place", LAST)))


def _of(card: Card) -> Iterable[Declaration]:
    ways = (*card.ways, *card.own_ways) if isinstance(card, District) else card.ways
    yield from card.declares
    yield from (one for ability in card.abilities for one in ability.declares)
    yield from (one for way in ways for one in way.declares)


#: everything a game tells, with its facts
EVENTS = {**FLOW_EVENTS, **{one.event: one.facts for _, one in declared(Told)}}
