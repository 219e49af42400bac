"""Editions: which cards are in the box.  `EDITIONS` are the ones that are built."""
from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from ..facts import SetupError
from ..rulebook import Edition, Rulebook
from ..setup import Setup, check
from .classic import Classic

EDITIONS: Mapping[str, Edition] = {edition.name: edition for edition in (Classic(),)}


def rulebook(setup: Setup) -> Rulebook:
    """The cards of that table; SetupError where it can't be set up."""
    check(setup, edition(setup.edition))
    return _rulebook(setup.edition, setup.cast, setup.uniques)


def edition(name: str) -> Edition:
    """An edition that is built; SetupError("unknown-edition") otherwise."""
    if name not in EDITIONS:
        raise SetupError("unknown-edition", edition=name, known=sorted(EDITIONS))
    return EDITIONS[name]


@lru_cache(maxsize=64)
def _rulebook(name: str, cast: tuple[str, ...], uniques: tuple[str, ...]) -> Rulebook:
    found = EDITIONS[name]
    return Rulebook(found, cast or found.cast, uniques or found.uniques)
