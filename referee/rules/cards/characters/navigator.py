"""Navigator, rank 7: four gold or four cards, and nothing is built.

In the older edition only after gathering.
"""

from __future__ import annotations

from ...abilities import Ability
from ...acts import draw_to_hand, gain
from ...declared import Appeal, Lesson, Use
from ...facts import NO_FIGURES, Figures, Move, Refusal
from ...flow.turn import Turn
from ...model import Option, State
from ...seams import Character
from ...shapes import Shape

GOLD, CARDS = Move("sail", ("gold",)), Move("sail", ("cards",))
GAIN = 4


class Sail(Ability):
    key = "sail"
    shapes = (Shape("sail gold"), Shape("sail cards"))

    def __init__(self, *, late: bool) -> None:
        super().__init__()
        self.late = late

    def offer(self, g: State, turn: Turn, out: list[Option]) -> None:
        if self.late and not turn.gathered:
            return
        out.append(GOLD)
        if g.deck:
            out.append(CARDS)

    def why_not(self, g: State, turn: Turn, move: Move) -> Refusal:
        if self.late and not turn.gathered:
            return Refusal("gather-first", verb=move.verb)
        return Refusal("no-effect", verb=move.verb)

    def play(self, g: State, turn: Turn, move: Move) -> None:
        if move == GOLD:
            gain(g, turn.seat, GAIN)
            g.tell("bonus", seat=turn.seat, gold=GAIN)
            return
        g.tell("extra_cards", seat=turn.seat, count=min(GAIN, len(g.deck)))
        draw_to_hand(g, turn.seat, GAIN)

    def figures(self, g: State, turn: Turn, move: Move) -> Figures:
        return NO_FIGURES if move == GOLD else Figures(cards=min(GAIN, len(g.deck)))


class Navigator(Character):
    name, rank, builds, dullness = "Navigator", 7, False, 2
    declares = (
        Appeal(1.5),
        Use("sail", "take last", place=6),
        Lesson("as", verbs=("sail",)),
    )

    def __init__(self, *, late: bool = False) -> None:
        self.abilities = (Sail(late=late),)
