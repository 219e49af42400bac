"""Seer, rank 3: takes a card at random from every other hand, then gives one back to each of
those players; builds up to two districts."""

from __future__ import annotations

from typing import Any

from ... import chance
from ...abilities import Ability
from ...acts import pass_cards
from ...declared import Appeal, Lesson, Reply, Told, Within
from ...facts import Move, Refusal, Seat, move_of
from ...flow.turn import Turn
from ...model import Frame, Option, State
from ...seams import Character
from ...shapes import Shape

SEE = Move("see")


def hands(g: State, seat: Seat) -> list[Seat]:
    """The others who have cards."""
    return [other for other, player in enumerate(g.players) if other != seat and player.hand]


class See(Ability):
    key = "see"
    shapes = (Shape("see"),)

    def offer(self, g: State, turn: Turn, out: list[Option]) -> None:
        if hands(g, turn.seat):
            out.append(SEE)

    def why_not(self, g: State, turn: Turn, move: Move) -> Refusal:
        return Refusal("no-effect", verb=move.verb)

    def play(self, g: State, turn: Turn, move: Move) -> None:
        victims = hands(g, turn.seat)
        g.tell("saw", seat=turn.seat, victims=victims)
        for victim in victims:
            hand = g.players[victim].hand
            number = hand[chance.below(g.seed, len(hand), "Seer", g.round, victim)]
            pass_cards(g, victim, turn.seat, (number,))
        g.stack.append(GiveBack(turn.seat, tuple(victims)))


class GiveBack(Frame):
    """`owed`: who gets a card yet.  Whether the cards left are all alike is nobody's business,
    so the question is asked; but of a hand of one card there is nothing to choose."""

    __slots__ = ("owed", "seat")
    code = "seer"
    verbs = frozenset({"give"})
    hushed = True

    def __init__(self, seat: Seat, owed: tuple[Seat, ...]) -> None:
        self.seat, self.owed = seat, owed

    def asked(self, g: State) -> Seat | None:
        return self.seat if len(g.players[self.seat].hand) > 1 else None

    def advance(self, g: State) -> None:
        self.give(g, g.players[self.seat].hand[0], self.owed[0])

    def options(self, g: State) -> list[Option]:
        names = dict.fromkeys(g.names(g.players[self.seat].hand))
        return [move_of("give", (name, "to", seat)) for seat in self.owed for name in names]

    def take(self, g: State, move: Move) -> None:
        name, _, seat = move.args
        self.give(g, g.find(g.players[self.seat].hand, name), seat)

    def give(self, g: State, number: int, seat: Seat) -> None:
        self.owed = tuple([other for other in self.owed if other != seat])
        if not self.owed:
            g.stack.pop()
        g.tell("gave_back", seat=self.seat, other=seat)
        pass_cards(g, self.seat, seat, (number,))

    def why_not(self, g: State, move: Move) -> Refusal:
        name, _, seat = move.args
        if seat not in self.owed:
            return Refusal("no-target", target=seat, why="self" if seat == self.seat else "not-owed")
        return Refusal("not-in-hand", card=name)

    def dull(self, g: State) -> Move:
        hand = g.players[self.seat].hand
        cheapest = min(hand, key=lambda n: (g.cards[n].cost, g.cards[n].name))
        return Move("give", (g.cards[cheapest].name, "to", self.owed[0]))

    def shows(self, g: State) -> dict[str, Any]:
        return {"owed": list(self.owed)}


class Seer(Character):
    name, rank, dullness = "Seer", 3, 3
    limit = 2
    shapes = (Shape("give <D> to <P>", ("<P> <D>", (2, 0))),)
    abilities = (See(),)
    declares = (
        Told("saw", "seat, victims: seats, one card at random was taken from each"),
        Told("gave_back", "seat, other: one card"),
        Appeal(0.6),
        Within("give"),
        Reply("seer", how="gift"),
        Lesson("as", verbs=("see",)),
        Lesson("asked", what="seer"),
        Lesson("done", "you-seen", "saw", role="victims", place=10),
    )
