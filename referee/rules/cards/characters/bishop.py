"""Bishop, rank 5: once revealed, rank 8 can't touch the city of who plays him (a Witch, if
he is bewitched)."""

from __future__ import annotations

from ...declared import Appeal, Lesson
from ...facts import Seat
from ...flow.call import player_of
from ...model import State
from ...powers import Income
from ...seams import Character


class Bishop(Character):
    name, rank, type, dullness = "Bishop", 5, "religious", 7
    abilities = (Income("religious"),)
    declares = (
        Appeal(0.3, type="religious"),
        Lesson("as"),
    )

    def sheltered(self, g: State, victim: Seat, by: Seat) -> bool:
        holder = g.holder(self.name)
        if holder is None or self.name not in g.players[holder].revealed:
            return False  # nobody, not called yet, or killed
        return victim == player_of(g, self.name)
