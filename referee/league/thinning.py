"""A design for fewer people than it has places: which places stay empty.

They must never be two at one table, so that all tables have one size or one less. Of such choices the one is
taken in which nobody sits at full tables much more often than others: those who share a table with an empty
place in no round would always do.
"""

from __future__ import annotations

from random import Random

from .annealing import Rounds

#: choices that are looked at
TRIES = 300


def thinned(made: Rounds, people: int, dice: Random) -> Rounds:
    """The design with that many people, numbered from 0.

    The last places may always stay empty: no two of them meet.
    """
    places = sum(map(len, made[0]))
    spare = places - people
    if spare <= 0:
        return made
    near: list[list[tuple[int, ...]]] = [[() for _ in made] for _ in range(places)]
    for number, each in enumerate(made):
        for table in each:
            for who in table:
                near[who][number] = tuple(table)
    apart = [set(range(places)).difference(*near[who]) for who in range(places)]
    best = tuple(range(people, places))
    score = _uneven(best, near)
    for _ in range(TRIES):
        if score[0] <= 1:
            break
        chosen: list[int] = []
        left = set(range(places))
        while left and len(chosen) < spare:
            who = dice.choice(sorted(left))
            chosen.append(who)
            left &= apart[who]
        if len(chosen) == spare and (now := _uneven(tuple(chosen), near)) < score:
            best, score = tuple(chosen), now
    names = iter(range(people))
    named = {who: next(names) for who in range(places) if who not in set(best)}
    return [[[named[who] for who in table if who in named] for table in each] for each in made]


def _uneven(empty: tuple[int, ...], near: list[list[tuple[int, ...]]]) -> tuple[int, int]:
    """How unevenly full tables fall to people: the largest difference between two, and the sum of squares of
    how often each sits at one that is not.
    """
    small = [0] * len(near)
    for place in empty:
        for table in near[place]:
            for who in table:
                small[who] += 1
    counts = [count for who, count in enumerate(small) if who not in empty]
    return max(counts) - min(counts), sum(count * count for count in counts)
