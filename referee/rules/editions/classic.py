"""The classic edition: eight characters, 54 ordinary and 14 unique cards, 2-7 players."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from ..cards.characters.architect import Architect
from ..cards.characters.assassin import Assassin
from ..cards.characters.bishop import Bishop
from ..cards.characters.king import King
from ..cards.characters.magician import Magician
from ..cards.characters.merchant import Merchant
from ..cards.characters.thief import Thief
from ..cards.characters.warlord import Warlord
from ..cards.districts.dragon_gate import DragonGate
from ..cards.districts.graveyard import Graveyard
from ..cards.districts.great_wall import GreatWall
from ..cards.districts.haunted_quarter import HauntedQuarter
from ..cards.districts.imperial_treasury import ImperialTreasury
from ..cards.districts.keep import Keep
from ..cards.districts.laboratory import Laboratory
from ..cards.districts.library import Library
from ..cards.districts.map_room import MapRoom
from ..cards.districts.observatory import Observatory
from ..cards.districts.plain import plain
from ..cards.districts.school_of_magic import SchoolOfMagic
from ..cards.districts.smithy import Smithy
from ..cards.districts.university import University
from ..rulebook import Edition, Plan
from ..seams import Character
from ..setup import Setup
from .plans import CITY, HOUSE_RULES, SMALL_TABLE_CITY, THREE, TWO, check_city, picks_of

CHARACTERS: tuple[Character, ...] = (
    Assassin(),
    Thief(),
    Magician(),
    King(),
    Bishop(),
    Merchant(),
    Architect(),
    Warlord(),
)
DISTRICTS = (
    *plain(),
    (HauntedQuarter(), 1),
    (Keep(), 2),
    (Observatory(), 1),
    (Laboratory(gold=2), 1),
    (Smithy(), 1),
    (Graveyard(), 1),
    (ImperialTreasury(), 1),
    (MapRoom(), 1),
    (Library(), 1),
    (SchoolOfMagic(), 1),
    (GreatWall(itself=False), 1),
    (DragonGate(), 1),
    (University(), 1),
)


class Classic(Edition):
    name = "classic"
    characters = CHARACTERS
    cast = tuple(c.name for c in CHARACTERS)
    districts = DISTRICTS
    uniques = tuple(d.name for d, _ in DISTRICTS if d.type == "unique")
    options: ClassVar[Mapping[str, tuple[Any, ...]]] = {
        **HOUSE_RULES,
        "complete_city": (CITY, SMALL_TABLE_CITY),
    }
    #: the robbery comes before anything else
    order: ClassVar[Mapping[str, tuple[str, ...]]] = {"revealed": ("Thief", "King")}

    def complete_at(self, setup: Setup) -> int:
        usual = SMALL_TABLE_CITY if len(setup.players) <= 3 else CITY
        return int(setup.options.get("complete_city", usual))

    def check(self, setup: Setup) -> None:
        check_city(self, setup)

    def plan(self, players: int, cast: int) -> Plan:
        if players == 2:
            return Plan(0, TWO)
        if players == 3:
            return Plan(0, THREE)
        return Plan({4: 2, 5: 1}.get(players, 0), picks_of(players, last_chooses=players == 7))
