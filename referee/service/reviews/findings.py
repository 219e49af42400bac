"""What is kept of a review: the decisions that cost something, and of these the worst turns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import NamedTuple

import msgspec

from referee.ids import MoveNo
from referee.search.search import Compared
from referee.search.thinking import Answer
from referee.store import GameReview

from .past import OwnDecision

#: a decision counts that cost as much, of a thousand games, and as many standard errors
LEAST, SURE = 5, 2.0
#: a turn is told that cost as much, of a thousand games; and how many are
NOTICEABLE, TOLD = 20, 3


class Cost(msgspec.Struct, array_like=True, frozen=True):
    """An order, the best answer instead, and how many of a thousand games the seat wins behind each."""

    no: MoveNo
    best: Answer
    better: int
    given: int

    @property
    def lost(self) -> int:
        """Of a thousand games."""
        return self.better - self.given


class Findings(msgspec.Struct, omit_defaults=True):
    """`judged`: how many decisions were, `failed`: how many could not be; `channel`: where it was asked
    for.
    """

    costs: list[Cost] = []
    judged: int = 0
    failed: int = 0
    channel: str = ""

    def take(self, no: MoveNo, found: Compared) -> None:
        """Note what a decision cost, if it did."""
        self.judged += 1
        cost = Cost(
            no,
            Answer(found.best.verb, [*msgspec.to_builtins(found.best.args)]),
            round(1000 * found.better),
            round(1000 * found.given),
        )
        if cost.lost >= LEAST and found.better - found.given > SURE * found.error:
            self.costs.append(cost)


class CostlyTurn(NamedTuple):
    """What cost something in a round, while characters were picked or after that, in order.

    Each took its part of the chance that was left: taken together they can't cost more than there was.
    """

    costs: Sequence[Cost]

    @property
    def left(self) -> float:
        """How many of a thousand games the seat would have won after all."""
        return self.costs[0].better * prod(one.given / one.better for one in self.costs)

    @property
    def lost(self) -> float:
        """Of a thousand games."""
        return self.costs[0].better - self.left

    @property
    def before(self) -> int:
        """How many of a hundred games the seat would have won."""
        return round(self.costs[0].better / 10)

    @property
    def after(self) -> int:
        """And how many after all."""
        return round(self.left / 10)


def read(row: GameReview) -> Findings:
    """What is known so far."""
    return msgspec.json.decode(row.data, type=Findings)


def worst(costs: Sequence[Cost], made: Mapping[MoveNo, OwnDecision]) -> list[CostlyTurn]:
    """The turns that cost most, the worst first; of orders that are known."""
    turns: dict[tuple[int, bool], list[Cost]] = {}
    for one in costs:
        if one.no in made:
            turns.setdefault((made[one.no].round, made[one.no].picking), []).append(one)
    found = [CostlyTurn(those) for those in turns.values()]
    return sorted((one for one in found if one.lost >= NOTICEABLE), key=lambda one: -one.lost)[:TOLD]
