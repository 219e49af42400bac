"""What kinds of position there are: each kind of frame, as the one that asks or underneath, at each step of
it, and each card that keeps something in mind, in each edition.

Told from a dump alone, so that positions which this program did not write are sorted the same way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

#: the slots of a frame that say how far it is, or what it is about, in a word
TELLING = ("step", "name")
DRAWERS = ("round_drawer", "game_drawer")


def of(written: Mapping[str, Any]) -> frozenset[str]:
    """The kinds that this position is one of, as "edition: frame, place"."""
    return frozenset(f"{written['setup']['edition']}: {kind}" for kind in _kinds(written))


def _kinds(written: Mapping[str, Any]) -> Iterator[str]:
    stack = written["stack"]
    for place, (code, slots) in enumerate(stack):
        words = [str(slots[slot]) for slot in TELLING if slots.get(slot) not in (None, "", ())]
        yield f"{' '.join([code, *words])}, {'asks' if place == len(stack) - 1 else 'underneath'}"
        yield from (f"{card} in the drawer of a {code}" for card in slots.get("drawer", ()))
    yield f"{len(written['setup']['players'])} players"
    for drawer in DRAWERS:
        yield from (f"{card} in the {drawer.replace('_', ' ')}" for card in written[drawer])


def codes(written: Mapping[str, Any]) -> frozenset[str]:
    """The frames of a position, by their codes."""
    return frozenset(code for code, _ in written["stack"])
