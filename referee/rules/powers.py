"""What several characters share: income, and the crown that comes with the rank."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .abilities import Ability
from .acts import crown, draw_to_hand, gain
from .declared import Free, Use
from .facts import Figures, Move, Refusal, Seat
from .model import Option, State
from .seams import Character
from .shapes import Shape

if TYPE_CHECKING:
    from .flow.turn import Turn

INCOME = Move("income")


class Income(Ability):
    """One gold for each district of the type, counted when it is ordered."""

    key = "income"
    shapes = (Shape("income"),)
    declares = (Free("income", place=1), Use("income", "take", place=3))

    def __init__(self, type: str) -> None:
        super().__init__()
        self.type = type

    def count(self, g: State, turn: Turn) -> int:
        kind, cards = self.type, g.cards
        return sum([kind in cards[n].pays for n in g.players[turn.seat].city])

    def offer(self, g: State, turn: Turn, out: list[Option]) -> None:
        kind, cards = self.type, g.cards
        for number in g.players[turn.seat].city:
            if kind in cards[number].pays:
                out.append(INCOME)
                return

    def why_not(self, g: State, turn: Turn, move: Move) -> Refusal:
        if move.args:
            return Refusal("malformed", verb=move.verb, expected=[self.shapes[0].text])
        return Refusal("no-effect", verb=move.verb)

    def play(self, g: State, turn: Turn, move: Move) -> None:
        self.pay(g, turn, self.count(g, turn))

    def figures(self, g: State, turn: Turn, move: Move) -> Figures:
        return Figures(gold=self.count(g, turn))

    def pay(self, g: State, turn: Turn, count: int) -> None:
        gain(g, turn.seat, count)
        g.tell("income", seat=turn.seat, gold=count, count=count, type=self.type)


class CardIncome(Income):
    """One card for each district of the type; of a deck that is too small, what is there."""

    def offer(self, g: State, turn: Turn, out: list[Option]) -> None:
        if g.deck:
            super().offer(g, turn, out)

    def figures(self, g: State, turn: Turn, move: Move) -> Figures:
        return Figures(cards=min(self.count(g, turn), len(g.deck)))

    def pay(self, g: State, turn: Turn, count: int) -> None:
        g.tell("card_income", seat=turn.seat, count=min(count, len(g.deck)), type=self.type)
        draw_to_hand(g, turn.seat, count)


def show_heir(g: State, seat: Seat, character: str) -> None:
    """A killed rank 4 shows itself at the end of the round: it is revealed now (ruling 49).

    Nobody takes back what led here: who shows it may be asked right after a turn of their other character.
    """
    g.sealed = True
    g.tell("heir_revealed", seat=seat, character=character)
    if g.holds(49):
        g.own(seat).revealed += (character,)


class Heir(Character):
    """Takes the crown when called; killed, shows himself when the round ends and takes it then."""

    may_lie_faceup = False

    def revealed(self, g: State, seat: Seat, character: str) -> None:
        if character == self.name:
            crown(g, seat, "king")

    def round_over(self, g: State) -> None:
        seat = g.holder(self.name)
        if seat is not None and self.name not in g.players[seat].revealed:
            show_heir(g, seat, self.name)
            crown(g, seat, "heir")
