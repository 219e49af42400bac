"""Park: two cards at the end of a turn that its owner ends with an empty hand."""

from __future__ import annotations

from ...acts import draw_to_hand
from ...declared import Told
from ...facts import Seat
from ...flow.standing import has_name
from ...model import State
from ...seams import District


class Park(District):
    name, cost = "Park", 6
    declares = (Told("park", "seat, count"),)

    def turn_over(self, g: State, seat: Seat) -> None:
        if not g.players[seat].hand and g.deck and has_name(g, seat, self.name):
            g.tell("park", seat=seat, count=min(2, len(g.deck)))
            draw_to_hand(g, seat, 2)
