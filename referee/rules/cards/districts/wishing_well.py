"""Wishing Well: in the end, a point for each unique district of its city; in the older edition
itself is not counted.
"""

from __future__ import annotations

from ...facts import Seat
from ...model import State
from ...seams import District


class WishingWell(District):
    name, cost = "Wishing Well", 5

    def __init__(self, *, itself: bool = True) -> None:
        super().__init__()
        self.itself = itself

    def score(self, g: State, seat: Seat, kinds: tuple[str, ...]) -> int:
        return kinds.count("unique") - (0 if self.itself else 1)
