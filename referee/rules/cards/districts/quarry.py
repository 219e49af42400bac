"""Quarry: its owner may build districts of a name that stands in the city.

In the older edition one at a time: only while no two of a name stand there.
"""

from __future__ import annotations

from ...facts import Seat
from ...model import State
from ...seams import District


class Quarry(District):
    name, cost = "Quarry", 5

    def __init__(self, *, one: bool = False) -> None:
        super().__init__()
        self.one = one

    def twins(self, g: State, seat: Seat, district: District) -> bool:
        names = g.names(g.players[seat].city)
        return not self.one or len(set(names)) == len(names)
