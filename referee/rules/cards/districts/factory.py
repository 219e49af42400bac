"""Factory: its owner pays one gold less for the other unique districts."""

from __future__ import annotations

from ...facts import Seat
from ...model import State
from ...seams import District


class Factory(District):
    name, cost = "Factory", 5

    def price(self, g: State, seat: Seat, district: District, price: int) -> int:
        return max(0, price - 1) if district.type == "unique" and district is not self else price
