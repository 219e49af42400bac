"""Complete random-legal games, in a process of their own: what `bench.engine` measures.

The process is told which rules it plays by its path (`referee` of that folder: the sources, a compiled wheel,
an earlier commit). It reads a line of JSON for each job, and answers with one: {"spent": seconds of processor
time, "done": how many}.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from referee.rules import Setup, SetupError, another, model, new_game, play, view
from referee.rules.chance import counted
from referee.rules.flow.table import lay_out, random_move, settle, step
from referee.rules.game import rulebook
from referee.rules.model import State

try:
    from referee.rules.flow.table import play_out
except ImportError:  # rules from before there was one

    def play_out(g: State, rng: Any) -> int:
        orders = 0
        while g.stack:
            step(g, random_move(g, rng))
            orders += 1
        return orders


#: plays a game and returns its orders
Work = Callable[[Setup, int, Random], int]
#: one question in so many is looked at
LOOKED_AT = 7


def flow(setup: Setup, number: int, rng: Random, *, told: bool = False) -> int:
    """One game in place; the number of orders played."""
    g = lay_out(rulebook(setup), setup, counted(number))
    g.events = [] if told else None
    settle(g)
    return play_out(g, rng)


def stepped(setup: Setup, number: int, rng: Random) -> int:
    """One game in place, an order at a time: a call from Python for each choice and each order, as at the
    door."""
    g = lay_out(rulebook(setup), setup, counted(number))
    g.events = None
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


WORKS: dict[str, Work] = {"flow": flow, "stepped": stepped, "told": told, "door": door}


def positions(setup: Setup, number: int) -> Iterator[tuple[State, int]]:
    """Questions of one game, with the seat that is asked."""
    rng = Random(number)
    g = lay_out(rulebook(setup), setup, counted(number))
    g.events = None
    settle(g)
    orders = 0
    while g.stack:
        if orders % LOOKED_AT == 0:
            seat = g.stack[-1].asked(g)
            assert seat is not None, "a settled state asks somebody"
            yield g.copy(), seat
        step(g, random_move(g, rng))
        orders += 1


def looks(what: str, setup: Setup, number: int) -> tuple[float, int]:
    """Seconds and number of views, or of hidden parts dealt afresh, at the questions of one game."""
    seen, rng = [*positions(setup, number)], Random(number)
    begun = time.process_time()
    for state, seat in seen:
        if what == "view":
            view(state, seat)
        else:
            another(state, seat, rng)
    return time.process_time() - begun, len(seen)


def playable(setup: Setup) -> bool:
    """Whether these rules know such a table; what is looked up once for it is looked up."""
    try:
        rulebook(setup)
    except SetupError:
        return False
    return True


def job(setups: list[Setup], kind: str, first: int, games: int) -> dict[str, Any]:
    """So many games from the one of that number on."""
    numbers = range(first, first + games)
    if kind not in WORKS:
        found = [looks(kind, setups[n % len(setups)], n) for n in numbers]
        return {"spent": sum(spent for spent, _ in found), "done": sum(done for _, done in found)}
    work, rng = WORKS[kind], Random(first)
    begun = time.process_time()
    done = sum(work(setups[n % len(setups)], n, rng) for n in numbers)
    return {"spent": time.process_time() - begun, "done": done}


def main() -> None:
    setups: dict[str, list[Setup]] = {}
    for line in sys.stdin:
        said = json.loads(line)
        answer: dict[str, Any]
        if "setups" in said:  # which of these can be played here
            drawn = [
                Setup(one[0], tuple(one[1]), one[2], tuple(one[3]), tuple(one[4])) for one in said["setups"]
            ]
            answer = {"playable": [playable(setup) for setup in drawn]}
            setups[said["edition"]] = drawn
        elif "keep" in said:
            setups[said["edition"]] = [setups[said["edition"]][n] for n in said["keep"]]
            answer = {"compiled": not str(model.__file__).endswith(".py")}
        else:
            answer = job(setups[said["edition"]], said["kind"], said["first"], said["games"])
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
