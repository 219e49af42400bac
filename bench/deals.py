"""How fast a search may imagine other tables: what a seat knows of a position, and deals of what it does not.

    python -m bench.deals [--positions 300] [--players 5]

Deluxe games with any cast, each decision seen by the one who is asked. Processor time; beside it a random
game from there to its end, which is what a search plays after each deal.
"""

from __future__ import annotations

import argparse
import statistics
import time
from random import Random

from bench._goals import Sheet
from referee.rules import Known, asks
from referee.rules.flow.table import random_move, step
from referee.rules.model import State
from tests.rules.laws import any_setup, moments

DEALS = 50


def positions(count: int, players: int) -> list[State]:
    found: list[State] = []
    number = 0
    while len(found) < count:
        number += 1
        rng = Random(f"bench {number}")
        for g in moments(players, number, rng, any_setup("deluxe", players, rng)):
            if g.stack and rng.random() < 0.1:
                found.append(g.copy())
    return found[:count]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--positions", type=int, default=300)
    arguments.add_argument("--players", type=int, default=5)
    said = arguments.parse_args()
    knowing, dealing, playing = list[float](), list[float](), list[float]()
    for g in positions(said.positions, said.players):
        rng, seat = Random(1), asks(g)[0].seat
        begun = time.process_time()
        known = Known(g, seat)
        knowing.append(time.process_time() - begun)
        begun = time.process_time()
        dealt = [known.deal(rng) for _ in range(DEALS)]
        dealing.append((time.process_time() - begun) / DEALS)
        begun = time.process_time()
        while dealt[0].stack:
            step(dealt[0], random_move(dealt[0], rng))
        playing.append(time.process_time() - begun)
    with Sheet("deals") as sheet:
        sheet.say("deals a second", 1 / statistics.mean(dealing), "/s", least=5_000)
        sheet.say("what a seat knows, once a decision", statistics.mean(knowing) * 1e3, "ms", most=2)
        sheet.say(
            "a game played to its end / a deal", statistics.mean(playing) / statistics.mean(dealing), "x"
        )


if __name__ == "__main__":
    main()
