"""Magician, rank 3: changes hands with somebody, or cards with the deck; one of the two."""

from __future__ import annotations

from ...abilities import Ability
from ...acts import bury, draw_to_hand, exchange_hands, take_named
from ...declared import Appeal, Lesson, Told, Use
from ...facts import Family, Move, Refusal
from ...flow.refuse import lacking
from ...flow.turn import Turn
from ...model import Option, State
from ...seams import Character
from ...shapes import Shape

KEY = "magic"
SWAPS = [Move("swap", (seat,)) for seat in range(8)]


class Swap(Ability):
    """With an empty hand too, unless both are empty."""

    key = KEY
    shapes = (Shape("swap <P>", ("with <P>", (0,))),)

    def offer(self, g: State, turn: Turn, out: list[Option]) -> None:
        mine = g.players[turn.seat].hand
        out.extend(
            [
                SWAPS[seat]
                for seat, other in enumerate(g.players)
                if seat != turn.seat and (mine or other.hand)
            ]
        )

    def why_not(self, g: State, turn: Turn, move: Move) -> Refusal:
        if move.args[0] == turn.seat:
            return Refusal("no-target", target=move.args[0], why="self")
        return Refusal("no-effect", verb=move.verb)

    def play(self, g: State, turn: Turn, move: Move) -> None:
        g.tell("swapped", seat=turn.seat, other=move.args[0])
        exchange_hands(g, turn.seat, move.args[0])


class Redraw(Ability):
    """The cards go under the deck first, in the order named; then as many are drawn."""

    key = KEY
    shapes = (Shape("redraw <D>+"),)

    def offer(self, g: State, turn: Turn, out: list[Option]) -> None:
        hand = g.players[turn.seat].hand
        if hand:
            out.append(Family("redraw", tuple(g.names(hand)), 1, len(hand)))

    def why_not(self, g: State, turn: Turn, move: Move) -> Refusal:
        hand = g.names(g.players[turn.seat].hand)
        for name in move.args[0]:
            if move.args[0].count(name) > hand.count(name):
                return lacking(name, hand.count(name))
        return Refusal("count", least=1, most=len(hand))

    def play(self, g: State, turn: Turn, move: Move) -> None:
        numbers = take_named(g, turn.seat, move.args[0])
        bury(g, numbers)
        g.tell("redrew", seat=turn.seat, count=len(numbers))
        draw_to_hand(g, turn.seat, len(numbers))


class Magician(Character):
    name, rank, dullness = "Magician", 3, 3
    abilities = (Swap(), Redraw())
    declares = (
        Told("swapped", "seat, other"),
        Told("redrew", "seat, count"),
        Appeal(0.0, hands=2),
        Use("swap", "hands"),
        Lesson("as", verbs=("swap", "redraw")),
        Lesson("done", "you-swapped", "swapped", role="other", place=5),
    )
