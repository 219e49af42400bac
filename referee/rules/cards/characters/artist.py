"""Artist, rank 9: puts a coin of the stash on one or two districts of the own city; each
costs one more from then on.

A district bears one coin at most, wherever it goes; when it falls, the coin goes to the bank.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from ...abilities import Ability
from ...declared import Lesson, Told, Use
from ...facts import Family, Move, Refusal, Seat
from ...flow.standing import plain_name
from ...flow.turn import Turn
from ...model import Option, State
from ...seams import Character
from ...shapes import Shape

COINS = "Artist"  # game drawer: the districts that bear a coin
MOST = 2


def coins(g: State) -> tuple[int, ...]:
    return tuple(g.game_drawer.get(COINS, ()))


def bare(g: State, seat: Seat) -> list[int]:
    """The districts of that city without a coin."""
    adorned = coins(g)
    return [n for n in g.players[seat].city if n not in adorned]


class Beautify(Ability):
    key = "beautify"
    shapes = (Shape("beautify <B>+"),)

    def offer(self, g: State, turn: Turn, out: list[Option]) -> None:
        gold = g.players[turn.seat].gold
        if not gold:
            return
        names = tuple(g.names(bare(g, turn.seat)))
        if names:
            out.append(Family("beautify", names, 1, min(MOST, gold, len(names))))

    def why_not(self, g: State, turn: Turn, move: Move) -> Refusal:
        names, me = move.args[0], g.players[turn.seat]
        city, free = Counter(g.names(me.city)), Counter(g.names(bare(g, turn.seat)))
        for name, count in Counter(map(plain_name, names)).items():
            if count > city[name] > 0:
                return Refusal("too-often", card=name, have=city[name])
            if count > city[name]:
                return Refusal("not-in-city", card=name, player=turn.seat)
            if count > free[name] or name not in names:
                return Refusal("no-target", target=name, why="raised")
        if len(names) > MOST:
            return Refusal("count", least=1, most=MOST)
        return Refusal("too-poor", price=len(names), gold=me.gold)

    def play(self, g: State, turn: Turn, move: Move) -> None:
        left = bare(g, turn.seat)
        chosen: list[int] = []
        for name in move.args[0]:
            number = g.find(left, name)
            left.remove(number)
            chosen.append(number)
        g.own(turn.seat).gold -= len(chosen)
        g.game_drawer[COINS] = (*coins(g), *chosen)
        g.tell("beautified", seat=turn.seat, cards=g.names(chosen))


class Artist(Character):
    name, rank, dullness = "Artist", 9, 1
    abilities = (Beautify(),)
    fields = fields_by_seat = ("beautified",)
    declares = (
        Told("beautified", "seat, cards: districts with a coin from now on"),
        Use("beautify", "mark", gold=4, place=3),
        Lesson("as", verbs=("beautify",)),
    )

    def worth(self, g: State, number: int, cost: int) -> int:
        return cost + 1 if number in g.game_drawer.get(COINS, ()) else cost

    def purse(self, g: State) -> int:
        return len(coins(g))

    def lost(self, g: State, victim: Seat, by: Seat) -> None:
        if not coins(g):
            return
        standing = {n for p in g.players for n in p.city}
        left = tuple(n for n in coins(g) if n in standing)
        g.bank += len(coins(g)) - len(left)
        g.game_drawer[COINS] = left

    def place(self, g: State, field: str, value: Any, seat: Seat | None) -> None:
        assert seat is not None, "a mark that seats carry"
        for name in value:
            free = [n for n in bare(g, seat) if g.cards[n].name == name]
            if not free:
                raise ValueError(f"no {name} without a coin stands in that city")
            g.game_drawer[COINS] = (*coins(g), free[0])
            g.bank -= 1

    def read(self, g: State, field: str, seat: Seat | None) -> Any:
        assert seat is not None, "a mark that seats carry"
        adorned = coins(g)
        return sorted(g.names([n for n in g.players[seat].city if n in adorned]))
