"""Tables of like strength that avoid repeats: people are sorted and cut into tables, then change with near
ones where that spares a repeat.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp
from random import Random
from typing import NamedTuple

#: to meet somebody again costs so much, twice four times as much; to sit one table too high or too low costs
#: 1, two tables 4, three 9
AGAIN = 3
#: exchanges tried for each person
CHANGES = 800


def cut(line: Sequence[int], sizes: Sequence[int]) -> list[list[int]]:
    """The people of a line, table by table."""
    people = iter(line)
    return [[next(people) for _ in range(size)] for size in sizes]


def homes(
    line: Sequence[int], sizes: Sequence[int], strength: Mapping[int, float]
) -> dict[int, tuple[int, int]]:
    """For each person the first and the last table of those who are as strong as they: any of these is
    theirs.
    """
    at = {who: number for number, table in enumerate(cut(line, sizes)) for who in table}
    first: dict[float, int] = {}
    last: dict[float, int] = {}
    for who in line:
        worth = strength.get(who, 0)
        first.setdefault(worth, at[who])
        last[worth] = at[who]
    return {who: (first[strength.get(who, 0)], last[strength.get(who, 0)]) for who in line}


class _Cost(NamedTuple):
    """What tables cost.

    home   for each person the first and the last table that is theirs
    again  for each person those they met before, and what it costs to meet them again
    """

    home: Mapping[int, tuple[int, int]]
    again: Mapping[int, Mapping[int, int]]

    def whole(self, tables: Sequence[Sequence[int]]) -> int:
        """Of all tables."""
        repeats = sum(
            self.again[one].get(other, 0)
            for table in tables
            for place, one in enumerate(table)
            for other in table[place + 1 :]
        )
        return repeats + sum(self.astray(who, number) for number, table in enumerate(tables) for who in table)

    def astray(self, who: int, number: int) -> int:
        """Of somebody who sits at that table."""
        low, high = self.home[who]
        off = low - number if number < low else max(0, number - high)
        return off * off

    def change(self, tables: Sequence[Sequence[int]], one: int, seat: int, other: int, chair: int) -> int:
        """How much more it would be if two people changed places: seat at table one, chair at the other."""
        here, there = tables[one], tables[other]
        who, whom = here[seat], there[chair]
        mine, theirs = self.again[who], self.again[whom]
        more = (
            self.astray(who, other)
            + self.astray(whom, one)
            - self.astray(who, one)
            - self.astray(whom, other)
        )
        for each in here:
            if each != who:
                more += theirs.get(each, 0) - mine.get(each, 0)
        for each in there:
            if each != whom:
                more += mine.get(each, 0) - theirs.get(each, 0)
        return more


def _repeats(line: Sequence[int], met: Mapping[tuple[int, int], int]) -> dict[int, dict[int, int]]:
    """For each person those they met before, and what it costs to meet them again."""
    again: dict[int, dict[int, int]] = {who: {} for who in line}
    for (one, other), times in met.items():
        if one in again and other in again:
            again[one][other] = again[other][one] = AGAIN * times * times
    return again


def like_strength(
    people: Sequence[int],
    sizes: Sequence[int],
    strength: Mapping[int, float],
    met: Mapping[tuple[int, int], int],
    dice: Random,
) -> list[list[int]]:
    """Tables of those sizes, the strongest first.  `met`: how often pairs met (the lower number first)."""
    line = sorted(dice.sample(list(people), len(people)), key=lambda who: -strength.get(who, 0))
    tables = cut(line, sizes)
    if len(tables) < 2:
        return tables
    cost = _Cost(homes(line, sizes, strength), _repeats(line, met))
    now = best = cost.whole(tables)
    kept = [list(table) for table in tables]
    steps = CHANGES * len(line)
    heat, cooling = 4.0, 0.02 ** (1 / steps)
    for _ in range(steps):
        if best == 0:
            break
        heat *= cooling
        one, other = int(dice.random() * len(tables)), int(dice.random() * len(tables))
        if one == other:
            continue
        here, there = tables[one], tables[other]
        seat, chair = int(dice.random() * len(here)), int(dice.random() * len(there))
        change = cost.change(tables, one, seat, other, chair)
        if change > 0 and (change > 8 * heat or dice.random() >= exp(-change / heat)):
            continue
        here[seat], there[chair] = there[chair], here[seat]
        now += change
        if now < best:
            best, kept = now, [list(table) for table in tables]
    return kept
