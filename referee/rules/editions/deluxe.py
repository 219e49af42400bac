"""The deluxe edition (2016): nine ranks of three characters, 30 unique districts of which 14
are in the deck, 2-8 players."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from ..cards.characters.abbot import Abbot
from ..cards.characters.alchemist import Alchemist
from ..cards.characters.architect import Architect
from ..cards.characters.artist import Artist
from ..cards.characters.assassin import Assassin
from ..cards.characters.bishop import Bishop
from ..cards.characters.blackmailer import Blackmailer
from ..cards.characters.cardinal import Cardinal
from ..cards.characters.diplomat import Diplomat
from ..cards.characters.emperor import Emperor
from ..cards.characters.king import King
from ..cards.characters.magician import Magician
from ..cards.characters.magistrate import Magistrate
from ..cards.characters.marshal import Marshal
from ..cards.characters.merchant import Merchant
from ..cards.characters.navigator import Navigator
from ..cards.characters.patrician import Patrician
from ..cards.characters.queen import Queen
from ..cards.characters.scholar import Scholar
from ..cards.characters.seer import Seer
from ..cards.characters.spy import Spy
from ..cards.characters.tax_collector import TaxCollector
from ..cards.characters.thief import Thief
from ..cards.characters.trader import Trader
from ..cards.characters.warlord import Warlord
from ..cards.characters.witch import Witch
from ..cards.characters.wizard import Wizard
from ..cards.districts.armory import Armory
from ..cards.districts.basilica import Basilica
from ..cards.districts.capitol import Capitol
from ..cards.districts.dragon_gate import DragonGate
from ..cards.districts.factory import Factory
from ..cards.districts.framework import Framework
from ..cards.districts.gold_mine import GoldMine
from ..cards.districts.great_wall import GreatWall
from ..cards.districts.haunted_quarter import HauntedQuarter
from ..cards.districts.imperial_treasury import ImperialTreasury
from ..cards.districts.ivory_tower import IvoryTower
from ..cards.districts.keep import Keep
from ..cards.districts.laboratory import Laboratory
from ..cards.districts.library import Library
from ..cards.districts.map_room import MapRoom
from ..cards.districts.monument import Monument
from ..cards.districts.museum import Museum
from ..cards.districts.necropolis import Necropolis
from ..cards.districts.observatory import Observatory
from ..cards.districts.park import Park
from ..cards.districts.plain import plain
from ..cards.districts.poor_house import PoorHouse
from ..cards.districts.quarry import Quarry
from ..cards.districts.school_of_magic import SchoolOfMagic
from ..cards.districts.secret_vault import SecretVault
from ..cards.districts.smithy import Smithy
from ..cards.districts.stables import Stables
from ..cards.districts.statue import Statue
from ..cards.districts.theater import Theater
from ..cards.districts.thieves_den import ThievesDen
from ..cards.districts.wishing_well import WishingWell
from ..rulebook import Edition, Plan
from ..seams import Character
from ..setup import Setup
from .plans import CITY, HOUSE_RULES, SMALL_TABLE_CITY, THREE_NINE, TWO, check_city, picks_of

#: the cast and the unique districts of the First Game list
FIRST_CAST = ("Assassin", "Thief", "Magician", "King", "Bishop", "Merchant", "Architect", "Warlord")
FIRST_UNIQUES = (
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
)
#: players -> faceup discards, with eight characters and with nine
FACEUP = {4: (2, 3), 5: (1, 2), 6: (0, 1), 7: (0, 0), 8: (0, 0)}


class Deluxe(Edition):
    name = "deluxe"
    most = 8
    uniques_wanted = 14
    characters: tuple[Character, ...] = (
        Assassin(),
        Witch(),
        Magistrate(),
        Thief(),
        Spy(),
        Blackmailer(),
        Magician(),
        Wizard(),
        Seer(),
        King(),
        Emperor(),
        Patrician(),
        Bishop(),
        Abbot(),
        Cardinal(),
        Merchant(),
        Alchemist(),
        Trader(),
        Architect(),
        Navigator(),
        Scholar(),
        Warlord(),
        Diplomat(),
        Marshal(),
        Queen(),
        Artist(),
        TaxCollector(),
    )
    cast = FIRST_CAST
    districts = (
        *plain(),
        *(
            (district, 1)
            for district in (
                Armory(),
                Basilica(),
                Capitol(),
                DragonGate(),
                Factory(),
                Framework(),
                GoldMine(),
                GreatWall(itself=True),
                HauntedQuarter(),
                ImperialTreasury(),
                IvoryTower(),
                Keep(),
                Laboratory(gold=2),
                Library(),
                MapRoom(),
                Monument(),
                Museum(),
                Necropolis(),
                Observatory(),
                Park(),
                PoorHouse(),
                Quarry(),
                SchoolOfMagic(),
                SecretVault(),
                Smithy(),
                Stables(),
                Statue(),
                Theater(),
                ThievesDen(),
                WishingWell(),
            )
        ),
    )
    uniques = FIRST_UNIQUES
    options: ClassVar[Mapping[str, tuple[Any, ...]]] = {
        **HOUSE_RULES,
        "complete_city": (CITY, SMALL_TABLE_CITY),
    }
    #: the robbery comes before anything else, the Poor House before the Alchemist's gold
    order: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "revealed": ("Thief",),
        "turn_over": ("Park", "Poor House"),
        "round_over": ("King", "Emperor", "Patrician", "Queen"),
    }

    def ninth(self, players: int) -> str:
        return {2: "never", 3: "must", 8: "must"}.get(players, "may")

    def usual_cast(self, players: int) -> tuple[str, ...]:
        if self.ninth(players) != "must":
            return self.cast
        return (*self.cast, "Tax Collector" if players < 5 else "Queen")

    def complete_at(self, setup: Setup) -> int:
        usual = SMALL_TABLE_CITY if len(setup.players) <= 3 else CITY
        return int(setup.options.get("complete_city", usual))

    def check(self, setup: Setup) -> None:
        check_city(self, setup)

    def plan(self, players: int, cast: int) -> Plan:
        if players == 2:
            return Plan(0, TWO)
        if players == 3:
            return Plan(0, THREE_NINE)
        last_chooses = (players, cast) in ((7, 8), (8, 9))
        return Plan(FACEUP[players][cast - 8], picks_of(players, last_chooses=last_chooses))
