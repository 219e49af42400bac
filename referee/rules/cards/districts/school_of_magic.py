"""School of Magic: for income it counts as whatever type is asked for."""

from __future__ import annotations

from ...seams import TYPES, District


class SchoolOfMagic(District):
    name, cost = "School of Magic", 6
    pays = frozenset(TYPES)
