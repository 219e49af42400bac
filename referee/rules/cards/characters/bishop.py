"""Bishop, rank 5: once revealed, rank 8 can't touch the city of who holds him."""
from __future__ import annotations

from ...facts import Seat
from ...model import State
from ...powers import Income
from ...seams import Character


class Bishop(Character):
    name, rank, type, dullness = "Bishop", 5, "religious", 7
    abilities = (Income("religious"),)

    def sheltered(self, g: State, victim: Seat, by: Seat) -> bool:
        return self.name in g.players[victim].revealed
