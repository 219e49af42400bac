"""Haunted Quarter: in the end it counts as one type of its owner's choice."""
from __future__ import annotations

from ...seams import TYPES, District


class HauntedQuarter(District):
    name, cost = "Haunted Quarter", 2
    guises = TYPES
