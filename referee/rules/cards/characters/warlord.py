"""Warlord, rank 8: destroys a district for one gold less than its cost.

Not in a completed city (his own included), not where a city or a district is out of reach
of rank 8.  In the older edition at the end of the turn: nothing but `end` may follow.
"""

from __future__ import annotations

from ...abilities import Ability
from ...acts import gain
from ...declared import Appeal, Lesson, Use
from ...facts import Figures, Move, Refusal, move_of
from ...flow.completion import is_complete
from ...flow.loss import destroy
from ...flow.reach import fee, out_of_reach, shelter, walls
from ...flow.standing import cost_of, own_city_last, plain_name, standing
from ...flow.turn import Turn
from ...model import Option, State
from ...powers import Income
from ...seams import Character
from ...shapes import AIMED, Shape


class Destroy(Ability):
    key = "destroy"
    shapes = (Shape("destroy <P> <B>", *AIMED),)

    def __init__(self, *, late: bool) -> None:
        super().__init__()
        self.late = late

    def offer(self, g: State, turn: Turn, out: list[Option]) -> None:
        if self.late and not turn.gathered:
            return
        gold, cards = g.players[turn.seat].gold, g.cards
        for victim in own_city_last(g, turn.seat):
            if not g.players[victim].city or is_complete(g, victim) or shelter(g, victim, turn.seat):
                continue
            walled = walls(g, victim)
            for name, number in standing(g, victim).items():
                price = cost_of(g, number) - 1
                if cards[number].shielded or price > gold:
                    continue
                if not walled or fee(g, victim, cards[number], price) <= gold:
                    out.append(move_of("destroy", (victim, name)))

    def why_not(self, g: State, turn: Turn, move: Move) -> Refusal:
        victim, name = move.args
        number = standing(g, victim).get(name)
        if self.late and not turn.gathered:
            return Refusal("gather-first", verb=move.verb)
        if number is None:
            return Refusal("not-in-city", card=plain_name(name), player=victim)
        district = g.cards[number]
        price = fee(g, victim, district, cost_of(g, number) - 1)
        return out_of_reach(g, victim, district, turn.seat) or Refusal(
            "too-poor", price=price, gold=g.players[turn.seat].gold
        )

    def play(self, g: State, turn: Turn, move: Move) -> None:
        victim, name = move.args
        number = standing(g, victim)[name]
        paid = fee(g, victim, g.cards[number], cost_of(g, number) - 1)
        turn.last = self.late
        gain(g, turn.seat, -paid)
        destroy(g, turn.seat, victim, number, paid, raid=True)

    def figures(self, g: State, turn: Turn, move: Move) -> Figures:
        victim, name = move.args
        number = standing(g, victim)[name]
        return Figures(price=fee(g, victim, g.cards[number], cost_of(g, number) - 1))


class Warlord(Character):
    name, rank, type, dullness = "Warlord", 8, "military", 4
    declares = (
        Appeal(0.4, type="military"),
        Use("destroy", "raid", most=2, place=1),
        Lesson("as", verbs=("destroy",)),
        Lesson("done", "you-destroyed", "destroyed", place=4),
    )

    def __init__(self, *, late: bool = False) -> None:
        self.abilities = (Income("military"), Destroy(late=late))
