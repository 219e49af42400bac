"""Statue: in the end, five points for the one who has the crown."""

from __future__ import annotations

from ...facts import Seat
from ...model import State
from ...seams import District


class Statue(District):
    name, cost = "Statue", 3

    def score(self, g: State, seat: Seat, kinds: tuple[str, ...]) -> int:
        return 5 if g.crown == seat else 0
