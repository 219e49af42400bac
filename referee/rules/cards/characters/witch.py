"""Witch, rank 1: gathers, names a character, and waits.

Anyone who holds the bewitched character gathers when it is called, and that is all of that
turn; then the Witch goes on in its place, with its powers and her own things.  Neither of
the two turns that only gather is noticed by any card when it is over.  If nobody holds the
bewitched character, she does not go on.
"""

from __future__ import annotations

from typing import Any

from ...declared import Appeal, Lesson, Told
from ...facts import Move, Refusal, Seat
from ...flow.call import faceup_last
from ...flow.turn import Turn
from ...model import Frame, Option, State
from ...seams import Character
from ...shapes import Shape

BEWITCHED = "Witch"  # round drawer: (the character named, the Witch's seat)


def orders(g: State) -> list[Move]:
    """An order for every other character of the game."""
    naming = g.rules.naming.get("bewitch")
    if naming is None:
        naming = [Move("bewitch", (c.name,)) for c in g.rules.callings if c.rank > 1]
        g.rules.naming["bewitch"] = naming
    return naming


class Bewitch(Frame):
    """Whom: a must, asked as soon as the Witch has gathered."""

    __slots__ = ("seat",)
    code = "bewitch"
    verbs = frozenset({"bewitch"})

    def __init__(self, seat: Seat) -> None:
        self.seat = seat

    def asked(self, g: State) -> Seat | None:
        return self.seat

    def options(self, g: State) -> list[Option]:
        return [*faceup_last(g, orders(g))]

    def take(self, g: State, move: Move) -> None:
        g.stack.pop()
        g.round_drawer[BEWITCHED] = (move.args[0], self.seat)
        g.tell("bewitched", seat=self.seat, character=move.args[0])

    def why_not(self, g: State, move: Move) -> Refusal:
        return Refusal("no-target", target=move.args[0], why="self")

    def dull(self, g: State) -> Move:
        """One that lies faceup, in nobody's hand, where there is one."""
        out = [m for m in orders(g) if m.args[0] in g.faceup]
        return (out or orders(g))[0]


class Resume(Frame):
    """The Witch on hold, beneath the turn of the one she bewitched."""

    __slots__ = ("character", "seat")
    code = "resume"

    def __init__(self, seat: Seat, character: str) -> None:
        self.seat, self.character = seat, character

    def advance(self, g: State) -> None:
        g.stack.pop()
        g.tell("resumed", seat=self.seat, character=self.character)
        g.stack.append(Turn(self.seat, self.character, gathered=True))


class Witch(Character):
    name, rank, dullness = "Witch", 1, 6
    shapes = (Shape("bewitch <C>"),)
    fields = ("bewitched",)
    declares = (
        Told("bewitched", "seat, character: the character named"),
        Told("resumed", "seat, character: who was on hold goes on as that character"),
        Appeal(0.3),
        Lesson("as", verbs=("gold",)),
        Lesson("asked", what="bewitch"),
        Lesson("marked", "you-bewitched", "bewitched", place=2),
        Lesson("done", "you-resumed", "resumed", role="seat", place=18),
    )

    def turns(self, g: State, seat: Seat, character: str) -> list[Frame] | None:
        if character == self.name:
            return [Turn(seat, character, brief=True), Bewitch(seat)]
        witch = self.player(g, character)
        if witch is None:
            return None
        return [Turn(seat, character, brief=True), Resume(witch, character)]

    def player(self, g: State, character: str) -> Seat | None:
        named, witch = g.round_drawer.get(BEWITCHED, (None, None))
        return witch if named == character else None

    def spared(self, g: State, character: str) -> bool:
        return self.player(g, character) is not None

    def place(self, g: State, field: str, value: Any, seat: Seat | None) -> None:
        witch = g.holder(self.name)
        if g.rules.characters[value].rank == self.rank or witch is None:
            raise ValueError("somebody must hold the Witch, and not name that card")
        g.round_drawer[BEWITCHED] = (value, witch)

    def marks(self, g: State, viewer: Seat | None) -> dict[str, Any]:
        return {"bewitched": g.round_drawer.get(BEWITCHED, (None, None))[0]}
