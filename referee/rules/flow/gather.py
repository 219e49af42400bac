"""Gathering cards: draw some, keep some, the rest goes under the deck."""

from __future__ import annotations

from typing import Any

from ..acts import bury, draw
from ..facts import Family, Move, Refusal, Seat
from ..model import Frame, Option, State
from .moment import announce

DRAWN, KEPT = 2, 1


def gather_cards(g: State, seat: Seat) -> None:
    """Draw; ask which to keep unless all are kept."""
    count, keep = cards_gathered(g, seat)
    drawn = draw(g, count)
    if g.events is not None:
        g.tell("drew", seat=seat, count=len(drawn))
    if len(drawn) > keep:
        g.tell_cards("shown", seat, drawn)
        g.stack.append(Keeping(seat, drawn, keep))
    else:
        keep_cards(g, seat, drawn)


def cards_gathered(g: State, seat: Seat) -> tuple[int, int]:
    """How many cards that seat draws when it gathers cards, and how many of them it keeps."""
    count, keep = DRAWN, KEPT
    drawing, keeping = g.rules.at["draws"], g.rules.at["keeps"]
    if drawing or keeping:
        city = [g.cards[n] for n in g.players[seat].city]
        for district in city:
            if district in drawing:
                count = district.draws(count)
        for district in city:
            if district in keeping:
                keep = district.keeps(count, keep)
    return count, keep


def keep_cards(g: State, seat: Seat, numbers: tuple[int, ...]) -> None:
    g.own(seat).hand.extend(numbers)
    if g.events is not None:
        g.tell("kept", seat=seat, count=len(numbers))
        g.tell_cards("kept_cards", seat, numbers)
    announce(g, "gathered", seat)


class Keeping(Frame):
    """Which of the cards shown to keep.  Asked also when all of them bear the same name:
    a table that saw no question would know that they do."""

    __slots__ = ("count", "numbers", "seat")
    code = "keep"
    verbs = frozenset({"keep"})
    hushed = True

    def __init__(self, seat: Seat, numbers: tuple[int, ...], count: int) -> None:
        self.seat, self.numbers, self.count = seat, numbers, count

    def asked(self, g: State) -> Seat | None:
        return self.seat

    def options(self, g: State) -> list[Option]:
        if self.count > 1:
            return [Family("keep", tuple(g.names(self.numbers)), self.count, self.count)]
        cards = g.cards
        out: list[Option] = []
        for number in self.numbers:
            kept = cards[number].kept
            if kept not in out:
                out.append(kept)
        return out

    def take(self, g: State, move: Move) -> None:
        left = list(self.numbers)
        kept = []
        for name in move.args[0]:
            number = g.find(left, name)
            left.remove(number)
            kept.append(number)
        g.stack.pop()
        bury(g, tuple(left))
        keep_cards(g, self.seat, tuple(kept))

    def why_not(self, g: State, move: Move) -> Refusal:
        shown = g.names(self.numbers)
        for name in move.args[0]:
            if name not in shown:
                return Refusal("not-offered", card=name)
        return Refusal("count", least=self.count, most=self.count)

    def dull(self, g: State) -> Move:
        cheapest = sorted(self.numbers, key=lambda n: (g.cards[n].cost, g.cards[n].name))
        return Move("keep", (tuple(g.names(cheapest[: self.count])),))

    def shows(self, g: State) -> dict[str, Any]:
        return {"drawn": g.names(self.numbers)}

    def holds(self) -> tuple[int, ...]:
        return self.numbers

    def hold(self, numbers: tuple[int, ...]) -> None:
        self.numbers = numbers
