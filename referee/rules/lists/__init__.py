"""Lists of characters and unique districts: by name, by chance, or named one by one.

choose("deluxe", 4, Choice(named="Cunning Agents"), seed) -> Drawn(cast, uniques, instead)
"""

from __future__ import annotations

from .choosing import RANDOM, Choice, Drawn, choice_of, choose, edition_of, lists_of
from .presets import PRESETS, Preset

__all__ = ["PRESETS", "RANDOM", "Choice", "Drawn", "Preset", "choice_of", "choose", "edition_of", "lists_of"]
