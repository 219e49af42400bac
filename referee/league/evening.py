"""What is made more even once the repeats are few: pairs that meet three times or more, and who sits at the
larger tables where tables differ in size. People change tables as long as there are no more repeats for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from .annealing import Rounds, larger, meetings

#: exchanges tried for each place at a table
TRIES = 600
#: exchanges between two looks at whether anything is left to be done
_NOW_AND_THEN = 500


def evened(rounds: Rounds, before: Sequence[Sequence[int]], dice: Random) -> Rounds:
    """The same rounds, with as many repeats at most, in which fewer pairs meet a third time and nobody sits
    much more often at the larger tables than others, as far as exchanges that cost nothing lead there.
    `before`: how often pairs met before.
    """
    rounds = [[list(table) for table in each] for each in rounds if each]
    met = meetings(rounds, before)
    often = larger(rounds, len(before))
    # to meet for the third time costs 1, for the fourth 2
    thirds = _thirds(met) - _thirds(before)
    free = [each for each in rounds if len(each) > 1]
    for number in range(TRIES * sum(len(table) for each in free for table in each)):
        if not thirds and number % _NOW_AND_THEN == 0 and max(often) - min(often) <= 1:
            break
        each = free[int(dice.random() * len(free))]
        one, other = each[int(dice.random() * len(each))], each[int(dice.random() * len(each))]
        if one is other:
            continue
        seat, chair = int(dice.random() * len(one)), int(dice.random() * len(other))
        who, whom = one[seat], other[chair]
        mine, theirs = met[who], met[whom]
        # of pairs: how often they meet now, and whether they will once more or once less
        more = [theirs[near] for near in one if near != who] + [mine[near] for near in other if near != whom]
        less = [mine[near] - 1 for near in one if near != who] + [
            theirs[near] - 1 for near in other if near != whom
        ]
        if sum(more) > sum(less):
            continue
        change = sooner = sum(count * (count - 1) // 2 for count in more) - sum(
            count * (count - 1) // 2 for count in less
        )
        if (moves := len(one) - len(other)) != 0:
            change += moves * (often[whom] - often[who] + moves)
        if change > 0:
            continue
        for table, leaves, comes in ((one, who, whom), (other, whom, who)):
            for near in table:
                if near != leaves:
                    for person, step in ((leaves, -1), (comes, 1)):
                        met[person][near] += step
                        met[near][person] += step
        one[seat], other[chair] = whom, who
        often[who] -= moves
        often[whom] += moves
        thirds += sooner
    return rounds


def _thirds(met: Sequence[Sequence[int]]) -> int:
    return sum(
        count * (count - 1) * (count - 2) // 6
        for number, row in enumerate(met)
        for count in row[number + 1 :]
        if count > 2
    )
