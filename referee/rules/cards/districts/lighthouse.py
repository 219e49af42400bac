"""Lighthouse: who builds it looks through the deck, takes a card, and shuffles the rest."""

from __future__ import annotations

from typing import Any

from ... import chance
from ...declared import LAST, Lesson, Question, Reply, Told
from ...facts import Move, Refusal, Seat
from ...model import Frame, Option, State
from ...seams import District
from ...shapes import Shape


class Beam(Frame):
    """The whole deck, looked through.  Asked too when all its cards bear one name: a table
    that saw no question would know that they do."""

    __slots__ = ("numbers", "seat")
    code = "lighthouse"
    verbs = frozenset({"keep"})
    hushed = True

    def __init__(self, seat: Seat, numbers: tuple[int, ...]) -> None:
        self.seat, self.numbers = seat, numbers

    def asked(self, g: State) -> Seat | None:
        return self.seat

    def names(self, g: State) -> list[str]:
        """Sorted: how the cards lay is nobody's business."""
        return sorted(g.names(self.numbers))

    def options(self, g: State) -> list[Option]:
        return [Move("keep", ((name,),)) for name in dict.fromkeys(self.names(g))]

    def take(self, g: State, move: Move) -> None:
        g.stack.pop()
        number = g.find(self.numbers, move.args[0][0])
        g.deck = chance.shuffled(
            g.seed, [n for n in self.numbers if n != number], "Lighthouse", g.round, self.seat
        )
        keep(g, self.seat, number)

    def why_not(self, g: State, move: Move) -> Refusal:
        if len(move.args[0]) != 1:
            return Refusal("count", least=1, most=1)
        return Refusal("not-offered", card=move.args[0][0])

    def dull(self, g: State) -> Move:
        cheapest = min(self.numbers, key=lambda n: (g.cards[n].cost, g.cards[n].name))
        return Move("keep", ((g.cards[cheapest].name,),))

    def shows(self, g: State) -> dict[str, Any]:
        return {"drawn": self.names(g)}

    def holds(self) -> tuple[int, ...]:
        return self.numbers

    def hold(self, numbers: tuple[int, ...]) -> None:
        self.numbers = numbers


def keep(g: State, seat: Seat, number: int) -> None:
    g.sealed = True
    g.own(seat).hand.append(number)
    g.tell("lighthouse", seat=seat)
    g.tell_cards("kept_cards", seat, [number])


class Lighthouse(District):
    name, cost = "Lighthouse", 3
    shapes = (Shape("keep <D>+"),)
    declares = (
        Told("lighthouse", "seat: a card taken out of the deck, which is shuffled"),
        Question("keep", ("lighthouse",), ("keep",), place=LAST + 1),
        Reply("lighthouse", how="keep"),
        Lesson("asked", what="lighthouse"),
    )

    def built(self, g: State, seat: Seat, number: int, paid: int) -> None:
        if g.cards[number].name != self.name or not g.deck:
            return
        if len(g.deck) == 1:  # known to all, nothing to choose
            (last,), g.deck = g.deck, []
            keep(g, seat, last)
            return
        g.stack.append(Beam(seat, tuple(g.deck)))
        g.deck, g.sealed = [], True

    def marks(self, g: State, viewer: Seat | None) -> dict[str, Any]:
        """Looked through, the deck is still as large as it was."""
        top = g.stack[-1] if g.stack else None
        return {"deck": len(top.numbers)} if isinstance(top, Beam) else {}
