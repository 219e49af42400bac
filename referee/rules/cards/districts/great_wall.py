"""Great Wall: rank 8 pays one gold more in this city.

In the older editions for the other districts only, in deluxe for the Wall itself too.
"""

from __future__ import annotations

from ...facts import Seat
from ...model import State
from ...seams import District


class GreatWall(District):
    name, cost = "Great Wall", 6

    def __init__(self, *, itself: bool) -> None:
        super().__init__()
        self.itself = itself

    def ransom(self, g: State, victim: Seat, district: District, fee: int) -> int:
        return fee + 1 if self.itself or district is not self else fee
