"""One table's cards, indexed.  Shared by all games of the same setup, never copied."""
from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from .facts import Move
from .seams import CITY, MOMENTS, TABLE, Card, Character, District
from .shapes import Shape, table

if TYPE_CHECKING:
    from .setup import Setup


class Plan(NamedTuple):
    """A selection phase.  `steps` are ("pick" | "discard" | "random" | "take facedown", place),
    place counting clockwise from the crown; what is left in the end goes facedown."""

    faceup: int
    steps: tuple[tuple[str, int], ...]
    facedown_first: bool = False


class Edition:
    """A manifest: which cards, how many, which constants, who answers first.

    Subclasses live in `editions`; see classic.py for what each field is.
    """

    name: str = ""
    least: int = 2
    most: int = 7
    hand: int = 4
    gold: int = 2
    characters: tuple[Character, ...] = ()
    cast: tuple[str, ...] = ()
    districts: tuple[tuple[District, int], ...] = ()
    uniques: tuple[str, ...] = ()
    #: option -> values allowed
    options: ClassVar[Mapping[str, tuple[Any, ...]]] = {}
    #: moment -> names of the cards that hear it first, in order
    order: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    #: rounds in a row without a build after which the game is given up
    standstill: int = 12

    def plan(self, players: int, cast: int) -> Plan:
        raise NotImplementedError(self.name)

    def complete_at(self, setup: Setup) -> int:
        raise NotImplementedError(self.name)

    def check(self, setup: Setup) -> None:
        """Raise SetupError for what is special to this edition."""


class Rulebook:
    """`characters` and `districts` by name; `callings` the cast by rank; `on` and `at`
    the listeners of each seam; `shapes` the orders that exist in this game."""

    def __init__(self, edition: Edition, cast: tuple[str, ...], uniques: tuple[str, ...]) -> None:
        known = {c.name: c for c in edition.characters}
        self.edition = edition
        self.uniques = uniques
        self.callings = sorted((known[name] for name in cast), key=lambda c: c.rank)
        self.characters: dict[str, Character] = {c.name: c for c in self.callings}
        self.districts: dict[str, District] = {d.name: d for d, _ in edition.districts}
        self.copies: dict[str, int] = {d.name: n for d, n in edition.districts}
        self.on = {seam: self._listeners(seam) for seam in TABLE + MOMENTS}
        self.at = {seam: frozenset(d for d in self.districts.values() if _hears(d, seam)) for seam in CITY}
        self.picks = {c.name: Move("pick", (c.name,)) for c in self.callings}
        self.naming: dict[str, list[Move]] = {}     # orders that name a character, by verb
        self.limited = frozenset(d for d in self.districts.values() if type(d).forbidden is not District.forbidden)
        self.sized = any(d.spaces != 1 for d in self.districts.values())

    def _listeners(self, seam: str) -> tuple[Card, ...]:
        cards: list[Card] = [*self.callings, *self.districts.values()]
        first = {name: place for place, name in enumerate(self.edition.order.get(seam, ()))}
        heard = [c for c in cards if _hears(c, seam)]
        return tuple(sorted(heard, key=lambda c: first.get(c.name, len(first))))

    @cached_property
    def shapes(self) -> Mapping[str, tuple[Shape, ...]]:
        from .flow.verbs import FLOW

        return table([*FLOW, *(s for c in (*self.callings, *self.districts.values()) for s in spoken(c))])

    @cached_property
    def owners(self) -> Mapping[str, tuple[str, ...]]:
        """Verb of an ability -> the cards that give it."""
        out: dict[str, tuple[str, ...]] = {}
        for card in (*self.callings, *self.districts.values()):
            for verb in {s.verb for a in card.abilities for s in a.shapes}:
                out[verb] = (*out.get(verb, ()), card.name)
        return out

    @cached_property
    def fields(self) -> Mapping[str, Card]:
        """Marks that a drawn position may carry -> the card that they belong to."""
        return {f: card for card in (*self.callings, *self.districts.values()) for f in card.fields}

    def deck(self) -> tuple[District, ...]:
        """The district cards of a game, before they are shuffled."""
        return tuple(
            d for d, copies in self.edition.districts
            if d.type != "unique" or d.name in self.uniques for _ in range(copies)
        )


def spoken(card: Card) -> list[Shape]:
    """Every order that this card brings into the game."""
    return [*card.shapes, *(s for a in card.abilities for s in a.shapes)]


def _hears(card: Card, seam: str) -> bool:
    base = District if seam in CITY else Card
    return getattr(type(card), seam) is not getattr(base, seam)
