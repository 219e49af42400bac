"""Scholar, rank 7: sees seven cards, keeps one, the others are shuffled into the deck; up to
two districts built."""

from __future__ import annotations

from typing import Any

from ... import chance
from ...abilities import Ability
from ...acts import draw
from ...declared import LAST, Appeal, Lesson, Question, Reply, Told, Use
from ...facts import Figures, Move, Refusal, Seat, move_of
from ...flow.turn import Turn
from ...model import Frame, Option, State
from ...seams import Character
from ...shapes import Shape

STUDY = Move("study")
SEEN = 7


class Study(Ability):
    key = "study"
    shapes = (Shape("study"),)

    def offer(self, g: State, turn: Turn, out: list[Option]) -> None:
        if g.deck:
            out.append(STUDY)

    def why_not(self, g: State, turn: Turn, move: Move) -> Refusal:
        return Refusal("no-effect", verb=move.verb)

    def play(self, g: State, turn: Turn, move: Move) -> None:
        seen = draw(g, SEEN)
        g.tell("studied", seat=turn.seat, count=len(seen))
        if len(seen) == 1:  # nothing to choose, and everybody knows
            _keep(g, turn.seat, seen[0])
            return
        g.tell_cards("shown", turn.seat, seen)
        g.stack.append(Choose(turn.seat, seen))

    def figures(self, g: State, turn: Turn, move: Move) -> Figures:
        return Figures(cards=min(SEEN, len(g.deck)), kept=1)


def _keep(g: State, seat: Seat, number: int) -> None:
    g.own(seat).hand.append(number)
    g.tell("kept", seat=seat, count=1)
    g.tell_cards("kept_cards", seat, (number,))


class Choose(Frame):
    """Which one to keep.  Asked also when all of them bear the same name: a table that saw
    no question would know that they do."""

    __slots__ = ("numbers", "seat")
    code = "study"
    verbs = frozenset({"keep"})
    hushed = True

    def __init__(self, seat: Seat, numbers: tuple[int, ...]) -> None:
        self.seat, self.numbers = seat, numbers

    def asked(self, g: State) -> Seat | None:
        return self.seat

    def options(self, g: State) -> list[Option]:
        return [move_of("keep", ((name,),)) for name in dict.fromkeys(g.names(self.numbers))]

    def take(self, g: State, move: Move) -> None:
        number = g.find(self.numbers, move.args[0][0])
        g.stack.pop()
        _keep(g, self.seat, number)
        rest = [n for n in self.numbers if n != number]
        g.deck = chance.shuffled(g.seed, [*rest, *g.deck], "Scholar", g.round)
        g.sealed = True

    def why_not(self, g: State, move: Move) -> Refusal:
        names = move.args[0]
        for name in names:
            if name not in g.names(self.numbers):
                return Refusal("not-offered", card=name)
        return Refusal("count", least=1, most=1)

    def dull(self, g: State) -> Move:
        cheapest = min(self.numbers, key=lambda n: (g.cards[n].cost, g.cards[n].name))
        return Move("keep", ((g.cards[cheapest].name,),))

    def shows(self, g: State) -> dict[str, Any]:
        return {"drawn": g.names(self.numbers)}

    def holds(self) -> tuple[int, ...]:
        return self.numbers

    def hold(self, numbers: tuple[int, ...]) -> None:
        self.numbers = numbers


class Scholar(Character):
    name, rank, limit, dullness = "Scholar", 7, 2, 2
    abilities = (Study(),)
    declares = (
        Told("studied", "seat, count: cards looked at"),
        Appeal(1.1),
        Question("keep", ("study",), ("keep",), place=LAST + 1),
        Use("study", "take", place=8),
        Reply("study", how="keep"),
        Lesson("as", verbs=("study",)),
        Lesson("asked", what="study"),
    )
