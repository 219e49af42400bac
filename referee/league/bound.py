"""How few repeats any plan can have: a proven bound.

Repeats are counted as coincidences: a pair of people who meet in m rounds counts m·(m-1)/2, one for each pair
of those rounds.

*Two rounds.* Round r has tables of sizes a, round s has n tables. A table of a people spreads over the n
tables of the other round; x₁ … xₙ of them sit together again (those with a bye there are nowhere), and Σ
x(x-1)/2 is smallest when the x differ by one at most, because x(x-1)/2 is convex. Summed over the tables of r
it is a bound for this pair of rounds; a bye of s spares a table of r one person, and since the cost of a
table is convex in its people, the byes spare most where they are taken from the largest rest. The same holds
with r and s exchanged, so the larger of the two counts. Every coincidence belongs to exactly one pair of
rounds: the sum over all pairs of rounds is a bound.

*All pairs.* The tables of the plan make M meetings (Σ a(a-1)/2) of the pairs that may meet. A pair that met c
times before and meets k times more adds c·k + k(k-1)/2, convex in k with steps c, c+1, c+2 …, so the sum is
smallest when each meeting takes the smallest step that is left.

Both hold for every plan, so the larger one does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from .sizes import Sizes


def spread(people: int, tables: int) -> int:
    """Coincidences of that many people spread as evenly as possible over that many tables."""
    each, more = divmod(people, tables)
    return (tables - more) * (each * (each - 1) // 2) + more * ((each + 1) * each // 2)


def of_two(one: Sizes, other: Sizes) -> int:
    """The fewest coincidences of a round like `one` with a round like `other`."""
    return max(_spread_from(one, other), _spread_from(other, one))


def _spread_from(one: Sizes, other: Sizes) -> int:
    tables, spared = len(other.tables), other.byes
    rest = Counter(one.tables)
    while spared and any((size - 1) // tables for size in rest):
        # the largest rest has the largest step: ceil(size / tables) - 1
        size = max(rest)
        rest[size] -= 1
        rest += Counter()
        rest[size - 1] += 1
        spared -= 1
    return sum(count * spread(size, tables) for size, count in rest.items())


def of_rounds(rounds: Sequence[Sizes]) -> int:
    """The bound of all pairs of rounds."""
    same = Counter(rounds)
    kinds = list(same)
    total = sum(same[kind] * (same[kind] - 1) // 2 * of_two(kind, kind) for kind in kinds)
    return total + sum(
        same[one] * same[other] * of_two(one, other)
        for index, one in enumerate(kinds)
        for other in kinds[index + 1 :]
    )


def of_pairs(rounds: Sequence[Sizes], met: Iterable[int]) -> int:
    """The bound of all meetings.

    `met`: for each pair that may meet, how often it did (those apart are left out).
    """
    meetings = sum(size * (size - 1) // 2 for each in rounds for size in each.tables)
    at = Counter(met)
    if not at:
        return 0
    total, step, here = 0, min(at), 0
    while meetings:
        here += at[step]
        taken = min(meetings, here)
        total += taken * step
        meetings -= taken
        step += 1
    return total


def bound(rounds: Sequence[Sizes], met: Iterable[int]) -> int:
    """No plan of such rounds has fewer repeats than this."""
    return max(of_rounds(rounds), of_pairs(rounds, met))
