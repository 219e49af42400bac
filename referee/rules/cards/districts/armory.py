"""Armory: destroy it, and with it another district.

Rank 8 it is not: the Bishop, the Keep and the Great Wall are no help.  In deluxe any city
but a completed one, the owner's own too (and so not from a completed one, ruling 14); in
the older edition another player's city, be it completed.
"""

from __future__ import annotations

from ...abilities import Ability
from ...facts import Move, Refusal, move_of
from ...flow.completion import is_complete
from ...flow.loss import destroy
from ...flow.standing import own_city_last, plain_name, standing
from ...flow.turn import Turn
from ...model import Option, State
from ...seams import District
from ...shapes import AIMED, Shape

NAME = "Armory"


class Explode(Ability):
    key = "armory"
    shapes = (Shape("armory <P> <B>", *AIMED),)

    def __init__(self, *, older: bool) -> None:
        super().__init__()
        self.older = older

    def offer(self, g: State, turn: Turn, out: list[Option]) -> None:
        if not self.older and is_complete(g, turn.seat):
            return
        for victim in own_city_last(g, turn.seat):
            if not g.players[victim].city or (victim == turn.seat if self.older else is_complete(g, victim)):
                continue
            there = standing(g, victim)
            itself = there[NAME] if victim == turn.seat else None
            out.extend(
                [move_of("armory", (victim, name)) for name, number in there.items() if number != itself]
            )

    def why_not(self, g: State, turn: Turn, move: Move) -> Refusal:
        victim, name = move.args
        if not self.older:
            for city in (turn.seat, victim):
                if is_complete(g, city):
                    return Refusal("complete", player=city)
        elif victim == turn.seat:
            return Refusal("no-target", target=victim, why="self")
        if name not in standing(g, victim):
            return Refusal("not-in-city", card=plain_name(name), player=victim)
        return Refusal("no-target", target=name, why="itself")

    def play(self, g: State, turn: Turn, move: Move) -> None:
        victim, name = move.args
        # not limited to once a turn as other effects are: built again, it works again
        turn.used = tuple(key for key in turn.used if key != self.key)
        target = standing(g, victim)[name]
        destroy(g, turn.seat, turn.seat, standing(g, turn.seat)[NAME], 0)
        destroy(g, turn.seat, victim, target, 0)
        g.stack[-2:] = [g.stack[-1], g.stack[-2]]  # the Armory goes under the deck first


class Armory(District):
    name, cost = NAME, 3

    def __init__(self, *, older: bool = False) -> None:
        super().__init__()
        self.abilities = (Explode(older=older),)
