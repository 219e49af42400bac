"""Library: gathering cards, its owner keeps all that are drawn."""

from __future__ import annotations

from ...seams import District


class Library(District):
    name, cost = "Library", 6

    def keeps(self, drawn: int, keep: int) -> int:
        return drawn
