"""Thieves' Den: cards of the hand may pay for it, in whole or in part, one gold each."""

from __future__ import annotations

from ...abilities import Way
from ...acts import bury, gain, take_named
from ...declared import Told
from ...facts import Family, Move, Refusal
from ...flow.build import Build, price_of
from ...flow.refuse import lacking
from ...flow.turn import Turn
from ...model import Option, State
from ...seams import District
from ...shapes import Shape

DISCARDING = "discarding"


def others(g: State, turn: Turn, district: District) -> list[str]:
    """The cards of the hand beside the one to be built."""
    names = g.names(g.players[turn.seat].hand)
    names.remove(district.name)
    return names


def bounds(g: State, turn: Turn, district: District) -> tuple[int, int]:
    """How many cards must pay because the gold does not suffice, and how many may (ruling 21)."""
    price = price_of(g, turn.seat, district)
    return max(1, price - g.players[turn.seat].gold), price


class Fence(Way):
    """Paid with cards alone it is paid for, too: with no gold."""

    shapes = (Shape(f"build <D> {DISCARDING} <D>+"),)
    is_payment = True

    def offer(self, g: State, turn: Turn, district: District, out: list[Option]) -> None:
        cards = others(g, turn, district)
        least, price = bounds(g, turn, district)
        if least <= min(price, len(cards)):
            out.append(
                Family("build", tuple(cards), least, min(price, len(cards)), (district.name, DISCARDING))
            )

    def why_not(self, g: State, turn: Turn, move: Move) -> Refusal:
        district = g.rules.districts[move.args[0]]
        cards, named = others(g, turn, district), move.args[2]
        for name in named:
            if named.count(name) > cards.count(name):
                return lacking(name, cards.count(name) + (name == district.name))
        least, most = bounds(g, turn, district)
        if least > len(cards):
            return Refusal("too-poor", price=most, gold=g.players[turn.seat].gold)
        return Refusal("count", least=least, most=min(most, len(cards)))

    def pay(self, g: State, turn: Turn, move: Move, build: Build) -> None:
        numbers = take_named(g, turn.seat, move.args[2])
        build.paid = price_of(g, turn.seat, g.cards[build.number]) - len(numbers)
        gain(g, turn.seat, -build.paid)
        bury(g, numbers)
        g.tell("thieves_den", seat=turn.seat, count=len(numbers))


class ThievesDen(District):
    name, cost = "Thieves' Den", 6
    own_ways = (Fence(),)
    declares = (Told("thieves_den", "seat, count: cards that paid for it"),)
