"""Selection phases that several editions share: who picks when, the place counting from the
crown; and how large a complete city is."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from ..facts import SetupError
from ..rulebook import Edition
from ..setup import Setup

CITY, SMALL_TABLE_CITY = 7, 8
#: the value of an option that switches a rule off
OFF = "off"
#: our own rules, which a table may switch off: the end after twelve rounds without a build (ruling 39)
HOUSE_RULES: Mapping[str, tuple[Any, ...]] = {"standstill": (OFF,)}

Steps = tuple[tuple[str, int], ...]
TWO: Steps = (("pick", 0), ("pick", 1), ("discard", 1), ("pick", 0), ("discard", 0), ("pick", 1))
THREE: Steps = tuple(("pick", place) for place in (0, 1, 2, 0, 1, 2))
#: with nine characters, the third player lays one aside at random before the second picks
THREE_NINE: Steps = (*THREE[:3], ("random", 2), *THREE[3:])


@lru_cache
def picks_of(players: int, *, last_chooses: bool) -> Steps:
    """Each picks once; `last_chooses`: the last one takes the facedown card, too."""
    picks: list[tuple[str, int]] = [("pick", place) for place in range(players)]
    if last_chooses:
        picks.insert(players - 1, ("take facedown", players - 1))
    return tuple(picks)


def check_city(edition: Edition, setup: Setup) -> None:
    """With two or three players no city is complete at seven."""
    if len(setup.players) <= 3 and edition.complete_at(setup) < SMALL_TABLE_CITY:
        raise SetupError(
            "option-value",
            option="complete_city",
            value=edition.complete_at(setup),
            allowed=[SMALL_TABLE_CITY],
        )
