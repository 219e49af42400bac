"""Toll Gate: when somebody else builds for four gold or more, its owner may take one gold of theirs."""

from __future__ import annotations

from ...acts import hand_over
from ...declared import Habits, Lesson, Question, Reply, Told
from ...facts import Move, Refusal, Seat
from ...flow.standing import has_name
from ...model import Frame, Option, State
from ...seams import District
from ...shapes import Shape

DEAR, TOLL = 4, 1
LEVY, PASS = Move("levy"), Move("pass")


class Toll(Frame):
    """The owner is asked at once, in the middle of the builder's turn."""

    __slots__ = ("builder", "seat")
    code = "toll-gate"
    verbs = frozenset({"levy", "pass"})

    def __init__(self, seat: Seat, builder: Seat) -> None:
        self.seat, self.builder = seat, builder

    def asked(self, g: State) -> Seat | None:
        return self.seat

    def options(self, g: State) -> list[Option]:
        return [LEVY, PASS]

    def take(self, g: State, move: Move) -> None:
        g.stack.pop()
        if move == PASS:
            g.tell("toll_waived", seat=self.seat)
            return
        hand_over(g, self.builder, self.seat, TOLL)
        g.tell("levied", seat=self.seat, victim=self.builder, gold=TOLL)

    def why_not(self, g: State, move: Move) -> Refusal:
        return Refusal("malformed", verb=move.verb, expected=["levy", "pass"])

    def dull(self, g: State) -> Move:
        return PASS


class TollGate(District):
    name, cost = "Toll Gate", 4
    shapes = (Shape("levy"), Shape("pass"))
    declares = (
        Told("levied", "seat, victim, gold"),
        Told("toll_waived", "seat"),
        Question("toll-gate", ("toll-gate",), ("levy",), "pass", off_turn=True, apart=True),
        Reply("toll-gate", ("levy",)),
        Habits("levy always"),
        Lesson("asked", what="toll-gate"),
    )

    def built(self, g: State, seat: Seat, number: int, paid: int) -> None:
        if g.cards[number].cost < DEAR or g.players[seat].gold < TOLL:
            return
        for owner in range(len(g.players)):
            if owner != seat and has_name(g, owner, self.name):
                g.stack.append(Toll(owner, seat))
                return
