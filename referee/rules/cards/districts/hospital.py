"""Hospital: its owner, killed, may still gather when the rank is called, and nothing else.

Anyone who lies there is known to all from then on: who gathers is seen to.
"""

from __future__ import annotations

from ...acts import gain
from ...declared import Habits, Lesson, Question, Reply, Told
from ...facts import Move, Refusal, Seat
from ...flow.gather import gather_cards
from ...flow.moment import announce
from ...flow.standing import has_name
from ...flow.turn import CARDS, GOLD, gold_gathered
from ...model import Frame, Option, State
from ...seams import District
from ...shapes import Shape

PASS = Move("pass")


class Ward(Frame):
    __slots__ = ("seat",)
    code = "hospital"
    verbs = frozenset({"gold", "cards", "pass"})

    def __init__(self, seat: Seat) -> None:
        self.seat = seat

    def asked(self, g: State) -> Seat | None:
        return self.seat

    def options(self, g: State) -> list[Option]:
        return [GOLD, CARDS, PASS]

    def take(self, g: State, move: Move) -> None:
        g.stack.pop()
        if move == GOLD:
            gold = gold_gathered(g, self.seat)
            gain(g, self.seat, gold)
            g.tell("took_gold", seat=self.seat, gold=gold)
            announce(g, "gathered", self.seat)
        elif move == CARDS:
            gather_cards(g, self.seat)

    def why_not(self, g: State, move: Move) -> Refusal:
        return Refusal("malformed", verb=move.verb, expected=["gold", "cards", "pass"])

    def dull(self, g: State) -> Move:
        return PASS


class Hospital(District):
    name, cost = "Hospital", 6
    shapes = (Shape("pass"),)
    declares = (
        Told("hospital", "seat: killed, and may gather"),
        Question(
            "hospital",
            ("hospital",),
            ("gold", "cards"),
            "pass",
            off_turn=True,
            headed=True,
            offers=(
                "hospital gold always",
                "hospital cards always",
                "hospital gold never",
                "hospital gold ask me",
            ),
            place=6,
        ),
        Reply("hospital", ("gold",)),
        Habits("hospital gold always", place=2),
        Lesson("asked", what="hospital"),
    )

    def silent(self, g: State, seat: Seat, character: str) -> None:
        if has_name(g, seat, self.name):
            g.sealed = True
            g.tell("hospital", seat=seat)
            g.stack.append(Ward(seat))
