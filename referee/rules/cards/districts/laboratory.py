"""Laboratory: once a turn, a card from the hand for gold."""

from __future__ import annotations

from ...abilities import Ability
from ...acts import bury, gain, take_named
from ...declared import Told, Use
from ...facts import Figures, Move, Refusal, move_of
from ...flow.turn import Turn
from ...model import Option, State
from ...seams import District
from ...shapes import Shape


class Discard(Ability):
    key = "laboratory"
    shapes = (Shape("laboratory <D>", ("with <D>", (0,))),)

    def __init__(self, gold: int) -> None:
        super().__init__()
        self.gold = gold

    def offer(self, g: State, turn: Turn, out: list[Option]) -> None:
        names = dict.fromkeys(g.names(g.players[turn.seat].hand))
        out.extend([move_of("laboratory", (name,)) for name in names])

    def why_not(self, g: State, turn: Turn, move: Move) -> Refusal:
        return Refusal("not-in-hand", card=move.args[0])

    def play(self, g: State, turn: Turn, move: Move) -> None:
        bury(g, take_named(g, turn.seat, move.args))
        gain(g, turn.seat, self.gold)
        g.tell("laboratory", seat=turn.seat, gold=self.gold)
        g.tell("discarded_card", turn.seat, card=move.args[0])

    def figures(self, g: State, turn: Turn, move: Move) -> Figures:
        return Figures(gold=self.gold)


class Laboratory(District):
    name, cost = "Laboratory", 5
    declares = (
        Told("laboratory", "seat, gold"),
        Told("discarded_card", "private: card"),
        Use("laboratory", "spare card", place=1),
    )

    def __init__(self, gold: int = 2) -> None:
        super().__init__()
        self.abilities = (Discard(gold),)
