"""Merchant, rank 6: one gold more; in the older edition only after gathering."""

from __future__ import annotations

from ...abilities import Ability
from ...acts import gain
from ...declared import Appeal, Free, Lesson, Use
from ...facts import Move, Refusal
from ...flow.turn import Turn
from ...model import Option, State
from ...powers import Income
from ...seams import Character
from ...shapes import Shape

BONUS = Move("bonus")


class Bonus(Ability):
    key = "bonus"
    shapes = (Shape("bonus"),)

    def __init__(self, *, late: bool) -> None:
        super().__init__()
        self.late = late

    def offer(self, g: State, turn: Turn, out: list[Option]) -> None:
        if turn.gathered or not self.late:
            out.append(BONUS)

    def why_not(self, g: State, turn: Turn, move: Move) -> Refusal:
        if self.late and not turn.gathered:
            return Refusal("gather-first", verb=move.verb)
        return Refusal("malformed", verb=move.verb, expected=[s.text for s in self.shapes])

    def play(self, g: State, turn: Turn, move: Move) -> None:
        gain(g, turn.seat, 1)
        g.tell("bonus", seat=turn.seat, gold=1)


class Merchant(Character):
    name, rank, type, dullness = "Merchant", 6, "trade", 1
    declares = (
        Appeal(1.2, type="trade"),
        Free("bonus", place=2),
        Use("bonus", "take", place=1),
        Lesson("as"),
    )

    def __init__(self, *, late: bool = False) -> None:
        self.abilities = (Income("trade"), Bonus(late=late))
