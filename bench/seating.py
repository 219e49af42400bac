"""Seating: repeats beside the proven bound and beside tables drawn by lot, and how long it takes.

python -m bench.seating
"""

from __future__ import annotations

import time
from collections import Counter
from itertools import combinations
from random import Random

from bench._goals import Sheet
from referee.league import Plan, Round, Table, plan
from referee.league.sizes import sizes

#: people, how many at a table, rounds
LIST = (
    (24, 6, 4),
    (30, 6, 5),
    (42, 7, 5),
    (48, 8, 5),
    (35, 7, 6),
    (32, 4, 7),
    (28, 7, 7),
    (16, 4, 5),
    (25, 5, 6),
    (49, 7, 8),
    (60, 5, 7),
    (62, 5, 7),
    (238, 5, 7),
    (240, 5, 7),
)
GOAL_S = 20


def by_lot(people: int, wanted: int, rounds: int) -> tuple[int, int]:
    """Repeats, and how often some pair met at most, at tables drawn by lot."""
    dice = Random(1)
    met: Counter[tuple[int, int]] = Counter()
    for _ in range(rounds):
        line = iter(dice.sample(range(people), people))
        for size in sizes(people, 4, 8, wanted).tables:
            met.update(combinations(sorted(next(line) for _ in range(size)), 2))
    return sum(count * (count - 1) // 2 for count in met.values()), max(met.values())


def most(rounds: tuple[Round, ...]) -> int:
    """How often some pair meets at most."""

    def pairs(table: Table) -> list[tuple[int, int]]:
        return list(combinations(sorted(table.people), 2))

    return max(Counter(pair for each in rounds for table in each.tables for pair in pairs(table)).values())


def main() -> None:
    with Sheet("seating") as sheet:
        planned(sheet)


def planned(sheet: Sheet) -> None:
    """Every list in turn."""
    for people, wanted, rounds in LIST:
        begun = time.perf_counter()
        done: Plan = plan(range(people), rounds, least=4, most=8, wanted=wanted, seed=1)
        took = time.perf_counter() - begun
        lot, lot_most = by_lot(people, wanted, rounds)
        print(
            f"seating {people:>3} people, {len(done.rounds[0].tables):>2} tables, {rounds} rounds: "
            f"repeats {done.repeats:>3}, bound {done.bound:>3}, a pair "
            f"at most {most(done.rounds)} times (by lot {lot:>3}, {lot_most} times); "
            f"imbalance of seats {done.seats_imbalance}, crowns "
            f"{done.crown_imbalance}, larger tables {done.size_imbalance}"
        )
        sheet.say(f"{people} people, {rounds} rounds", took, "s", most=GOAL_S)


if __name__ == "__main__":
    main()
