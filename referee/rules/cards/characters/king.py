"""King, rank 4: takes the crown when called; killed, as his own heir when the round ends."""

from __future__ import annotations

from ...declared import Appeal, Lesson
from ...powers import Heir, Income


class King(Heir):
    name, rank, type, dullness = "King", 4, "noble", 8
    abilities = (Income("noble"),)
    declares = (
        Appeal(0.7, type="noble"),
        Lesson("as"),
    )
