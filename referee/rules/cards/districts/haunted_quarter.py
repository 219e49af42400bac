"""Haunted Quarter: in the end it counts as one type of its owner's choice.

In the older edition for having all types only, and not if it was built in the last round.
"""

from __future__ import annotations

from ...facts import Seat
from ...model import State
from ...seams import TYPES, District


class HauntedQuarter(District):
    name, cost = "Haunted Quarter", 2
    guises = TYPES


class OlderHauntedQuarter(HauntedQuarter):
    """Game drawer: the round in which it was built."""

    sincere = True

    def built(self, g: State, seat: Seat, number: int, paid: int) -> None:
        if g.cards[number] is self:
            g.game_drawer[self.name] = g.round

    def poses(self, g: State, seat: Seat) -> tuple[str, ...]:
        return (self.type,) if g.game_drawer.get(self.name) == g.round else self.guises
