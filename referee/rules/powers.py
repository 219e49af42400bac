"""Abilities that several cards share."""
from __future__ import annotations

from typing import TYPE_CHECKING

from .abilities import Ability
from .acts import gain
from .facts import Move, Refusal
from .model import Option, State
from .shapes import Shape

if TYPE_CHECKING:
    from .flow.turn import Turn

INCOME = Move("income")


class Income(Ability):
    """One gold for each district of the type, counted when it is ordered."""

    key = "income"
    shapes = (Shape("income"),)

    def __init__(self, type: str) -> None:
        super().__init__()
        self.type = type

    def count(self, g: State, turn: Turn) -> int:
        kind, cards = self.type, g.cards
        return sum([kind in cards[n].pays for n in g.players[turn.seat].city])

    def offer(self, g: State, turn: Turn, out: list[Option]) -> None:
        if self.count(g, turn):
            out.append(INCOME)

    def why_not(self, g: State, turn: Turn, move: Move) -> Refusal:
        return Refusal("no-effect", verb=move.verb)

    def play(self, g: State, turn: Turn, move: Move) -> None:
        count = self.count(g, turn)
        gain(g, turn.seat, count)
        g.tell("income", seat=turn.seat, gold=count, count=count, type=self.type)
