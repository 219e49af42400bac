"""Gold Mine: gathering gold, its owner takes one more."""

from __future__ import annotations

from ...seams import District


class GoldMine(District):
    name, cost = "Gold Mine", 6

    def mines(self, gold: int) -> int:
        return gold + 1
