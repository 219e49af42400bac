"""The ordinary districts: 54 cards, the same in every edition (name, type, cost, copies)."""

from __future__ import annotations

from ...seams import District

ROWS = (
    ("Manor", "noble", 3, 5),
    ("Castle", "noble", 4, 4),
    ("Palace", "noble", 5, 3),
    ("Temple", "religious", 1, 3),
    ("Church", "religious", 2, 3),
    ("Monastery", "religious", 3, 3),
    ("Cathedral", "religious", 5, 2),
    ("Tavern", "trade", 1, 5),
    ("Market", "trade", 2, 4),
    ("Trading Post", "trade", 2, 3),
    ("Docks", "trade", 3, 3),
    ("Harbor", "trade", 4, 3),
    ("Town Hall", "trade", 5, 2),
    ("Watchtower", "military", 1, 3),
    ("Prison", "military", 2, 3),
    ("Barracks", "military", 3, 3),
    ("Fortress", "military", 5, 2),
)


class Plain(District):
    """A district without an effect."""


def plain() -> tuple[tuple[District, int], ...]:
    """Each ordinary district and its number of copies."""
    return tuple((Plain(name, type, cost), copies) for name, type, cost, copies in ROWS)
