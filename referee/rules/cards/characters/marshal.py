"""Marshal, rank 8: takes a district that costs three or less into the own city, and pays its
cost to the one who had it.

A coin on it counts; a wall's fee does not, and goes to the bank.
"""

from __future__ import annotations

from ...abilities import Ability
from ...acts import gain, hand_over
from ...declared import Appeal, Lesson, Told, Use
from ...facts import Figures, Move, Refusal, move_of
from ...flow.completion import is_complete
from ...flow.reach import fee, out_of_reach, shelter, walls
from ...flow.standing import cost_of, has_name, plain_name, standing
from ...flow.transfer import change_places
from ...flow.turn import Turn
from ...model import Option, State
from ...powers import Income
from ...seams import Character
from ...shapes import AIMED, Shape

MOST = 3  # the cost of what may be taken


class Seize(Ability):
    key = "seize"
    shapes = (Shape("seize <P> <B>", *AIMED),)

    def offer(self, g: State, turn: Turn, out: list[Option]) -> None:
        seat, cards = turn.seat, g.cards
        gold, mine = g.players[seat].gold, {cards[n].name for n in g.players[seat].city}
        for victim, player in enumerate(g.players):
            if victim == seat or not player.city or is_complete(g, victim) or shelter(g, victim, seat):
                continue
            walled = walls(g, victim)
            for label, number in standing(g, victim).items():
                district, cost = cards[number], cost_of(g, number)
                if cost > MOST or cost > gold or district.shielded or district.name in mine:
                    continue
                if not walled or fee(g, victim, district, cost) <= gold:
                    out.append(move_of("seize", (victim, label)))

    def why_not(self, g: State, turn: Turn, move: Move) -> Refusal:
        victim, label = move.args
        seat = turn.seat
        if victim == seat:
            return Refusal("no-target", target=victim, why="self")
        number = standing(g, victim).get(label)
        if number is None:
            return Refusal("not-in-city", card=plain_name(label), player=victim)
        district, cost = g.cards[number], cost_of(g, number)
        far = out_of_reach(g, victim, district, seat)
        if far:
            return far
        if cost > MOST:
            return Refusal("no-target", target=district.name, why="cost")
        if has_name(g, seat, district.name):
            return Refusal("identical", card=district.name, player=seat)
        return Refusal("too-poor", price=fee(g, victim, district, cost), gold=g.players[seat].gold)

    def play(self, g: State, turn: Turn, move: Move) -> None:
        victim, label = move.args
        number, seat = standing(g, victim)[label], turn.seat
        cost = cost_of(g, number)
        paid = fee(g, victim, g.cards[number], cost)
        hand_over(g, seat, victim, cost)
        gain(g, seat, cost - paid)
        g.tell("seized", seat=seat, victim=victim, district=g.cards[number].name, paid=paid)
        change_places(g, (number, victim, seat))

    def figures(self, g: State, turn: Turn, move: Move) -> Figures:
        victim, label = move.args
        number = standing(g, victim)[label]
        return Figures(price=fee(g, victim, g.cards[number], cost_of(g, number)))


class Marshal(Character):
    name, rank, type, dullness = "Marshal", 8, "military", 4
    abilities = (Income("military"), Seize())
    declares = (
        Told("seized", "seat, victim, district, paid"),
        Appeal(0.6, type="military"),
        Use("seize", "raid", place=2),
        Lesson("as", verbs=("seize",)),
        Lesson("done", "you-seized", "seized", place=14),
    )
