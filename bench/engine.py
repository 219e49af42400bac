"""How fast the engine plays: complete random-legal games on one core.

    python -m bench.engine [games] [players]

Classic games, then deluxe ones with any cast and any unique districts.  Three figures side
by side: the flow alone (what a search or a simulation runs), the same with every event told,
and through the door (`play`: legality checked, state copied), each with its ratio to the first.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from random import Random

from referee.rules import Setup, model, new_game, play
from referee.rules.chance import counted
from referee.rules.flow.table import lay_out, random_move, settle, step
from referee.rules.game import rulebook
from tests.rules.laws import any_setup

NAMES = ("Ana", "Bea", "Cy", "Dan", "Eve", "Flo", "Gus", "Hal")
#: edition -> games a second: the least, and the goal
MARKS = {"classic": (400, 700), "deluxe": (300, 710)}


def flow(setup: Setup, number: int, rng: Random, *, told: bool = False) -> int:
    """One game in place; the number of orders played."""
    g = lay_out(rulebook(setup), setup, counted(number))
    g.events = [] if told else None
    settle(g)
    orders = 0
    while g.stack:
        step(g, random_move(g, rng))
        orders += 1
    return orders


def told(setup: Setup, number: int, rng: Random) -> int:
    return flow(setup, number, rng, told=True)


def door(setup: Setup, number: int, rng: Random) -> int:
    """One game through `play`."""
    g = new_game(setup, counted(number)).state
    orders = 0
    while g.stack:
        seat = g.stack[-1].asked(g)
        g = play(g, seat, random_move(g, rng)).state
        orders += 1
    return orders


def measure(
    kind: Callable[[Setup, int, Random], int], setups: Sequence[Setup], games: int
) -> tuple[float, float]:
    """(games, orders) a second of processor time, the best of three runs."""
    best = (0.0, 0.0)
    for run in range(3):
        rng = Random(run)
        begin = time.process_time()
        orders = sum(kind(setups[number % len(setups)], number, rng) for number in range(games))
        spent = time.process_time() - begin
        best = max(best, (games / spent, orders / spent))
    return best


def tables(edition: str, players: int) -> list[Setup]:
    """The tables that are played: the classic one; of deluxe any cast that may be."""
    if edition == "classic":
        return [Setup(edition, NAMES[:players])]
    rng = Random(players)
    return [any_setup(edition, players, rng) for _ in range(300)]


def main(games: int = 300, players: int = 4) -> None:
    kind_of_rules = "interpreted" if str(model.__file__).endswith(".py") else "compiled"
    print(f"engine  the rules are {kind_of_rules}")
    for edition, (floor, goal) in MARKS.items():
        setups = tables(edition, players)
        for setup in setups:
            rulebook(setup)  # what is looked up once for each cast
        first = 0.0
        for name, kind in (("flow", flow), ("flow, events told", told), ("through the door", door)):
            rate, orders = measure(kind, setups, games if kind is not door else games // 4)
            first = first or rate
            print(
                f"engine  {edition:8} {name:18} {rate:7.0f} games/s  {orders:9.0f} "
                f"orders/s  {rate / first:5.2f} x flow"
            )
        print(
            f"engine  {edition:8} floor {floor} games/s, goal {goal}: {first / floor:.2f} x floor,"
            f" {first / goal:.2f} x goal"
        )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
