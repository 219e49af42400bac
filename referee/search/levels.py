"""The levels: gentle for learners, steady at once, strong with a search."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from random import Random
from typing import NamedTuple

from ..rules.facts import Move, Seat
from ..rules.flow.turn import Turn
from ..rules.model import State
from .features import named
from .manners import MANNERS, Taste
from .policy import Policy, drawn
from .search import Compared, Judged, Search
from .sight import Sight

#: seconds of processor time for an answer of `strong`, where a house says nothing
EFFORT = 1.0
#: how much a manner may weigh: as a score of the policy, as a chance to win
TASTE_SCORE, TASTE_CHANCE = 1.2, 0.012
#: how surely the heaviest answer is taken
STEADY, GENTLE = 0.3, 2.0
#: how often a gentle player does not think at all
SLIPS = 0.2


class Learned(NamedTuple):
    """What was learned (bench/train_bots.py): the policy, and the weights of a position's value."""

    policy: Policy
    value: Sequence[float]


@lru_cache(maxsize=1)
def learned() -> Learned:
    found = json.loads(files(__package__).joinpath("weights.json").read_text(encoding="utf-8"))
    return Learned(Policy(found["policy"]), found["value"])


class Steady:
    """The heaviest answer, nearly always; at once."""

    def __init__(self, taste: Taste | None = None) -> None:
        self.taste = taste

    def adjusted(self, effort: float | None, manner: str, /) -> Steady:
        return Steady(MANNERS[manner]) if manner else self

    def choose(self, sight: Sight, rng: Random, /) -> Move:
        g = sight.known.deal(rng)
        moves, _, scores = learned().policy.weighed(g, sight.seat, rng)
        if self.taste is not None:
            liked = [TASTE_SCORE * self.taste(g, sight.seat, move) for move in moves]
            scores = [one + more for one, more in zip(scores, liked, strict=True)]
        return moves[drawn(scores, rng, STEADY)]


class Gentle:
    """For learners: it slips now and then, and hardly ever touches a city; never two rounds running."""

    def choose(self, sight: Sight, rng: Random, /) -> Move:
        g = sight.known.deal(rng)
        moves, _, scores = learned().policy.weighed(g, sight.seat, rng)
        kind = g.stack[-1].kind(g)
        mild = [n for n, move in enumerate(moves) if not self._raids(g, sight.seat, kind, move)]
        allowed = mild if mild and not self._may_raid(g, sight.seat) else [*range(len(moves))]
        if rng.random() < SLIPS:
            return moves[rng.choice(allowed)]
        return moves[allowed[drawn([scores[n] for n in allowed], rng, GENTLE)]]

    @staticmethod
    def _raids(g: State, seat: Seat, kind: str, move: Move) -> bool:
        """Whether it is done to a district in somebody else's city."""
        what = named(g.rules, kind, move)
        return what.stands and any(other != seat for other in what.seats)

    @staticmethod
    def _may_raid(g: State, seat: Seat) -> bool:
        """In every second round one of the seats may, once: so no city is hit twice running."""
        turn = g.stack[-1]
        second, odd = divmod(g.round, 2)
        return not odd and seat == second % len(g.players) and isinstance(turn, Turn) and not turn.used


def _strong(effort: float, taste: Taste | None) -> Search:
    policy, value = learned()
    small = None if taste is None else (lambda g, seat, move: TASTE_CHANCE * taste(g, seat, move))
    return Search(policy, value, effort, small)


class Strong:
    """`Search` with what was learned, which is read when it is first asked."""

    thinks = True

    def __init__(self, effort: float = EFFORT, taste: Taste | None = None) -> None:
        self.effort, self.taste = effort, taste

    def adjusted(self, effort: float | None, manner: str, /) -> Strong:
        return Strong(self.effort if effort is None else effort, MANNERS[manner] if manner else self.taste)

    def choose(self, sight: Sight, rng: Random, /) -> Move:
        return _strong(self.effort, self.taste).choose(sight, rng)

    def judged(self, sight: Sight, rng: Random, /) -> list[Judged]:
        """The answers that were looked at, the best first."""
        return _strong(self.effort, self.taste).judged(sight, rng)

    def compared(self, sight: Sight, given: Move, rng: Random, /) -> Compared:
        """The best answer against one that was given."""
        return _strong(self.effort, self.taste).compared(sight, given, rng)


LEVELS: Mapping[str, Steady | Gentle | Strong] = {"gentle": Gentle(), "steady": Steady(), "strong": Strong()}
