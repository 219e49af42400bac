"""How strong the players made of code are, how quick, and how blind to what their seat can't see.

    python -m bench.bots [--games 1000] [--effort 0.05] [--only 3,4] [--looks 100000] [--seed 1]

Deals are paired as in `referee bots ladder`: each is played once for every seat. `--effort` is that of
`strong`: a house gives it twenty times as much, so what is won here is the least that it wins. Two opponents
are made for the purpose: one that is told all that is hidden and searches like `strong`, and one that knows
the weights of `strong`, thinks four times as long and takes the others for players who do the likeliest.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import count
from random import Random
from statistics import quantiles

from bench._goals import Sheet
from referee.ladder import contest_of, run, standings
from referee.ladder.figures import ratio
from referee.rules import Known
from referee.rules.editions import EDITIONS
from referee.rules.facts import Move, Seat
from referee.rules.flow.table import step
from referee.rules.model import State
from referee.search import MANNERS, Player, Sight, player
from referee.search.levels import learned
from referee.search.policy import Policy
from referee.search.search import Search
from referee.search.value import shares
from tests.rules.laws import any_setup, table

#: who plays whom: (name, one, against, edition, cast, players, at least that share)
Duel = tuple[str, str, str, str, str, int, float]
DUELS: tuple[Duel, ...] = (
    ("strong / 3 greedy, classic", "strong", "greedy", "classic", "", 4, 0.38),
    ("strong / 3 greedy, deluxe, any cast", "strong", "greedy", "deluxe", "any", 4, 0.42),
    ("strong / 3 steady, classic", "strong", "steady", "classic", "", 4, 0.33),
    ("strong / 3 steady, deluxe, any cast", "strong", "steady", "deluxe", "any", 4, 0.33),
    ("steady / 3 greedy, classic", "steady", "greedy", "classic", "", 4, 0.32),
    ("steady / 3 greedy, deluxe, any cast", "steady", "greedy", "deluxe", "any", 4, 0.32),
    ("strong / greedy, two players, any", "strong", "greedy", "any", "any", 2, 0.75),
    ("strong / 7 greedy, eight players", "strong", "greedy", "deluxe", "any", 8, 0.25),
)


def duel(sheet: Sheet, row: Duel, games: int, effort: float, seed: int) -> None:
    name, one, other, edition, cast, players, least = row
    said = contest_of(
        [one, *[other] * (players - 1)],
        games,
        players=str(players),
        rivals=True,
        edition=edition,
        cast=cast,
        seed=seed,
        effort=effort,
    )
    found = standings(said, run(said))[0]
    low, high = found.low or 0.0, found.high or 1.0
    print(f"bots    {found.seats} games, 95 %: {low:.1%} to {high:.1%}, {found.points:.1f} points a game")
    sheet.say(name, 100 * found.share, "%", least=100 * least)


def mannered(level: str) -> Iterator[Duel]:
    """One with a manner against three without: it shall win not a tenth less than its quarter."""
    for manner in MANNERS:
        one = f"{level} {manner}"
        yield f"{one} / 3 {level}, any edition", one, level, "any", "any", 4, 0.225


class Told:
    """Searches like `strong` on the table itself, hidden cards, characters and chance included."""

    def __init__(self, search: Search) -> None:
        self._search = search

    def choose(self, state: State, seat: Seat, rng: Random) -> Move:
        return self._search.choose(_Told(state, seat), rng)


class _Told(Sight):
    """A sight whose deals are all the table as it is."""

    def __init__(self, state: State, seat: Seat) -> None:
        super().__init__(state, seat)
        self.__dict__["known"] = self
        self._whole = state

    def deal(self, rng: Random) -> State:
        return self._whole.copy()


class Sure(Policy):
    """Takes everybody for one who does the likeliest."""

    def choose(self, g: State, seat: Seat, rng: Random, warmth: float = 0.2) -> Move:
        return super().choose(g, seat, rng, warmth)


class Blind:
    """A player by its sight."""

    def __init__(self, one: Player) -> None:
        self._one = one

    def choose(self, state: State, seat: Seat, rng: Random) -> Move:
        return self._one.choose(Sight(state, seat), rng)


def share_of(one: Blind | Told, others: Blind, games: int, seed: int) -> tuple[float, float]:
    """What share of the wins the first has at classic and deluxe tables of four, and half its interval."""
    trials, played = list[tuple[float, int]](), 0
    for deal in count():
        if played >= games:
            break
        edition = ("classic", "deluxe")[deal % 2]
        setup, won = any_setup(edition, 4, Random(f"{seed}/{deal}")), 0.0
        for place in range(4):
            g, dice = table(4, seed * 100_000 + deal, setup), Random(f"{seed}/{deal}/{place}")
            while g.stack:
                seat = g.stack[-1].asked(g)
                assert seat is not None, "a settled state asks somebody"
                step(g, (one if seat == place else others).choose(g, seat, dice))
            won += shares(g)[place]
        trials.append((won, 4))
        played += 4
    share, half = ratio(trials)
    return share, half or 1.0


def positions(seed: int) -> Iterator[tuple[State, Seat]]:
    """Questions of games of all editions and sizes that steady players play."""
    one = player("steady")
    for number in count():
        rng = Random(f"{seed}/{number}")
        book = EDITIONS[rng.choice(sorted(EDITIONS))]
        players = rng.randint(book.least, book.most)
        g = table(players, seed * 100_000 + number, any_setup(book.name, players, rng))
        while g.stack:
            seat = g.stack[-1].asked(g)
            assert seat is not None, "a settled state asks somebody"
            yield g, seat
            step(g, one.choose(Sight(g, seat), rng))


def leaks(looks: int, seed: int) -> int:
    """In how many of those positions a level answers otherwise where what it can't see is dealt anew."""
    players: Sequence[Player] = [player("gentle"), player("steady"), player("strong", 0.0001)]
    found = 0
    for number, (g, seat) in zip(range(looks), positions(seed), strict=False):
        twin = Known(g, seat).deal(Random(number))
        # a search takes a hundred times as long as the others: it is looked at in one position of ten
        for one in players[: 3 if number % 10 == 0 else 2]:
            both = [one.choose(Sight(each, seat), Random(number)) for each in (g, twin)]
            found += both[0] != both[1]
    return found


