"""Map Room: in the end, a point for each card in the hand."""

from __future__ import annotations

from ...facts import Seat
from ...model import State
from ...seams import District


class MapRoom(District):
    name, cost, secret = "Map Room", 5, True

    def score(self, g: State, seat: Seat, kinds: tuple[str, ...]) -> int:
        return len(g.players[seat].hand)
