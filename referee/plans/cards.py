"""What is printed on the cards, as far as plans need it: from the editions' manifests, never from a table's
state.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from ..rules.editions import EDITIONS
from ..rules.facts import BEAUTIFIED
from ..rules.rulebook import Edition, spoken
from ..rules.seams import Card, Character, District
from ..rules.shapes import Shape
from .questions import OF_OTHERS

#: orders that need no card of one's own; so does a plain `build`
ANYBODY = frozenset({"gold", "cards", "keep", "end", "pass"}) | OF_OTHERS


def editions(name: str = "") -> tuple[Edition, ...]:
    """That edition, or all where none (or none that is built) is named."""
    return (EDITIONS[name],) if name in EDITIONS else tuple(EDITIONS.values())


@lru_cache(maxsize=64)
def characters(edition: str) -> Mapping[str, Character]:
    """The characters of an edition by name; "": of any, the first edition that has one before the others."""
    return {c.name: c for e in reversed(editions(edition)) for c in e.characters}


@lru_cache(maxsize=64)
def districts(edition: str) -> Mapping[str, District]:
    """The districts likewise, in the order of the manifest."""
    return {d.name: d for e in reversed(editions(edition)) for d, _ in e.districts}


@lru_cache(maxsize=64)
def _places(edition: str) -> Mapping[str, int]:
    """The order of the database of cards: type by type, the cheapest first."""
    known = districts(edition)
    types = list(dict.fromkeys(d.type for d in known.values()))
    return {
        name: place
        for place, name in enumerate(
            sorted(known, key=lambda n: (types.index(known[n].type), known[n].cost, n))
        )
    }


def cost(edition: str, name: str) -> int:
    """What is printed on a district, whatever it would cost here and now; its name may end in
    "beautified".
    """
    found = districts(edition).get(name.removesuffix(BEAUTIFIED))
    return 0 if found is None else found.cost


def best(edition: str, word: str, names: Iterable[str]) -> list[str]:
    """District names in the order in which a value word prefers them: by printed cost, like costs by their
    place in the database of cards; "any": by place alone.
    """
    places = _places(edition)

    def key(name: str) -> tuple[int, int, str]:
        price = 0 if word == "any" else cost(edition, name)
        return (
            -price if word == "dearest" else price,
            places.get(name.removesuffix(BEAUTIFIED), len(places)),
            name,
        )

    return sorted(names, key=key)


def rank(edition: str, name: str) -> int:
    """The rank of a character, 0 for none of that name."""
    found = characters(edition).get(name)
    return 0 if found is None else found.rank


def dullest(edition: str, names: Iterable[str]) -> str:
    """The least harmful of these characters, as the rules' dull answer takes it."""
    return min(
        names, key=lambda name: characters(edition)[name].dullness if name in characters(edition) else 99
    )


def powers_of(character: str, edition: str) -> tuple[Shape, ...]:
    """The orders that a character's own abilities bring."""
    found = characters(edition).get(character)
    return () if found is None else tuple(s for a in found.abilities for s in a.shapes)


def musts(edition: str, character: str) -> tuple[str, ...]:
    """The orders without which that character's turn can't be ended."""
    found = characters(edition).get(character)
    return () if found is None else tuple(s.verb for a in found.abilities if a.must for s in a.shapes[:1])


@lru_cache(maxsize=4096)
def givers(edition: str, verb: str, args: tuple[object, ...]) -> tuple[str, ...]:
    """The cards that bring such an order into the game; () for what needs no card, and for what any player
    may be asked. Arguments are not cards here: a value word stands for any.
    """
    if verb in ANYBODY or (verb == "build" and len(args) == 1):
        return ()
    for known in (editions(edition), editions()):  # an order of another edition needs a card of that one
        named = [
            card.name
            for each in known
            for card in _cards(each)
            if any(shape.verb == verb and shape.fits(args) for shape in spoken(card))
        ]
        if named:
            return tuple(dict.fromkeys(named))
    return ()


def _cards(edition: Edition) -> tuple[Card, ...]:
    return (*edition.characters, *(district for district, _ in edition.districts))


def is_character(edition: str, name: str) -> bool:
    """Whether that is a character, not a district."""
    return name in characters(edition)
