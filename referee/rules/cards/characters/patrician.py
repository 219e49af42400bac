"""Patrician, rank 4: takes the crown when called, like a King; his income is in cards."""

from __future__ import annotations

from ...declared import Appeal, Lesson
from ...powers import CardIncome, Heir


class Patrician(Heir):
    name, rank, type, dullness = "Patrician", 4, "noble", 7
    abilities = (CardIncome("noble"),)
    declares = (
        Appeal(0.7, type="noble"),
        Lesson("as"),
    )
