"""The lists that come with the deluxe edition: a cast of nine (the ninth is played with where the
number of players needs it, or where it is asked for) and 14 unique districts each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Preset(NamedTuple):
    """`cast` by rank, 1 to 9; `uniques` the districts that are shuffled in."""

    name: str
    cast: tuple[str, ...]
    uniques: tuple[str, ...]


#: the list with which a first game is played; its ninth character is our choice, the book names eight
FIRST = Preset(
    "First Game",
    ("Assassin", "Thief", "Magician", "King", "Bishop", "Merchant", "Architect", "Warlord", "Queen"),
    (
        "Dragon Gate",
        "Factory",
        "Haunted Quarter",
        "Imperial Treasury",
        "Keep",
        "Laboratory",
        "Library",
        "Map Room",
        "Quarry",
        "School of Magic",
        "Smithy",
        "Statue",
        "Thieves' Den",
        "Wishing Well",
    ),
)

DELUXE = (
    FIRST,
    Preset(
        "Ambitious Aristocrats",
        ("Magistrate", "Thief", "Wizard", "Patrician", "Bishop", "Trader", "Architect", "Marshal", "Queen"),
        (
            "Capitol",
            "Factory",
            "Framework",
            "Great Wall",
            "Haunted Quarter",
            "Keep",
            "Necropolis",
            "Park",
            "Poor House",
            "Quarry",
            "School of Magic",
            "Stables",
            "Statue",
            "Thieves' Den",
        ),
    ),
    Preset(
        "Cunning Agents",
        (
            "Witch",
            "Blackmailer",
            "Magician",
            "Emperor",
            "Abbot",
            "Alchemist",
            "Architect",
            "Warlord",
            "Tax Collector",
        ),
        (
            "Armory",
            "Basilica",
            "Dragon Gate",
            "Gold Mine",
            "Keep",
            "Monument",
            "Museum",
            "Necropolis",
            "Park",
            "Poor House",
            "Quarry",
            "Secret Vault",
            "Smithy",
            "Theater",
        ),
    ),
    Preset(
        "Illustrious Emissaries",
        ("Witch", "Spy", "Seer", "Emperor", "Bishop", "Merchant", "Scholar", "Diplomat", "Artist"),
        (
            "Factory",
            "Framework",
            "Great Wall",
            "Haunted Quarter",
            "Ivory Tower",
            "Keep",
            "Library",
            "Museum",
            "Observatory",
            "Park",
            "Poor House",
            "Quarry",
            "School of Magic",
            "Smithy",
        ),
    ),
    Preset(
        "Devious Dignitaries",
        (
            "Magistrate",
            "Blackmailer",
            "Wizard",
            "King",
            "Abbot",
            "Alchemist",
            "Navigator",
            "Marshal",
            "Queen",
        ),
        (
            "Dragon Gate",
            "Factory",
            "Framework",
            "Haunted Quarter",
            "Laboratory",
            "Necropolis",
            "Park",
            "Poor House",
            "Secret Vault",
            "Smithy",
            "Stables",
            "Theater",
            "Thieves' Den",
            "Wishing Well",
        ),
    ),
    Preset(
        "Tenacious Delegates",
        ("Assassin", "Spy", "Seer", "King", "Cardinal", "Trader", "Scholar", "Diplomat", "Artist"),
        (
            "Basilica",
            "Capitol",
            "Haunted Quarter",
            "Imperial Treasury",
            "Laboratory",
            "Library",
            "Map Room",
            "Observatory",
            "School of Magic",
            "Secret Vault",
            "Smithy",
            "Stables",
            "Statue",
            "Wishing Well",
        ),
    ),
    Preset(
        "Vicious Nobles",
        (
            "Assassin",
            "Thief",
            "Magician",
            "Patrician",
            "Cardinal",
            "Merchant",
            "Navigator",
            "Warlord",
            "Tax Collector",
        ),
        (
            "Armory",
            "Basilica",
            "Dragon Gate",
            "Gold Mine",
            "Imperial Treasury",
            "Ivory Tower",
            "Laboratory",
            "Map Room",
            "Monument",
            "Museum",
            "School of Magic",
            "Statue",
            "Thieves' Den",
            "Wishing Well",
        ),
    ),
)

#: edition -> its lists
PRESETS: Mapping[str, tuple[Preset, ...]] = {"deluxe": DELUXE}

#: who takes a place on a list that its own character can't take with so few players, the first that can; the
#: book leaves open which of two, the creator of a table may name the other
STAND_INS: Mapping[str, tuple[str, ...]] = {
    "Emperor": ("King", "Patrician"),
    "Queen": ("Tax Collector", "Artist"),
}

#: what a gentle table does without, the harshest first: who costs somebody a whole turn, all gold, the hand,
#: or a district, and gives nothing for it. Where a rank has nobody else, the last of these is taken.
HARSH = ("Assassin", "Warlord", "Thief", "Magician", "Witch")
#: the districts that do so
HARSH_DISTRICTS = frozenset({"Armory"})
