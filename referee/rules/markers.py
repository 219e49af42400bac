"""Markers laid facedown on characters, one of which is the one that counts.

They lie in a card's round drawer as ``{"seat": who laid them, "on": characters that still bear one,
face: the character with the one that counts, "shown": everybody knows}``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .facts import Seat

if TYPE_CHECKING:
    from random import Random


def seen(markers: Mapping[str, Any] | None, face: str, viewer: Seat | None) -> dict[str, str]:
    """{character: "facedown", or `face` | "blank" for who knows}, for a view."""
    if markers is None:
        return {}
    if not markers["shown"] and viewer != markers["seat"]:
        return dict.fromkeys(markers["on"], "facedown")
    return {name: face if name == markers[face] else "blank" for name in markers["on"]}


def dealt_anew(
    markers: Mapping[str, Any] | None, face: str, among: Sequence[str], viewer: Seat, rng: Random
) -> dict[str, Any] | None:
    """The same markers with the one that counts on any of those `among`; None where the
    viewer knows which it is, or there is none."""
    if not markers or not markers[face] or markers["shown"] or viewer == markers["seat"]:
        return None
    return {**markers, face: rng.choice(among)}


def drawn(value: Any) -> Mapping[str, Any]:
    """The markers of a drawn position, {character: what is on its marker}; ValueError where they are anything
    else: a plain list of characters does not say which of them counts."""
    if not isinstance(value, dict):
        raise ValueError("each character with what is on its marker")
    return value
