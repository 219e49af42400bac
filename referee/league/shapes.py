"""Tables, rounds and plans of a league, and what of earlier rounds matters for the next.

People are any numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Table:
    """`people` in the order of their seats, clockwise; `crown`: the index of the person who begins with
    it."""

    people: tuple[int, ...]
    crown: int = 0


@dataclass(frozen=True, slots=True)
class Round:
    """Everybody sits at one of the tables or is among the byes."""

    tables: tuple[Table, ...]
    byes: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class EarlierRounds:
    """What has been: how often a pair met (`(lower, higher)`), how often a person had each seat (by its
    number), the first crown, a bye.
    """

    met: Mapping[tuple[int, int], int] = field(default_factory=dict)
    seats: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    crowns: Mapping[int, int] = field(default_factory=dict)
    byes: Mapping[int, int] = field(default_factory=dict)


#: nothing has been played yet
NOTHING = EarlierRounds()


@dataclass(frozen=True, slots=True)
class Plan:
    """Rounds and how good they are.

    `repeats`: for each pair of people and each pair of rounds in which they meet, one; with those they met
    before. `bound`: no plan has fewer repeats.

    `seats_imbalance`: the largest difference, for one person, between how often they have one seat and
    another (of those all tables have). `crown_imbalance`: the largest difference between how often two people
    have the first crown. `size_imbalance`: the largest difference between how often two people sit at a table
    larger than the smallest.
    """

    rounds: tuple[Round, ...]
    repeats: int
    bound: int
    seats_imbalance: int
    crown_imbalance: int
    size_imbalance: int

    @property
    def proven(self) -> bool:
        """Whether no plan can be better."""
        return self.repeats <= self.bound


def pair(one: int, other: int) -> tuple[int, int]:
    """A pair of people, no matter who is named first."""
    return (one, other) if one < other else (other, one)


def past_of(rounds: Iterable[Round], before: EarlierRounds = NOTHING) -> EarlierRounds:
    """What those rounds leave behind, on top of what was before."""
    met = Counter(before.met)
    seats: dict[int, list[int]] = {who: list(counts) for who, counts in before.seats.items()}
    crowns, byes = Counter(before.crowns), Counter(before.byes)
    for each in rounds:
        byes.update(each.byes)
        for table in each.tables:
            crowns[table.people[table.crown]] += 1
            for seat, who in enumerate(table.people):
                had = seats.setdefault(who, [])
                had.extend([0] * (seat + 1 - len(had)))
                had[seat] += 1
                met.update(pair(who, other) for other in table.people[seat + 1 :])
    return EarlierRounds(dict(met), {who: tuple(had) for who, had in seats.items()}, dict(crowns), dict(byes))
