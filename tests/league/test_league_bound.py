"""The bound holds: nothing that can be enumerated goes below it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, product

import pytest

from referee.league.bound import bound, of_two, spread
from referee.league.sizes import Sizes

Tables = tuple[tuple[int, ...], ...]


def cuts(people: tuple[int, ...], sizes: tuple[int, ...]) -> Iterator[Tables]:
    """All ways to seat some of the people at tables of those sizes; anyone who is left has a bye."""
    if not sizes:
        yield ()
        return
    for table in combinations(people, sizes[0]):
        rest = tuple(who for who in people if who not in table)
        for more in cuts(rest, sizes[1:]):
            # tables of one size have no order
            if not more or len(more[0]) != len(table) or more[0] > table:
                yield (table, *more)


def fewest(people: int, cut: Sizes, rounds: int, met: dict[tuple[int, int], int]) -> int:
    """The fewest repeats of all plans there are.  Without a past the first round is as good as any."""
    ways = [
        [pair for table in way for pair in combinations(table, 2)]
        for way in cuts(tuple(range(people)), cut.tables)
    ]
    firsts = ways if met else ways[:1]
    best = 10**6
    for chosen in product(firsts, *[ways] * (rounds - 1)):
        now = Counter(met)
        for pairs in chosen:
            now.update(pairs)
        best = min(best, sum(count * (count - 1) // 2 for count in now.values()))
    return best - sum(count * (count - 1) // 2 for count in met.values())


@pytest.mark.parametrize(
    ("people", "cut", "rounds"),
    [
        (4, Sizes((2, 2)), 3),
        (4, Sizes((2, 2)), 5),
        (6, Sizes((2, 2, 2)), 4),
        (6, Sizes((3, 3)), 4),
        (7, Sizes((4, 3)), 3),
        (8, Sizes((4, 4)), 3),
        (9, Sizes((3, 3, 3)), 2),
        (7, Sizes((3, 2, 2)), 3),
        (5, Sizes((2, 2), 1), 4),
        (6, Sizes((4,), 2), 3),
        (7, Sizes((3, 3), 1), 3),
        (5, Sizes((4,), 1), 4),
    ],
)
def test_no_plan_goes_below_it(people: int, cut: Sizes, rounds: int) -> None:
    here, low = fewest(people, cut, rounds, {}), bound([cut] * rounds, [0] * (people * (people - 1) // 2))
    # and in cases as small as these it is reached
    assert low == here


@pytest.mark.parametrize(
    "met", [{(0, 1): 1}, {(0, 1): 2, (2, 3): 1, (4, 5): 1}, dict.fromkeys(combinations(range(6), 2), 1)]
)
def test_nor_with_a_past(met: dict[tuple[int, int], int]) -> None:
    cut = Sizes((3, 3))
    counts = [met.get(pair, 0) for pair in combinations(range(6), 2)]
    assert bound([cut] * 2, counts) <= fewest(6, cut, 2, met)


@pytest.mark.parametrize(
    ("cut", "rounds", "low"),
    [
        (Sizes((6,) * 4), 4, 48),
        (Sizes((6,) * 5), 5, 50),
        (Sizes((7,) * 6), 5, 60),
        (Sizes((8,) * 6), 5, 120),
        (Sizes((7,) * 5), 6, 150),
        (Sizes((4,) * 8), 7, 0),
        (Sizes((7,) * 4), 7, 252),
        (Sizes((5,) * 48), 7, 0),
    ],
)
def test_figures_of_the_list(cut: Sizes, rounds: int, low: int) -> None:
    people = sum(cut.tables)
    assert bound([cut] * rounds, [0] * (people * (people - 1) // 2)) == low


def test_spread() -> None:
    assert [spread(people, 3) for people in range(8)] == [0, 0, 0, 0, 1, 2, 3, 5]
    # eight play and two sit out: each table of four may spare one or two of them for the byes of the other
    # round
    assert of_two(Sizes((4, 4)), Sizes((4, 4))) == 4
    assert of_two(Sizes((4, 4), 2), Sizes((4, 4), 2)) == 2


def test_nobody_may_meet() -> None:
    assert bound([Sizes((2,))], []) == 0
