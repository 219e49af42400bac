"""Tax Collector, rank 9: who builds puts a gold on the token, if any is left; the one who is
called as Tax Collector may take what lies there.

The tax is due as long as the card is in the game, no matter who holds it.  Who confiscates a
district pays for it; the turn of the Tax Collector is free.

The older one has rank 2 and no token: who built pays at the end of the turn, or, if that
was earlier, when the Tax Collector is called.
"""

from __future__ import annotations

from typing import Any

from ...abilities import Ability
from ...acts import hand_over
from ...declared import Free, Lesson, Told, Use
from ...facts import Figures, Move, Refusal, Seat
from ...flow.call import player_of
from ...flow.turn import Turn
from ...model import Option, State
from ...seams import Character
from ...shapes import Shape

COINS = "Tax Collector"  # game drawer: gold on the token
BUILT = OWING = "Tax Collector"  # the older one: turn drawer, round drawer (seats)
COLLECT = Move("collect")
TAX = 1


def token(g: State) -> int:
    return int(g.game_drawer.get(COINS, 0))


class Collect(Ability):
    key = "collect"
    shapes = (Shape("collect"),)

    def offer(self, g: State, turn: Turn, out: list[Option]) -> None:
        if token(g):
            out.append(COLLECT)

    def why_not(self, g: State, turn: Turn, move: Move) -> Refusal:
        return Refusal("no-effect", verb=move.verb)

    def play(self, g: State, turn: Turn, move: Move) -> None:
        gold = token(g)
        g.game_drawer[COINS] = 0
        g.own(turn.seat).gold += gold
        g.tell("collected", seat=turn.seat, gold=gold)

    def figures(self, g: State, turn: Turn, move: Move) -> Figures:
        return Figures(gold=token(g))


class TaxCollector(Character):
    name, rank, dullness = "Tax Collector", 9, 1
    abilities = (Collect(),)
    fields = ("tax",)
    declares = (
        Told("taxed", "seat, gold: for having built"),
        Told("collected", "seat, gold"),
        Free("collect", place=4),
        Use("collect", "take", place=5),
        Lesson("as"),
        Lesson("done", "you-taxed", "taxed", role="seat", place=16),
    )

    def built(self, g: State, seat: Seat, number: int, paid: int) -> None:
        turn = g.top(Turn)
        if not g.players[seat].gold or (turn.powers == self.name and turn.seat == seat):
            return
        g.own(seat).gold -= TAX
        g.game_drawer[COINS] = token(g) + TAX
        g.tell("taxed", seat=seat, gold=TAX)

    def purse(self, g: State) -> int:
        return token(g)

    def marks(self, g: State, viewer: Seat | None) -> dict[str, Any]:
        return {"tax": token(g)}

    def place(self, g: State, field: str, value: Any, seat: Seat | None) -> None:
        if type(value) is not int or value < 0:
            raise ValueError("a whole number of gold")
        g.game_drawer[COINS] = value
        g.bank -= value

    def read(self, g: State, field: str, seat: Seat | None) -> Any:
        return token(g)


class OlderTaxCollector(Character):
    """Of rank 2.  One gold for a turn, however much was built in it."""

    name, rank, dullness = "Tax Collector", 2, 1

    def built(self, g: State, seat: Seat, number: int, paid: int) -> None:
        turn = g.top(Turn)
        if seat == turn.seat:
            turn.drawer = {**turn.drawer, BUILT: True}

    def turn_over(self, g: State, seat: Seat) -> None:
        if not g.top(Turn).drawer.get(BUILT):
            return
        holder = g.holder(self.name)
        if holder is not None and self.name in g.players[holder].revealed:
            self._pay(g, seat)
        else:
            g.round_drawer[OWING] = (*g.round_drawer.get(OWING, ()), seat)

    def revealed(self, g: State, seat: Seat, character: str) -> None:
        if character == self.name:
            for owing in g.round_drawer.pop(OWING, ()):
                self._pay(g, owing)

    def _pay(self, g: State, seat: Seat) -> None:
        collector = player_of(g, self.name)
        if collector is None or collector == seat or not g.players[seat].gold:
            return
        hand_over(g, seat, collector, TAX)
        g.tell("taxed", seat=seat, gold=TAX)
