"""Almoner, rank 9: gives a gold to another player, once a turn, and draws a card.

A rule for the selection: the card never lies faceup, and when all have picked, anyone who has no gold gets
one.
"""

from __future__ import annotations

from ...abilities import Ability
from ...acts import draw_to_hand, gain, hand_over
from ...declared import Appeal, Lesson, Told, Use
from ...facts import Move, Refusal
from ...flow.turn import Turn
from ...model import Option, State
from ...seams import Character
from ...shapes import Shape

ALMS = 1


class Give(Ability):
    key = "alms"
    shapes = (Shape("alms <P>", ("to <P>", (0,))),)
    declares = (Use("alms", "look"),)

    def offer(self, g: State, turn: Turn, out: list[Option]) -> None:
        if g.players[turn.seat].gold >= ALMS and g.deck:
            out.extend([Move("alms", (seat,)) for seat in range(len(g.players)) if seat != turn.seat])

    def why_not(self, g: State, turn: Turn, move: Move) -> Refusal:
        if move.args[0] == turn.seat:
            return Refusal("no-target", target=turn.seat, why="self")
        if g.players[turn.seat].gold < ALMS:
            return Refusal("too-poor", price=ALMS, gold=g.players[turn.seat].gold)
        return Refusal("no-effect", verb=move.verb)

    def play(self, g: State, turn: Turn, move: Move) -> None:
        hand_over(g, turn.seat, move.args[0], ALMS)
        g.tell("alms_given", seat=turn.seat, other=move.args[0], gold=ALMS)
        draw_to_hand(g, turn.seat, 1)


class Almoner(Character):
    name, rank, dullness = "Almoner", 9, 1
    may_lie_faceup = False
    abilities = (Give(),)
    declares = (
        Told("alms_given", "seat, other, gold"),
        Told("endowed", "seat, gold: for having none when all had picked"),
        Appeal(1.1),
        Lesson("as", verbs=("alms",)),
        Lesson("done", "you-given", "alms_given", role="other"),
    )

    def drafted(self, g: State) -> None:
        for seat, player in enumerate(g.players):
            if not player.gold:
                gain(g, seat, ALMS)
                g.tell("endowed", seat=seat, gold=ALMS)
