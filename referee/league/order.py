"""Who has which seat and who begins with the crown, as equally as possible.

Both are found by passing something on along a path, until no path is left that makes it more equal; that is
the best there is (the sums are flows). Seats: take two seat numbers a and b. Each table is an arrow from
the person who has a to the person who has b, and turning all arrows of a path round changes only its two
ends. Where all arrows can be turned freely there is always a way in which nobody has a more than once more
often than b (go along each trail of arrows in one direction), so without a past the seats that all tables
have differ by one at most, for everybody.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Mapping, Sequence
from random import Random

from .shapes import NOTHING, EarlierRounds, Table


def picked(tables: Sequence[Sequence[int]], load: Mapping[int, int], dice: Random) -> list[int]:
    """One person for each table, so that what they are picked for, on top of `load`, is as equal as it can
    be.
    """
    now = {who: load.get(who, 0) for people in tables for who in people}
    has: dict[int, set[int]] = {who: set() for who in now}
    choice: list[int] = []
    for number, people in enumerate(tables):
        who = min(dice.sample(list(people), len(people)), key=now.__getitem__)
        choice.append(who)
        now[who] += 1
        has[who].add(number)
    for start in sorted(now):
        while path := _passing(start, now, has, tables):
            for number, who, taker in path:
                has[who].remove(number)
                has[taker].add(number)
                choice[number] = taker
            now[start] -= 1
            now[path[-1][2]] += 1
    return choice


def _passing(
    start: int, now: Mapping[int, int], has: Mapping[int, set[int]], tables: Sequence[Sequence[int]]
) -> list[tuple[int, int, int]]:
    """How to give one away: (table, who gives, who takes) until it reaches somebody who has two fewer than
    the first.
    """
    came: dict[int, tuple[int, int]] = {start: (-1, -1)}
    queue = deque([start])
    while queue:
        who = queue.popleft()
        if now[who] <= now[start] - 2:
            path = []
            while who != start:
                number, giver = came[who]
                path.append((number, giver, who))
                who = giver
            return path[::-1]
        for number in sorted(has[who]):
            for taker in tables[number]:
                if taker not in came:
                    came[taker] = number, who
                    queue.append(taker)
    return []


def seated(tables: Sequence[Sequence[int]], past: EarlierRounds, dice: Random) -> list[list[int]]:
    """The people of each table in the order of their seats."""
    common = min(map(len, tables), default=0)
    rest = [dice.sample(list(people), len(people)) for people in tables]
    tails: list[list[int]] = [[] for _ in tables]
    far = {who: sum(had[common:]) for who, had in past.seats.items()}
    for seat in range(max(map(len, tables), default=0) - 1, common - 1, -1):
        large = [number for number, people in enumerate(tables) if len(people) > seat]
        for number, who in zip(large, picked([rest[number] for number in large], far, dice), strict=True):
            rest[number].remove(who)
            tails[number].insert(0, who)
            far[who] = far.get(who, 0) + 1
    changed = True
    while changed:
        changed = False
        for one in range(common):
            for other in range(one + 1, common):
                changed = _evened(rest, one, other, past) or changed
    return [front + tail for front, tail in zip(rest, tails, strict=True)]


def _evened(tables: list[list[int]], one: int, other: int, past: EarlierRounds) -> bool:
    """Exchange the seats `one` and `other` of some tables until everybody has both as equally often as can
    be; whether that changed anything.
    """
    out: dict[int, set[int]] = {}
    more: dict[int, int] = {}
    for number, people in enumerate(tables):
        for who, step in ((people[one], 1), (people[other], -1)):
            if who not in more:
                had = past.seats.get(who, ())
                more[who] = (had[one] if one < len(had) else 0) - (had[other] if other < len(had) else 0)
                out[who] = set()
            more[who] += step
        out[people[one]].add(number)
    changed = False
    for start in sorted(more):
        while path := _turning(start, more, out, tables, other):
            for number, who, to in path:
                out[who].remove(number)
                out[to].add(number)
                people = tables[number]
                people[one], people[other] = people[other], people[one]
            more[start] -= 2
            more[path[-1][2]] += 2
            changed = True
    return changed


def _turning(
    start: int,
    more: Mapping[int, int],
    out: Mapping[int, set[int]],
    tables: Sequence[Sequence[int]],
    other: int,
) -> list[tuple[int, int, int]]:
    """Arrows to turn round: (table, from, to), until they reach somebody with whom it is more equal
    afterwards than before.
    """
    came: dict[int, tuple[int, int]] = {start: (-1, -1)}
    queue = deque([start])
    while queue:
        who = queue.popleft()
        if more[who] <= more[start] - 3:
            path = []
            while who != start:
                number, giver = came[who]
                path.append((number, giver, who))
                who = giver
            return path[::-1]
        for number in sorted(out[who]):
            to = tables[number][other]
            if to not in came:
                came[to] = number, who
                queue.append(to)
    return []


def ordered(
    rounds: Sequence[Sequence[Sequence[int]]], past: EarlierRounds, dice: Random
) -> list[list[Table]]:
    """Rounds of tables of people, with their seats and first crowns."""
    flat = [list(people) for each in rounds for people in each]
    chairs = seated(flat, past, dice)
    crowns = picked(flat, _owed(past), dice)
    done = iter(
        [Table(tuple(people), people.index(first)) for people, first in zip(chairs, crowns, strict=True)]
    )
    return [[next(done) for _ in each] for each in rounds]


def _owed(past: EarlierRounds) -> dict[int, int]:
    """First crowns so far, less what that many tables bring on average: anyone who came late does not get
    them all now.
    """
    games = {who: sum(had) for who, had in past.seats.items()}
    rate = sum(past.crowns.values()) / max(1, sum(games.values()))
    return {who: past.crowns.get(who, 0) - round(count * rate) for who, count in games.items()}


def imbalances(rounds: Sequence[Sequence[Table]], past: EarlierRounds = NOTHING) -> tuple[int, int, int]:
    """The largest difference of seats (one person, the seats that all tables have, with the past), of first
    crowns (two people, with the past) and of larger tables (two people, without).
    """
    flat = [table for each in rounds for table in each]
    common = min((len(table.people) for table in flat), default=0)
    everybody = {who for table in flat for who in table.people}
    owed = _owed(past)
    seats = {
        who: [*past.seats.get(who, ())[:common], *[0] * (common - len(past.seats.get(who, ())))]
        for who in everybody
    }
    crowns, larger = {who: owed.get(who, 0) for who in everybody}, dict.fromkeys(everybody, 0)
    for table in flat:
        crowns[table.people[table.crown]] += 1
        for seat, who in enumerate(table.people):
            larger[who] += len(table.people) > common
            if seat < common:
                seats[who][seat] += 1
    return (
        max((max(had) - min(had) for had in seats.values()), default=0),
        _range(crowns.values()),
        _range(larger.values()),
    )


def _range(counts: Collection[int]) -> int:
    return max(counts, default=0) - min(counts, default=0)
