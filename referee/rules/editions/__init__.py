"""Editions: which cards are in the box.  `EDITIONS` are the ones that are built."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from ..facts import SetupError
from ..rulebook import Edition, Rulebook
from ..setup import Setup, check
from .classic import Classic
from .deluxe import Deluxe
from .original import Original


def registered(editions: Iterable[Edition]) -> dict[str, Edition]:
    """The editions by name.  A card is known by its name everywhere: in orders, in saved games, in words.

    Raises ValueError, with the files, where two cards of one name meet; several versions of one card stand in
    one file.
    """
    known = {edition.name: edition for edition in editions}
    files: dict[str, str] = {}
    for book in known.values():
        here: set[str] = set()
        for card in (*book.characters, *(district for district, _ in book.districts)):
            file = f"{type(card).__module__.replace('.', '/')}.py"
            other = files.setdefault(card.name, file)
            if other != file or card.name in here:
                raise ValueError(
                    f"two cards are called {card.name!r}: one in {other}, one in {file} (edition {book.name})"
                )
            here.add(card.name)
    return known


EDITIONS: Mapping[str, Edition] = registered((Classic(), Deluxe(), Original()))


def rulebook(setup: Setup, also: frozenset[str] = frozenset()) -> Rulebook:
    """The cards of that table; SetupError where it can't be set up.  `also`: unique
    districts on the table that the deck of such a game does not hold (drawn positions)."""
    found = edition(setup.edition)
    check(setup, found)
    cast = setup.cast or found.usual_cast(len(setup.players))
    return _rulebook(setup.edition, cast, found.in_deck(cast, setup.uniques), also)


def edition(name: str) -> Edition:
    """An edition that is built; SetupError("unknown-edition") otherwise."""
    if name not in EDITIONS:
        raise SetupError("unknown-edition", edition=name, known=sorted(EDITIONS))
    return EDITIONS[name]


@lru_cache(maxsize=1024)
def _rulebook(name: str, cast: tuple[str, ...], uniques: tuple[str, ...], also: frozenset[str]) -> Rulebook:
    return Rulebook(EDITIONS[name], cast, uniques, also)
