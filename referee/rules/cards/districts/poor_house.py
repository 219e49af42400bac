"""Poor House: a gold at the end of a turn that its owner ends without any."""

from __future__ import annotations

from ...acts import gain
from ...declared import Told
from ...facts import Seat
from ...flow.standing import has_name
from ...model import State
from ...seams import District


class PoorHouse(District):
    name, cost = "Poor House", 4
    declares = (Told("poor_house", "seat, gold"),)

    def turn_over(self, g: State, seat: Seat) -> None:
        if not g.players[seat].gold and has_name(g, seat, self.name):
            gain(g, seat, 1)
            g.tell("poor_house", seat=seat, gold=1)
