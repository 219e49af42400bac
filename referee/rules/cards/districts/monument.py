"""Monument: counts as two districts toward completing the city; not built where five or more stand."""

from __future__ import annotations

from ...facts import Seat
from ...model import State
from ...seams import District

MOST = 4  # districts beside which it may be built


class Monument(District):
    name, cost, spaces = "Monument", 4, 2

    def forbidden(self, g: State, seat: Seat) -> bool:
        return len(g.players[seat].city) > MOST
