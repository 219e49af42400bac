"""Trader, rank 6: any number of trade districts beside the one other."""

from __future__ import annotations

from ...declared import Appeal, Lesson
from ...powers import Income
from ...seams import Character, District


class Trader(Character):
    name, rank, type, dullness = "Trader", 6, "trade", 1
    abilities = (Income("trade"),)
    declares = (
        Appeal(0.5, type="trade"),
        Lesson("as"),
    )

    def counted(self, district: District) -> bool:
        return district.type != "trade"
