"""Architect, rank 7: two cards more, and up to three districts built.

In the older edition the cards come only after gathering.
"""

from __future__ import annotations

from ...abilities import Ability
from ...acts import draw_to_hand
from ...declared import Appeal, Free, Habits, Lesson, Use
from ...facts import Figures, Move, Refusal
from ...flow.turn import Turn
from ...model import Option, State
from ...seams import Character
from ...shapes import Shape

DRAW = Move("draw")
CARDS = 2


class Draw(Ability):
    key = "draw"
    shapes = (Shape("draw"),)

    def __init__(self, *, late: bool) -> None:
        super().__init__()
        self.late = late

    def offer(self, g: State, turn: Turn, out: list[Option]) -> None:
        if g.deck and (turn.gathered or not self.late):
            out.append(DRAW)

    def why_not(self, g: State, turn: Turn, move: Move) -> Refusal:
        if self.late and not turn.gathered:
            return Refusal("gather-first", verb=move.verb)
        return Refusal("no-effect", verb=move.verb)

    def play(self, g: State, turn: Turn, move: Move) -> None:
        g.tell("extra_cards", seat=turn.seat, count=min(CARDS, len(g.deck)))
        draw_to_hand(g, turn.seat, CARDS)

    def figures(self, g: State, turn: Turn, move: Move) -> Figures:
        return Figures(cards=min(CARDS, len(g.deck)))


class Architect(Character):
    name, rank, limit, dullness = "Architect", 7, 3, 2
    declares = (
        Appeal(1.2, builds=1.5),
        Free("draw", place=5),
        Use("draw", "take", place=2),
        Habits(builds=3),
        Lesson("as", verbs=("draw",)),
    )

    def __init__(self, *, late: bool = False) -> None:
        self.abilities = (Draw(late=late),)
