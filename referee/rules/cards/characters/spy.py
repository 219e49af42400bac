"""Spy, rank 2: looks at a hand for cards of a type; for each, a gold from that player as far
as it goes, and a card from the deck."""

from __future__ import annotations

from ...abilities import Ability
from ...acts import draw_to_hand, hand_over
from ...declared import Appeal, Lesson, Told, Use
from ...facts import Move, Refusal
from ...flow.turn import Turn
from ...model import Option, State
from ...seams import TYPES, Character
from ...shapes import Shape

SPIES = [[Move("spy", (seat, kind)) for kind in TYPES] for seat in range(8)]


class Look(Ability):
    """At a hand with cards; whether any is of the type, nobody knows before."""

    key = "spy"
    shapes = (Shape("spy <P> <T>"),)

    def offer(self, g: State, turn: Turn, out: list[Option]) -> None:
        for seat, other in enumerate(g.players):
            if other.hand and seat != turn.seat:
                out += SPIES[seat]

    def why_not(self, g: State, turn: Turn, move: Move) -> Refusal:
        seat, kind = move.args
        if seat == turn.seat:
            return Refusal("no-target", target=seat, why="self")
        if kind not in TYPES:
            return Refusal("malformed", verb=move.verb, expected=[shape.text for shape in self.shapes])
        return Refusal("no-effect", verb=move.verb)

    def play(self, g: State, turn: Turn, move: Move) -> None:
        other, kind = move.args
        hand = g.players[other].hand
        found = sum([g.cards[n].type == kind for n in hand])
        gold = min(found, g.players[other].gold)
        g.sealed = True
        g.tell_cards("hand_seen", turn.seat, hand)
        hand_over(g, other, turn.seat, gold)
        # with a short deck and an empty purse more was found than anybody else can tell
        g.tell("spied", seat=turn.seat, other=other, type=kind, gold=gold, count=min(found, len(g.deck)))
        draw_to_hand(g, turn.seat, found)


class Spy(Character):
    name, rank, dullness = "Spy", 2, 5
    abilities = (Look(),)
    declares = (
        Told("spied", "seat, other, type, gold, count: cards drawn for it"),
        Appeal(0.8),
        Use("spy", "take", place=9),
        Lesson("as", verbs=("spy",)),
        Lesson("done", "you-spied", "spied", role="other", place=8),
    )
