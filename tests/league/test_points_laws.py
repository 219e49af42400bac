"""Points are conserved: what a table gives is what its size gives, however it ends; what somebody who left it
would have had is nobody's.
"""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given as over
from hypothesis import settings
from hypothesis import strategies as st

from referee.league import (
    Points,
    PointsBySize,
    PointsTable,
    Result,
    Terms,
    given,
    read_points,
    standings,
    told,
)

SIZES = st.integers(2, 8)
#: a crowded machine says nothing by its clock
SLOW = settings(deadline=None)
WORTH = st.integers(0, 200).map(lambda quarters: Fraction(quarters, 4))


def falling(size: int) -> st.SearchStrategy[tuple[Fraction, ...]]:
    return st.lists(WORTH, min_size=size, max_size=size).map(lambda each: tuple(sorted(each, reverse=True)))


@st.composite
def points(draw: st.DrawFn) -> Points:
    """One list for all, or lists for some sizes, the rest as usual."""
    if draw(st.booleans()):
        return PointsTable(draw(falling(draw(st.integers(8, 12)))))
    return PointsBySize({size: draw(falling(size)) for size in draw(st.sets(SIZES))})


@st.composite
def tables(draw: st.DrawFn, no: int = 1, leaving: bool = False) -> list[Result]:
    """A table at which anybody may tie with anybody, or leave; the place of a stand-in is nobody's."""
    scores = draw(st.lists(st.integers(0, 9), min_size=2, max_size=8))
    place = [1 + sum(other > one for other in scores) for one in scores]
    gone = [leaving and draw(st.booleans()) for _ in scores]
    nobody = leaving and draw(st.booleans())
    return [
        Result(seat, no, no, place[seat], scores[seat], abandoned=gone[seat], size=len(scores))
        for seat in range(len(scores))
        if not (nobody and seat == 0 and place.count(place[0]) == 1)
    ]


def worth_of(places: Points, at: list[Result]) -> list[Fraction]:
    """What each place at the table is worth by the list alone, ties shared."""
    each = places.of(at[0].size)
    found = []
    for one in at:
        same = sum(other.place == one.place for other in at)
        found.append(sum(each[one.place - 1 : one.place - 1 + same], Fraction()) / same)
    return found


@SLOW
@over(points(), tables())
def test_a_table_gives_what_its_size_gives(places: Points, at: list[Result]) -> None:
    assert sum(given(at, Terms(places))) == sum(places.of(len(at)))


@SLOW
@over(points(), tables(leaving=True))
def test_what_those_who_left_would_have_had_is_nobodys(places: Points, at: list[Result]) -> None:
    had = given(at, Terms(places))
    free = [worth for one, worth in zip(at, worth_of(places, at), strict=True) if one.abandoned]
    empty = [
        places.of(at[0].size)[place - 1]
        for place in range(1, at[0].size + 1)
        if len(at) < at[0].size and place not in filled(at)
    ]
    assert sum(had) + sum(free) + sum(empty) == sum(places.of(at[0].size))
    assert all(worth == 0 for one, worth in zip(at, had, strict=True) if one.abandoned)


def filled(at: list[Result]) -> set[int]:
    return {
        place
        for one in at
        for place in range(one.place, one.place + sum(other.place == one.place for other in at))
    }


@SLOW
@over(
    points(),
    st.lists(st.integers(0, 9), min_size=1, max_size=5).flatmap(
        lambda numbers: st.tuples(*(tables(no + 1) for no in range(len(numbers))))
    ),
)
def test_a_season_gives_what_its_tables_give(places: Points, season: tuple[list[Result], ...]) -> None:
    rows = standings(range(8), [one for at in season for one in at], Terms(places, bye=Fraction(0)))
    assert sum(row.points for row in rows) == sum(sum(places.of(len(at))) for at in season)


@SLOW
@over(tables())
def test_shares_at_a_table_have_the_mean_one(at: list[Result]) -> None:
    rows = standings(range(8), at, Terms(PointsBySize()))
    known = [row.share for row in rows if row.share is not None]
    assert len(known) == len(at)
    assert sum(known) == len(at)


@SLOW
@over(points())
def test_points_are_read_as_they_are_told(places: Points) -> None:
    if isinstance(places, PointsBySize):
        again = read_points(told(places, range(2, 9)))
        assert [again.of(size) for size in range(2, 9)] == [places.of(size) for size in range(2, 9)]
    else:
        assert read_points(told(places, ())) == places
