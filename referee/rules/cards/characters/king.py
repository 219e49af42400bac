"""King, rank 4: takes the crown when called; killed, as his own heir when the round ends."""
from __future__ import annotations

from ...acts import crown
from ...facts import Seat
from ...model import State
from ...powers import Income
from ...seams import Character


class King(Character):
    name, rank, type, dullness = "King", 4, "noble", 8
    may_lie_faceup = False
    abilities = (Income("noble"),)

    def revealed(self, g: State, seat: Seat, character: str) -> None:
        if character == self.name:
            crown(g, seat, "king")

    def round_over(self, g: State) -> None:
        seat = g.holder(self.name)
        if seat is not None and self.name not in g.players[seat].revealed:
            g.tell("heir_revealed", seat=seat, character=self.name)
            crown(g, seat, "heir")
