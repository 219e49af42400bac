"""Ivory Tower: in the end, five points if it is the only unique district of its city."""

from __future__ import annotations

from ...facts import Seat
from ...model import State
from ...seams import District


class IvoryTower(District):
    name, cost = "Ivory Tower", 5

    def score(self, g: State, seat: Seat, kinds: tuple[str, ...]) -> int:
        return 5 if kinds.count("unique") == 1 else 0
