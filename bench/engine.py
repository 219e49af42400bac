"""How fast the engine plays: complete random-legal classic games on one core.

    python -m bench.engine [games] [players]

Three figures side by side: the flow alone (what a search or a simulation runs), the same
with every event told, and through the door (`play`: legality checked, state copied), each
with its ratio to the first.
"""
from __future__ import annotations

import sys
import time
from collections.abc import Callable
from random import Random

from referee.rules import Setup, new_game, play
from referee.rules.chance import counted
from referee.rules.flow.table import lay_out, random_move, settle, step
from referee.rules.game import rulebook

NAMES = ("Ana", "Bea", "Cy", "Dan", "Eve", "Flo", "Gus")
FLOOR, GOAL = 400, 700


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


def measure(kind: Callable[[Setup, int, Random], int], setup: Setup, games: int) -> tuple[float, float]:
    """(games, orders) a second of processor time, the best of three runs."""
    best = (0.0, 0.0)
    for run in range(3):
        rng = Random(run)
        begin = time.process_time()
        orders = sum(kind(setup, number, rng) for number in range(games))
        spent = time.process_time() - begin
        best = max(best, (games / spent, orders / spent))
    return best


def main(games: int = 300, players: int = 4) -> None:
    setup = Setup("classic", NAMES[:players])
    first = 0.0
    for name, kind in (("flow", flow), ("flow, events told", told), ("through the door", door)):
        rate, orders = measure(kind, setup, games if kind is not door else games // 4)
        first = first or rate
        print(f"engine  {name:18} {rate:7.0f} games/s  {orders:9.0f} orders/s  {rate / first:5.2f} x flow")
    print(f"engine  floor {FLOOR} games/s, goal {GOAL}: {first / FLOOR:.2f} x floor, {first / GOAL:.2f} x goal")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
