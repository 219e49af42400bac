"""Who stands at which place of a design, when some have met before or must not meet: two people change
places, everywhere at once, so the design stays what it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from random import Random

from .annealing import Rounds, meetings

#: changes tried for each person who has a past
CHANGES = 600


def relabelled(made: Rounds, before: Sequence[Sequence[int]], dice: Random) -> Rounds:
    """The same design with its places given to people so that those who met before (`before`: how often) meet
    as little as can be found.
    """
    count = len(before)
    past = [[(other, times) for other, times in enumerate(row) if times] for row in before]
    known = [who for who, row in enumerate(past) if row]
    if not known or count < 2:
        return made
    meets = meetings(made, [[0] * count for _ in range(count)])
    place = list(range(count))
    now = sum(times * meets[place[who]][place[other]] for who in known for other, times in past[who]) // 2
    best, kept = now, list(place)
    steps = CHANGES * len(known)
    heat, cooling = 2.0, 0.05 ** (1 / steps)
    for _ in range(steps):
        if best == 0:
            break
        heat *= cooling
        who, whom = known[int(dice.random() * len(known))], int(dice.random() * count)
        if who == whom:
            continue
        here, there = meets[place[who]], meets[place[whom]]
        change = 0
        for other, times in past[who]:
            if other != whom:
                change += times * (there[place[other]] - here[place[other]])
        for other, times in past[whom]:
            if other != who:
                change += times * (here[place[other]] - there[place[other]])
        if change > 0 and (change > 8 * heat or dice.random() >= exp(-change / heat)):
            continue
        place[who], place[whom] = place[whom], place[who]
        now += change
        if now < best:
            best, kept = now, list(place)
    stands = [0] * count
    for who, where in enumerate(kept):
        stands[where] = who
    return [[[stands[where] for where in table] for table in each] for each in made]
