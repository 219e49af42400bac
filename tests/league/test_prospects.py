"""What a place at one's table would mean in the standings."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.ids import PersonId
from referee.league.prospects import prospects
from tests.seeds import some

ANA, BEA, CY, DAN, EVE = (PersonId(number) for number in range(1, 6))
WORTH = [Fraction(one) for one in (6, 4, 2, 0)]


def points(**values: int) -> dict[PersonId, Fraction]:
    people = {"ana": ANA, "bea": BEA, "cy": CY, "dan": DAN, "eve": EVE}
    return {people[name]: Fraction(value) for name, value in values.items()}


def test_a_place_is_counted_with_what_the_others_at_the_table_would_get() -> None:
    before = points(ana=4, bea=6, cy=3, dan=2, eve=9)
    # first: 10, Bea 6 + 2; second: 8, Bea 6 + 8/3; third: 6, Bea and Cy before her; last: 4, with 4 each
    assert prospects(before, [ANA, BEA, CY, DAN], WORTH, ANA) == [1, 3, 4, 5]


def test_those_with_as_many_points_share_the_better_place() -> None:
    assert prospects(points(ana=3, bea=9), [ANA], [Fraction(6)], ANA) == [1]


def test_somebody_without_points_so_far_begins_at_none() -> None:
    assert prospects(points(bea=1), [ANA, BEA], [Fraction(4), Fraction(2)], ANA) == [1, 2]


@settings(max_examples=some(200), deadline=None)
@given(st.lists(st.integers(0, 30), min_size=4, max_size=12), st.integers(0, 3))
def test_a_better_place_is_never_worse(before: list[int], me: int) -> None:
    has = {PersonId(number): Fraction(worth) for number, worth in enumerate(before)}
    found = prospects(has, [PersonId(number) for number in range(4)], WORTH, PersonId(me))
    assert found == sorted(found)
    assert all(1 <= rank <= len(before) for rank in found)


@pytest.mark.parametrize("size", [2, 4])
def test_every_place_of_the_table_is_told(size: int) -> None:
    table = [ANA, BEA, CY, DAN][:size]
    assert len(prospects(points(ana=1, bea=1, cy=1, dan=1), table, WORTH[:size], ANA)) == size
