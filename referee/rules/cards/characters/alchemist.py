"""Alchemist, rank 6: when the turn ends, the gold that was paid for districts comes back.

Only that: no tax, no fee, nothing paid with cards; and nothing for a district that was
confiscated, whose gold came back at once.
"""

from __future__ import annotations

from ...acts import gain
from ...declared import Appeal, Lesson, Told
from ...facts import Seat
from ...flow.turn import Turn
from ...model import State
from ...seams import Character

PAID = "Alchemist"  # turn drawer: gold paid for districts so far


class Alchemist(Character):
    name, rank, dullness = "Alchemist", 6, 1
    declares = (
        Told("refunded", "seat, gold: paid for districts this turn"),
        Appeal(1.5, idle=0.3),
        Lesson("as"),
    )

    def built(self, g: State, seat: Seat, number: int, paid: int) -> None:
        turn = g.top(Turn)
        if paid and turn.powers == self.name and seat == turn.seat:
            turn.drawer = {**turn.drawer, PAID: turn.drawer.get(PAID, 0) + paid}

    def turn_over(self, g: State, seat: Seat) -> None:
        gold = g.top(Turn).drawer.get(PAID)
        if gold:
            gain(g, seat, gold)
            g.tell("refunded", seat=seat, gold=gold)
