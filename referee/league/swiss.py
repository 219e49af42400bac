"""Tables of like strength that avoid repeats: people are sorted and cut into tables, then change with near
ones where that spares a repeat.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp
from random import Random

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


def like_strength(
    people: Sequence[int],
    sizes: Sequence[int],
    strength: Mapping[int, float],
    met: Mapping[tuple[int, int], int],
    dice: Random,
) -> list[list[int]]:
    """Tables of those sizes, the strongest first.  `met`: how often pairs met (the lower number first)."""
    line = sorted(dice.sample(list(people), len(people)), key=lambda who: -strength.get(who, 0))
    home, tables = homes(line, sizes, strength), cut(line, sizes)
    if len(tables) < 2:
        return tables
    again: dict[int, dict[int, int]] = {who: {} for who in line}
    for (one, other), times in met.items():
        if one in again and other in again:
            again[one][other] = again[other][one] = AGAIN * times * times

    def astray(who: int, number: int) -> int:
        low, high = home[who]
        off = low - number if number < low else max(0, number - high)
        return off * off

    now = sum(
        again[one].get(other, 0)
        for table in tables
        for place, one in enumerate(table)
        for other in table[place + 1 :]
    ) + sum(astray(who, number) for number, table in enumerate(tables) for who in table)
    best, kept = now, [list(table) for table in tables]
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
        who, whom = here[seat], there[chair]
        mine, theirs = again[who], again[whom]
        change = astray(who, other) + astray(whom, one) - astray(who, one) - astray(whom, other)
        for each in here:
            if each != who:
                change += theirs.get(each, 0) - mine.get(each, 0)
        for each in there:
            if each != whom:
                change += mine.get(each, 0) - theirs.get(each, 0)
        if change > 0 and (change > 8 * heat or dice.random() >= exp(-change / heat)):
            continue
        here[seat], there[chair] = whom, who
        now += change
        if now < best:
            best, kept = now, [list(table) for table in tables]
    return kept
