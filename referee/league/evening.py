"""Who sits at the larger tables, where tables differ in size: people change tables as long as nobody meets anybody more often for it."""
from __future__ import annotations

from collections.abc import Sequence
from random import Random

from .annealing import Rounds, meetings

#: exchanges tried for each place at a table
TRIES = 300


def evened(rounds: Rounds, before: Sequence[Sequence[int]], dice: Random) -> Rounds:
    """The same rounds, with as many repeats at most, in which nobody sits much more often at the larger tables than others, as far as exchanges
    that cost nothing lead there.  `before`: how often pairs met before."""
    sizes = {len(table) for each in rounds for table in each}
    if len(sizes) < 2:
        return rounds
    rounds = [[list(table) for table in each] for each in rounds]
    met = meetings(rounds, before)
    small = min(sizes)
    often = [0] * len(before)
    for each in rounds:
        for table in each:
            for who in table:
                often[who] += len(table) > small
    for _ in range(TRIES * sum(len(table) for each in rounds for table in each)):
        each = rounds[int(dice.random() * len(rounds))]
        one, other = each[int(dice.random() * len(each))], each[int(dice.random() * len(each))]
        if len(one) <= len(other):
            continue
        seat, chair = int(dice.random() * len(one)), int(dice.random() * len(other))
        who, whom = one[seat], other[chair]
        if often[who] <= often[whom]:
            continue
        mine, theirs = met[who], met[whom]
        change = (sum(theirs[each] - mine[each] + 1 for each in one if each != who)
                  + sum(mine[each] - theirs[each] + 1 for each in other if each != whom))
        if change > 0:
            continue
        for table, leaves, comes in ((one, who, whom), (other, whom, who)):
            for each_one in table:
                if each_one != leaves:
                    for person, step in ((leaves, -1), (comes, 1)):
                        met[person][each_one] += step
                        met[each_one][person] += step
        one[seat], other[chair] = whom, who
        often[who] -= 1
        often[whom] += 1
    return rounds
