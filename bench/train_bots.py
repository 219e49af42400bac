"""Learning by self-play: writes what `referee/search` goes by, and the curve of how it was learned.

    python -m bench.train_bots [--games 24000] [--seed 1] [--start FILE] [--out FILE] [--curve FILE]

Players of one policy play each other at tables of every edition, cast and size. After each batch of games

* the value of a position learns who won: the gradient of the logarithm of the winner's chance;
* the policy learns which answers led to more than the value had promised: the gradient of the logarithm of
  the answer's probability, times what the seat's chance came to a few rounds later minus what it was before.

Both steps are scaled for each number by how much it usually moves (as RMSprop does), and become smaller until
the last game. Nothing but Python is needed; the same seed gives the same file.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from math import log, sqrt
from pathlib import Path
from random import Random
from typing import NamedTuple

from referee.rules import Setup
from referee.rules.chance import counted
from referee.rules.editions import EDITIONS
from referee.rules.flow.table import lay_out, settle, step
from referee.rules.game import rulebook
from referee.search import value as worth
from referee.search.features import Part
from referee.search.policy import Policy, Weights, chances, drawn
from tests.rules.laws import NAMES, any_setup

WEIGHTS = Path(__file__).parents[1] / "referee" / "search" / "weights.json"
CURVE = Path(__file__).with_name("history") / "train_bots.csv"
#: four players are the most common table
PLAYERS = (4, 4, 4, 5, 3, 2, 6, 7)
BATCH, LINE = 24, 480
#: how far a step goes; how much of it is forgotten at each step; how much later rounds count
RATE, FORGETS, LATER = 0.02, 2e-4, 0.6
MEMORY = 0.98


class Decision(NamedTuple):
    """One answer: in which of the game's rounds, by whom, among what, with which chances, and which."""

    round: int
    seat: int
    described: list[list[Part]]
    chances: list[float]
    chosen: int


class Played(NamedTuple):
    """A game: the seats described at the beginning of each round, the decisions, and what each seat won."""

    rounds: list[list[list[float]]]
    decisions: list[Decision]
    shares: list[float]


class Learner:
    def __init__(self, weights: Weights, value: list[float]) -> None:
        self.policy, self.value = Policy(weights), value
        self._moved: dict[str, list[float]] = {}
        self._value_moved = [1e-8] * worth.SIZE

    def play(self, setup: Setup, number: int, rng: Random) -> Played:
        g = lay_out(rulebook(setup), setup, counted(number))
        g.events = None
        settle(g)
        rounds, decisions, at = [worth.described(g)], list[Decision](), g.round
        while g.stack:
            seat = g.stack[-1].asked(g)
            assert seat is not None, "a settled state asks somebody"
            moves, described, scores = self.policy.weighed(g, seat, rng)
            chosen = drawn(scores, rng)
            if len(moves) > 1:
                decisions.append(Decision(len(rounds) - 1, seat, described, chances(scores), chosen))
            step(g, moves[chosen])
            if g.stack and g.round != at:
                at = g.round
                rounds.append(worth.described(g))
        return Played(rounds, decisions, worth.shares(g))

    def learn(self, games: Sequence[Played], rate: float) -> float:
        """Learn from a batch; how surprising its winners were, in natural logarithms a position."""
        gradient, surprise, positions = dict[str, list[float]](), 0.0, 0
        value_gradient = [0.0] * worth.SIZE
        for game in games:
            values = [worth.winning(self.value, one) for one in game.rounds]
            positions += len(values)
            for seats, found in zip(game.rounds, values, strict=True):
                surprise -= sum([won * log(max(p, 1e-9)) for won, p in zip(game.shares, found, strict=True)])
                for seat, vector in enumerate(seats):
                    _add(value_gradient, game.shares[seat] - found[seat], vector)
            self._judge(game, values, gradient)
        for key, found in gradient.items():
            weights = self.policy.weights.setdefault(key, [0.0] * len(found))
            moved = self._moved.setdefault(key, [0.02] * len(found))
            _move(weights, found, moved, 1 / len(games), rate, 1e-3)
            for n, weight in enumerate(weights):
                weights[n] = weight * (1 - rate * FORGETS)
        _move(self.value, value_gradient, self._value_moved, 1 / positions, rate, 1e-4)
        return surprise / positions

    @staticmethod
    def _judge(game: Played, values: list[list[float]], gradient: dict[str, list[float]]) -> None:
        """Add what each decision teaches: its seat's chance later, less what it was before."""
        later, after = [list[float]()] * len(values), game.shares
        for n in reversed(range(len(values))):
            later[n] = after
            after = [LATER * a + (1 - LATER) * v for a, v in zip(after, values[n], strict=True)]
        for one in game.decisions:
            gained = later[one.round][one.seat] - values[one.round][one.seat]
            for n, parts in enumerate(one.described):
                much = ((1.0 if n == one.chosen else 0.0) - one.chances[n]) * gained * len(game.shares) / 4
                if abs(much) > 1e-5:
                    for key, vector in parts:
                        _add(gradient.setdefault(key, [0.0] * len(vector)), much, vector)


