"""Imperial Treasury: in the end, a point for each gold in the stash."""

from __future__ import annotations

from ...facts import Seat
from ...model import State
from ...seams import District


class ImperialTreasury(District):
    name, cost = "Imperial Treasury", 5

    def score(self, g: State, seat: Seat, kinds: tuple[str, ...]) -> int:
        return g.players[seat].gold
