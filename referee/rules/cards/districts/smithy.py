"""Smithy: once a turn, two gold for three cards."""

from __future__ import annotations

from ...abilities import Ability
from ...acts import draw_to_hand, gain
from ...declared import Told, Use
from ...facts import Figures, Move, Refusal
from ...flow.turn import Turn
from ...model import Option, State
from ...seams import District
from ...shapes import Shape

SMITHY = Move("smithy")
GOLD, CARDS = 2, 3


class Forge(Ability):
    key = "smithy"
    shapes = (Shape("smithy"),)

    def offer(self, g: State, turn: Turn, out: list[Option]) -> None:
        if g.deck and g.players[turn.seat].gold >= GOLD:
            out.append(SMITHY)

    def why_not(self, g: State, turn: Turn, move: Move) -> Refusal:
        gold = g.players[turn.seat].gold
        if gold < GOLD:
            return Refusal("too-poor", price=GOLD, gold=gold)
        return Refusal("no-effect", verb=move.verb)

    def play(self, g: State, turn: Turn, move: Move) -> None:
        gain(g, turn.seat, -GOLD)
        g.tell("smithy", seat=turn.seat, gold=GOLD, count=min(CARDS, len(g.deck)))
        draw_to_hand(g, turn.seat, CARDS)

    def figures(self, g: State, turn: Turn, move: Move) -> Figures:
        return Figures(cards=min(CARDS, len(g.deck)))


class Smithy(District):
    name, cost = "Smithy", 5
    abilities = (Forge(),)
    declares = (
        Told("smithy", "seat, gold, count"),
        Use("smithy", "spare gold", gold=4),
    )
