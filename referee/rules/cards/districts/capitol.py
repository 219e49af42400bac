"""Capitol: in the end, three points, once, if three or more districts share a type."""

from __future__ import annotations

from ...facts import Seat
from ...model import State
from ...seams import District


class Capitol(District):
    name, cost = "Capitol", 5

    def score(self, g: State, seat: Seat, kinds: tuple[str, ...]) -> int:
        return 3 if any(kinds.count(kind) >= 3 for kind in set(kinds)) else 0
