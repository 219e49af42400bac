"""A player that looks ahead: it deals what it can't see, plays each answer to the end of the round."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from itertools import count
from math import sqrt
from random import Random
from typing import NamedTuple

from ..rules.facts import Move, Seat
from ..rules.flow.table import step
from ..rules.model import State
from .policy import Policy, chances, drawn
from .sight import Sight
from .value import described, shares, winning

#: how many answers are looked at, the likeliest
WIDEST = 16
#: what the likeliest answer is worth more than one that is never given, before anything was tried
PRIOR = 0.02
#: a difference of so much is as good as none: among such answers that name a character chance decides
MIXED = 0.006
#: tries for each second of effort, divided by the players: a machine of today does twice as many
TRIES_A_SECOND = 3_000
FEWEST = 16
#: two answers are compared on this many deals, and on as many again while it pays
PAIRS = 32
#: seconds of processor time that the fewest tries may take, however short the effort
SHORTEST = 0.25

#: what an answer is worth more to a player of some manner, as a chance to win; tiny
Taste = Callable[[State, Seat, Move], float]


class Judged(NamedTuple):
    """An answer, how probably its seat wins behind it, from 0 to 1, and how often it was tried."""

    move: Move
    chance: float
    tries: int


class Compared(NamedTuple):
    """The best answer, how probably the seat wins behind it and behind the answer that was given, each from 0
    to 1, on the same deals; `error`: the standard error of the difference.
    """

    best: Move
    better: float
    given: float
    error: float


class Search:
    """`effort`: seconds of processor time for an answer. It is counted in tries, so that the same dice give
    the same answer; only where a machine is too slow for them the time itself ends the search.
    """

    #: an answer takes long: not to be asked within somebody's order
    thinks = True

    def __init__(
        self, policy: Policy, value: Sequence[float], effort: float = 1.0, taste: Taste | None = None
    ) -> None:
        self.policy, self.value, self.effort, self.taste = policy, value, effort, taste

    def choose(self, sight: Sight, rng: Random, /) -> Move:
        found = self.judged(sight, rng)
        if not found[0].move.args or len(found) == 1:
            return found[0].move
        near = [one for one in found if one.tries * 2 >= found[0].tries]
        return near[drawn([one.chance for one in near], rng, MIXED)].move

    def judged(self, sight: Sight, rng: Random) -> list[Judged]:
        """The answers that were looked at, the best first. All are tried on the same deals and dice;
        the worse half falls out each time.
        """
        seat, began, most = sight.seat, time.process_time(), max(SHORTEST, self.effort)
        g = sight.known.deal(rng)
        moves, _, scores = self.policy.weighed(g, seat, rng)
        if len(moves) == 1:
            return [Judged(moves[0], 0.0, 0)]
        prior = chances(scores)
        extra = [PRIOR * one for one in prior]
        if self.taste is not None:
            extra = [one + self.taste(g, seat, move) for one, move in zip(extra, moves, strict=True)]
        order = sorted(range(len(moves)), key=lambda n: -prior[n])
        left, out = order[:WIDEST], order[WIDEST:]
        sums, tried = [0.0] * len(moves), [0] * len(moves)
        tries = self._tries(len(g.players))
        stages = max(1, (len(left) - 1).bit_length())

        def worth(n: int) -> float:
            return sums[n] / tried[n] + extra[n] if tried[n] else extra[n] - 1

        while len(left) > 1:
            for number in count():
                if number and number >= tries // (stages * len(left)):
                    break
                if number and time.process_time() - began > most:
                    break
                dealt, dice = sight.known.deal(rng), rng.getrandbits(64)
                for n in left:
                    sums[n] += self._played(dealt.copy(), seat, moves[n], Random(dice))
                    tried[n] += 1
            left.sort(key=lambda n: -worth(n))
            out = left[(len(left) + 1) // 2 :] + out
            left = left[: (len(left) + 1) // 2]
        return [
            Judged(moves[n], max(0.0, sums[n] / tried[n]) if tried[n] else 0.0, tried[n]) for n in left + out
        ]

    def compared(self, sight: Sight, given: Move, rng: Random) -> Compared:
        """The best answer against one that was given. What found the best does not say how much better it is,
        since luck helped to choose it: both are tried again, on other deals.
        """
        best, seat = self.judged(sight, rng)[0].move, sight.seat
        if best == given:
            return Compared(best, 0.0, 0.0, 0.0)
        began, longest = time.process_time(), 2 * max(SHORTEST, self.effort)
        total, gaps, squares, pairs, error = 0.0, 0.0, 0.0, 0, 0.0
        most = max(PAIRS, self._tries(len(sight.known.deal(rng).players)) // 2)
        while pairs < most and (not pairs or time.process_time() - began < longest):
            for _ in range(PAIRS):
                dealt, dice = sight.known.deal(rng), rng.getrandbits(64)
                better = self._played(dealt.copy(), seat, best, Random(dice))
                gap = better - self._played(dealt.copy(), seat, given, Random(dice))
                total, gaps, squares = total + better, gaps + gap, squares + gap * gap
            pairs += PAIRS
            error = sqrt(max(0.0, squares / pairs - (gaps / pairs) ** 2) / pairs)
            if gaps / pairs < error:  # as good, or nearly
                break
        return Compared(best, total / pairs, (total - gaps) / pairs, error)

    def _tries(self, players: int) -> int:
        return max(FEWEST, int(self.effort * TRIES_A_SECOND / players))

    def _played(self, g: State, seat: Seat, move: Move, rng: Random) -> float:
        """What that answer led to, once."""
        now = g.round
        step(g, move)
        return self.played(g, now, rng)[seat]

    def played(self, g: State, now: int, rng: Random) -> list[float]:
        """Each seat's chance, by one way in which that round may go on. The table is played on."""
        stack, choose = g.stack, self.policy.choose
        while stack and g.round == now:
            asked = stack[-1].asked(g)
            assert asked is not None, "a settled state asks somebody"
            step(g, choose(g, asked, rng))
        return winning(self.value, described(g)) if stack else shares(g)
