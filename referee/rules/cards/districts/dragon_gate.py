"""Dragon Gate: two points more than it costs."""

from __future__ import annotations

from ...facts import Seat
from ...model import State
from ...seams import District


class DragonGate(District):
    name, cost = "Dragon Gate", 6

    def score(self, g: State, seat: Seat, kinds: tuple[str, ...]) -> int:
        return 2
