"""A seeded search for rounds with few repeats: two people of a round change tables, first freely, then only
where it helps.

Work is counted in steps, never in seconds: the same seed gives the same tables on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import exp
from operator import itemgetter
from random import Random

#: rounds of tables of people, who are numbered from 0, two at least at each
Rounds = list[list[list[int]]]


def meetings(rounds: Sequence[Sequence[Sequence[int]]], before: Sequence[Sequence[int]]) -> list[list[int]]:
    """How often each meets each, on top of what was before (rows that are copied)."""
    met = [list(row) for row in before]
    for each in rounds:
        for people in each:
            for who in people:
                row = met[who]
                for other in people:
                    if other != who:
                        row[other] += 1
    return met


def cost(met: Sequence[Sequence[int]]) -> int:
    """Repeats, each pair once."""
    return sum(count * (count - 1) // 2 for number, row in enumerate(met) for count in row[number + 1 :])


def _all_of(people: Sequence[int]) -> Callable[[Sequence[int]], Iterable[int]]:
    """What reads the counts of all of them (two at least) from a row at once."""
    return itemgetter(*people)


def _change_company(met: list[list[int]], table: Sequence[int], leaves: int, comes: int) -> None:
    """The others of a table (which still has the one who leaves) meet somebody else there."""
    lost, won = met[leaves], met[comes]
    for each in table:
        if each != leaves:
            row = met[each]
            row[leaves] -= 1
            row[comes] += 1
            lost[each] -= 1
            won[each] += 1


def annealed(
    rounds: Rounds,
    before: Sequence[Sequence[int]],
    dice: Random,
    steps: int,
    *,
    enough: int,
    hot: float = 1.2,
    cold: float = 0.12,
) -> tuple[Rounds, int]:
    """The best rounds found in that many steps, and their cost; it stops early at a cost of `enough`.

    before   how often pairs met before (a pair that must not meet: very often)
    hot, cold  a change that costs so much is accepted with probability 1/e at the start and at the end
    """
    rounds = [[list(people) for people in each] for each in rounds]
    met = meetings(rounds, before)
    now = best = cost(met)
    kept = [[list(people) for people in each] for each in rounds]
    free = [number for number, each in enumerate(rounds) if len(each) > 1]
    if not free or now <= enough:
        return kept, best
    rows = [[_all_of(people) for people in each] for each in rounds]
    heat, cooling = hot, (cold / hot) ** (1 / max(1, steps))
    chance = dice.random
    for _ in range(steps):
        heat *= cooling
        number = free[int(chance() * len(free))]
        tables = rounds[number]
        one = int(chance() * len(tables))
        other = int(chance() * (len(tables) - 1))
        other += other >= one
        here, there = tables[one], tables[other]
        seat, chair = int(chance() * len(here)), int(chance() * len(there))
        who, whom = here[seat], there[chair]
        mine, theirs = met[who], met[whom]
        get, take = rows[number][one], rows[number][other]
        change = sum(get(theirs)) - sum(get(mine)) + sum(take(mine)) - sum(take(theirs))
        change += len(here) + len(there) - 2 - 2 * mine[whom]
        if change > 0 and (change > 8 * heat or chance() >= exp(-change / heat)):
            continue
        _change_company(met, here, who, whom)
        _change_company(met, there, whom, who)
        here[seat], there[chair] = whom, who
        rows[number][one] = _all_of(here)
        rows[number][other] = _all_of(there)
        now += change
        if now < best:
            best = now
            kept = [[list(people) for people in each] for each in rounds]
            if best <= enough:
                break
    return kept, best


def larger(rounds: Rounds, people: int) -> list[int]:
    """How often each sits at a table that is larger than the smallest of all."""
    small = min((len(table) for each in rounds for table in each), default=0)
    often = [0] * people
    for each in rounds:
        for table in each:
            if len(table) > small:
                for who in table:
                    often[who] += 1
    return often
