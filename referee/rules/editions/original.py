"""The original edition: eight characters and twelve purple cards, with the bonus characters
and bonus districts of the Dark City; 2-7 players, a city is complete at eight districts.

Its Merchant and Architect have their extras after gathering, its Warlord and Diplomat act
at the end of the turn.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from ..cards.characters.abbot import Abbot
from ..cards.characters.alchemist import Alchemist
from ..cards.characters.architect import Architect
from ..cards.characters.artist import Artist
from ..cards.characters.assassin import Assassin
from ..cards.characters.bishop import Bishop
from ..cards.characters.diplomat import Diplomat
from ..cards.characters.emperor import Emperor
from ..cards.characters.king import King
from ..cards.characters.magician import Magician
from ..cards.characters.merchant import Merchant
from ..cards.characters.navigator import Navigator
from ..cards.characters.queen import Queen
from ..cards.characters.tax_collector import OlderTaxCollector
from ..cards.characters.thief import Thief
from ..cards.characters.warlord import Warlord
from ..cards.characters.witch import Witch
from ..cards.characters.wizard import Wizard
from ..cards.districts.armory import Armory
from ..cards.districts.ball_room import BallRoom
from ..cards.districts.bell_tower import BellTower
from ..cards.districts.dragon_gate import DragonGate
from ..cards.districts.factory import Factory
from ..cards.districts.graveyard import Graveyard
from ..cards.districts.great_wall import GreatWall
from ..cards.districts.haunted_quarter import OlderHauntedQuarter
from ..cards.districts.hospital import Hospital
from ..cards.districts.imperial_treasury import ImperialTreasury
from ..cards.districts.keep import Keep
from ..cards.districts.laboratory import Laboratory
from ..cards.districts.library import Library
from ..cards.districts.lighthouse import Lighthouse
from ..cards.districts.map_room import MapRoom
from ..cards.districts.museum import Museum
from ..cards.districts.observatory import Observatory
from ..cards.districts.park import Park
from ..cards.districts.plain import plain
from ..cards.districts.poor_house import PoorHouse
from ..cards.districts.quarry import Quarry
from ..cards.districts.school_of_magic import SchoolOfMagic
from ..cards.districts.smithy import Smithy
from ..cards.districts.throne_room import ThroneRoom
from ..cards.districts.university import University
from ..cards.districts.wishing_well import WishingWell
from ..facts import Seat, SetupError
from ..model import State
from ..rulebook import Edition, Plan
from ..seams import Character, District
from ..setup import Setup
from .plans import HOUSE_RULES, OFF, THREE, TWO, picks_of

CITY = 8
#: the purple cards of every game, with copies
PURPLE: tuple[tuple[District, int], ...] = (
    (OlderHauntedQuarter(), 1),
    (Keep(), 2),
    (Laboratory(gold=1), 1),
    (Smithy(), 1),
    (Observatory(cost=5), 1),
    (Graveyard(), 1),
    (DragonGate(), 1),
    (University(), 1),
    (Library(), 1),
    (GreatWall(itself=False), 1),
    (SchoolOfMagic(), 1),
)
#: those of which a few may be added
BONUS: tuple[District, ...] = (
    Lighthouse(),
    Armory(older=True),
    Museum(),
    ImperialTreasury(cost=4),
    BellTower(),
    MapRoom(),
    WishingWell(itself=False),
    Quarry(one=True),
    PoorHouse(cost=5),
    Park(),
    Factory(cost=6),
    Hospital(),
    ThroneRoom(),
    BallRoom(),
)
#: this many come on top; for each one more an ordinary purple card is taken out
FREELY_ADDED = 3
COPIES = {district.name: copies for district, copies in PURPLE}
CLASSIC = ("Assassin", "Thief", "Magician", "King", "Bishop", "Merchant", "Architect", "Warlord")
#: players -> faceup discards, with eight characters and with nine
FACEUP = {4: (2, 3), 5: (1, 2), 6: (0, 1), 7: (0, 0)}


class Original(Edition):
    name = "original"
    characters: tuple[Character, ...] = (
        Assassin(),
        Witch(),
        Thief(),
        OlderTaxCollector(),
        Magician(),
        Wizard(all_turn=False),
        King(),
        Emperor(),
        Bishop(),
        Abbot(older=True),
        Merchant(late=True),
        Alchemist(),
        Architect(late=True),
        Navigator(late=True),
        Warlord(late=True),
        Diplomat(late=True),
        Artist(),
        Queen(),
    )
    cast = CLASSIC
    districts = (*plain(), *PURPLE, *((district, 1) for district in BONUS))
    uniques = tuple(COPIES)
    options: ClassVar[Mapping[str, tuple[Any, ...]]] = {
        **HOUSE_RULES,
        "complete_city": (CITY,),
        "max_city": (CITY, OFF),
        "thanks": ("off", "remind"),
    }
    #: the robbery comes before anything else; the Graveyard buys before what lay under a card is gone
    order: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "revealed": ("Thief", "Tax Collector"),
        "lost": ("Graveyard",),
        "turn_over": ("Park", "Poor House"),
        "round_over": ("King", "Emperor", "Queen"),
    }

    def ninth(self, players: int) -> str:
        return "may" if players > 3 else "never"

    def complete_at(self, setup: Setup) -> int:
        return CITY

    def max_city(self, cast: tuple[str, ...], uniques: tuple[str, ...]) -> int | None:
        """Eight, as the summary says, where a table plays without the Dark City."""
        return CITY if {*cast} <= {*CLASSIC} and {*uniques} <= {*COPIES} else None

    def in_deck(self, cast: tuple[str, ...], uniques: tuple[str, ...]) -> tuple[str, ...]:
        """Bonus districts alone are added to the purple ones.  The Graveyard and the Diplomat
        are not played together."""
        named = uniques or self.uniques
        if not set(named) & set(COPIES):
            named = (*self.uniques, *named)
        return tuple(name for name in named if name != "Graveyard" or "Diplomat" not in cast)

    def check(self, setup: Setup) -> None:
        """Of the purple cards, as many as the bonus districts leave; with the Diplomat it does
        not matter whether the Graveyard was thought of.  Being out, it makes no room (ruling 52)."""
        if not setup.uniques:
            return
        purple = [name for name in setup.uniques if name in COPIES] or [*COPIES]
        bonus = [name for name in setup.uniques if name not in COPIES]
        wanted = sum(COPIES.values()) - max(0, len(bonus) - FREELY_ADDED)
        counts = {sum(COPIES[name] for name in purple)}
        if "Diplomat" in setup.cast:
            with_it = sum(COPIES[name] for name in {*purple, "Graveyard"})
            counts = {with_it} if 52 in setup.rulings else {*counts, with_it}
        if wanted not in counts:
            raise SetupError("uniques", why="bonus", name="", count=min(counts), wanted=wanted)

    def tie(self, g: State, seat: Seat, points: Mapping[str, int]) -> tuple[int, ...]:
        """Most points from the districts' costs alone, then most gold."""
        return points["districts"], g.players[seat].gold

    def plan(self, players: int, cast: int) -> Plan:
        if players <= 3:
            return Plan(0, TWO if players == 2 else THREE, facedown_first=True)
        last_chooses = (players, cast) == (7, 8)
        faceup = FACEUP[players][cast - len(CLASSIC)]
        return Plan(faceup, picks_of(players, last_chooses=last_chooses), facedown_first=True)
