"""Basilica: in the end, a point for each district of the city whose cost is odd (as it stands)."""

from __future__ import annotations

from ...facts import Seat
from ...flow.standing import cost_of
from ...model import State
from ...seams import District


class Basilica(District):
    name, cost = "Basilica", 4

    def score(self, g: State, seat: Seat, kinds: tuple[str, ...]) -> int:
        return sum([cost_of(g, number) % 2 for number in g.players[seat].city])
