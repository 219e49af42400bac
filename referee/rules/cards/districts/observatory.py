"""Observatory: gathering cards, its owner sees three."""

from __future__ import annotations

from ...seams import District


class Observatory(District):
    name, cost = "Observatory", 4

    def draws(self, count: int) -> int:
        return max(count, 3)
