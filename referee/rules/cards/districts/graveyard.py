"""Graveyard: when rank 8 destroys a district, its owner may buy the card for one gold.

Not the one who destroys; and not the Graveyard itself, which then stands in no city.
"""

from __future__ import annotations

from typing import Any

from ...acts import gain
from ...declared import Habits, Lesson, Question, Reply, Told
from ...facts import Move, Refusal, Seat
from ...flow.loss import Loss
from ...model import Frame, Option, State
from ...seams import District
from ...shapes import Shape

PRICE = 1
BUY, PASS = Move("buy"), Move("pass")


class Salvage(Frame):
    """The owner is asked, whatever the district; the turn waits."""

    __slots__ = ("seat",)
    code = "graveyard"
    verbs = frozenset({"buy", "pass"})

    def __init__(self, seat: Seat) -> None:
        self.seat = seat

    def asked(self, g: State) -> Seat | None:
        return self.seat

    def options(self, g: State) -> list[Option]:
        return [BUY, PASS]

    def take(self, g: State, move: Move) -> None:
        g.stack.pop()
        if move == PASS:
            g.tell("graveyard_declined", seat=self.seat)
            return
        loss = g.top(Loss)
        number, loss.numbers = loss.numbers[0], loss.numbers[1:]
        gain(g, self.seat, -PRICE)
        g.own(self.seat).hand.append(number)
        g.tell("graveyard_bought", seat=self.seat, district=g.cards[number].name)

    def why_not(self, g: State, move: Move) -> Refusal:
        return Refusal("malformed", verb=move.verb, expected=["buy", "pass"])

    def dull(self, g: State) -> Move:
        return PASS

    def shows(self, g: State) -> dict[str, Any]:
        return {"destroyed": g.cards[g.top(Loss).numbers[0]].name}


class Graveyard(District):
    name, cost = "Graveyard", 5
    shapes = (Shape("buy"), Shape("pass"))
    declares = (
        Told("graveyard_bought", "seat, district"),
        Told("graveyard_declined", "seat"),
        Question(
            "graveyard",
            ("graveyard",),
            ("buy",),
            "pass",
            off_turn=True,
            apart=True,
            with_card=True,
            compares=">=",
            prices=(3, 4, 5),
            place=4,
        ),
        Reply("graveyard", ("buy", "pass"), cost=3),
        Habits("buy if cost >= 3", place=1),
        Lesson("asked", what="graveyard"),
    )

    def lost(self, g: State, victim: Seat, by: Seat) -> None:
        if not g.top(Loss).raid:
            return
        for seat, player in enumerate(g.players):
            if seat != by and player.gold >= PRICE and self.name in g.names(player.city):
                g.stack.append(Salvage(seat))
                return