def _add(to: list[float], much: float, vector: Sequence[float]) -> None:
    for n, one in enumerate(vector):
        if one:
            to[n] += much * one


def _move(
    weights: list[float], by: list[float], moved: list[float], scale: float, rate: float, least: float
) -> None:
    for n, one in enumerate(by):
        one *= scale
        moved[n] = MEMORY * moved[n] + (1 - MEMORY) * one * one
        weights[n] += rate * one / (sqrt(moved[n]) + least)


def tables(rng: Random) -> Iterator[Setup]:
    """A third classic ones, a third deluxe ones with any cast, the rest of any edition."""
    while True:
        edition = rng.choice(["classic", "deluxe", rng.choice(sorted(EDITIONS))])
        book, players = EDITIONS[edition], rng.choice(PLAYERS)
        if edition == "classic":
            yield Setup(edition, NAMES[:players])
        else:
            yield any_setup(edition, min(players, book.most), rng)


def main() -> None:
    parser = argparse.ArgumentParser(description="Learn by self-play.")
    parser.add_argument("--games", type=int, default=24_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=Path, help="go on from these weights")
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    parser.add_argument("--curve", type=Path, default=CURVE)
    said = parser.parse_args()
    begun = json.loads(said.start.read_text()) if said.start else {"policy": {}, "value": [0.0] * worth.SIZE}
    learner, rng = Learner(begun["policy"], begun["value"]), Random(said.seed)
    drawn_tables = tables(rng)
    lines, found = ["games,surprise,decisions,rounds"], list[tuple[float, float, float]]()
    for first in range(0, said.games, BATCH):
        games = [
            learner.play(next(drawn_tables), said.seed * 1_000_000 + first + n, rng) for n in range(BATCH)
        ]
        surprise = learner.learn(games, RATE * max(0.05, 1 - first / said.games))
        decisions, rounds = (sum(map(len, each)) / BATCH for each in list(zip(*games, strict=True))[1::-1])
        found.append((surprise, decisions, rounds))
        if (first + BATCH) % LINE == 0:
            means = [sum(each) / len(found) for each in zip(*found, strict=True)]
            lines.append(f"{first + BATCH},{means[0]:.4f},{means[1]:.1f},{means[2]:.2f}")
            print(lines[-1], flush=True)
            found.clear()
            write(learner, said.out)
            said.curve.write_text("\n".join(lines) + "\n")
    write(learner, said.out)


def write(learner: Learner, to: Path) -> None:
    """Four digits after the point; a key's weights on a line of its own."""
    policy = {
        key: [round(one, 4) for one in weights] for key, weights in sorted(learner.policy.weights.items())
    }
    rows = ",\n".join(
        f"{json.dumps(key)}:{json.dumps(one, separators=(',', ':'))}" for key, one in policy.items()
    )
    value = json.dumps([round(one, 4) for one in learner.value], separators=(",", ":"))
    to.write_text(f'{{"policy":{{\n{rows}\n}},\n"value":{value}}}\n', encoding="utf-8")


if __name__ == "__main__":
    main()