def times(level: str, effort: float | None, looks: int) -> tuple[float, float]:
    """Seconds of processor time an answer: the median and the 99th of a hundred."""
    one, spent = player(level, effort), list[float]()
    for number, (g, seat) in zip(range(looks * 7), positions(5), strict=False):
        if number % 7 == 0:
            began = time.process_time()
            one.choose(Sight(g, seat), Random(number))
            spent.append(time.process_time() - began)
    cuts = quantiles(spent, n=100)
    return cuts[49], cuts[98]


def main() -> None:
    parser = argparse.ArgumentParser(description="How strong the players made of code are.")
    parser.add_argument("--games", type=int, default=1_000)
    parser.add_argument("--effort", type=float, default=0.05)
    parser.add_argument(
        "--only",
        default="",
        help="numbers of duels, from 1 on; 9 told, 10 exploited, 11 leaks, 12 times, 13 manners of steady, "
        "14 of strong",
    )
    parser.add_argument("--looks", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    said = parser.parse_args()
    only = [int(one) for one in said.only.split(",") if one] or range(1, 15)
    with Sheet("bots") as sheet:
        for number in range(len(DUELS)):
            if number + 1 in only:
                duel(sheet, DUELS[number], said.games, said.effort, said.seed)
        policy, value = learned()
        strong = Blind(player("strong", said.effort))
        if 9 in only:
            share, half = share_of(Told(Search(policy, value, said.effort)), strong, said.games, said.seed)
            sheet.say(f"told everything / 3 strong (± {100 * half:.1f})", 100 * share, "%")
        if 10 in only:
            knowing = Blind(Search(Sure(policy.weights), value, 4 * said.effort))
            share, half = share_of(knowing, strong, said.games, said.seed)
            kept = 100 * (1 - share) / 3
            sheet.say(
                f"strong beside one that knows its weights (± {100 * half / 3:.1f})", kept, "%", least=20
            )
        if 11 in only:
            sheet.say(
                f"other answers on {said.looks} tables dealt anew", leaks(said.looks, said.seed), "", most=0
            )
        if 12 in only:
            for level, effort, most in (("steady", None, 5.0), ("strong", 1.0, 1_100.0)):
                middle, p99 = times(level, effort, 300 if effort is None else 120)
                sheet.say(f"an answer of {level}, median", 1_000 * middle, "ms")
                sheet.say(f"an answer of {level}, 99th of a hundred", 1_000 * p99, "ms", most=most)
            sheet.say("memory", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, "MB", most=150)
        for number, level in ((13, "steady"), (14, "strong")):
            for each in mannered(level) if number in only else ():
                duel(sheet, each, said.games, said.effort, said.seed)
    sys.stdout.flush()


if __name__ == "__main__":
    main()
