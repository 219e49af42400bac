"""Standings and what decided."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from referee.league import ORDER, By, PointsBySize, PointsFault, Result, Terms, points_table, standings

TERMS = Terms(points_table("6/4/3/2/1"), seed="spring")
EIGHT = Terms(PointsBySize())


def at(table: int, *placed: tuple[int, int], void: bool = False, gone: tuple[int, ...] = ()) -> list[Result]:
    """A table: (person, score) from first to last; equal scores tie."""
    scores = [score for _, score in placed]
    return [
        Result(who, table, table, scores.index(score) + 1, score, void, who in gone) for who, score in placed
    ]


def rows(
    *results: list[Result], people: range = range(1, 5), terms: Terms = TERMS, **more: object
) -> list[tuple[int, int, str, By | None]]:
    done = standings(people, [one for each in results for one in each], terms, **more)  # type: ignore[arg-type]  # what is tried, by name
    return [(row.rank, row.person, str(row.points), row.decided) for row in done]


def test_points_first() -> None:
    assert rows(at(1, (1, 30), (2, 20), (3, 10), (4, 5))) == [
        (1, 1, "6", By.POINTS),
        (2, 2, "4", By.POINTS),
        (3, 3, "3", By.POINTS),
        (4, 4, "2", None),
    ]


def test_each_tie_break_in_turn() -> None:
    # 1 and 2 have 10 points: 1 won once; 2 was second and first once each … so: wins, then shares, then
    # duels, then lots
    wins = [
        at(1, (1, 30), (9, 20), (2, 19)),
        at(2, (8, 30), (9, 20), (2, 19)),
        at(3, (8, 30), (9, 29), (7, 28), (6, 27), (1, 26)),
    ]
    assert rows(*wins, people=range(1, 3))[0] == (1, 1, "7", By.POINTS)
    even = [
        at(1, (1, 30), (9, 20), (8, 15), (7, 14), (6, 13)),
        at(2, (7, 30), (2, 20)),
        at(3, (7, 30), (8, 29), (2, 28)),
        at(4, (7, 30), (8, 29), (9, 28), (6, 27), (1, 26)),
    ]
    assert rows(*even, people=range(1, 3)) == [(1, 1, "7", By.WINS), (2, 2, "7", None)]
    share = [at(1, (1, 50), (9, 20)), at(2, (2, 30), (9, 20))]
    assert rows(*share, people=range(1, 3)) == [(1, 1, "6", By.SHARE), (2, 2, "6", None)]


def test_head_to_head_among_those_who_are_level() -> None:
    """Each of three has won once and has the same shares; 1 was before 2 twice, the others evened out."""
    order = (By.WINS, By.DUELS)
    terms = Terms(TERMS.table, order)
    results = [
        at(1, (1, 30), (2, 20)),
        at(2, (9, 30), (1, 20), (2, 10)),
        at(3, (2, 30), (8, 20)),
        at(4, (3, 30), (8, 20)),
    ]
    assert rows(*results, people=range(1, 4), terms=terms) == [
        (1, 1, "10", By.DUELS),
        (2, 3, "6", By.DUELS),
        (3, 2, "13", None),
    ]


def test_what_nothing_tells_apart_shares_a_rank() -> None:
    terms = Terms(TERMS.table, (By.POINTS,))
    assert rows(at(1, (1, 30), (2, 30), (3, 10)), people=range(1, 4), terms=terms) == [
        (1, 1, "5", None),
        (1, 2, "5", By.POINTS),
        (3, 3, "3", None),
    ]


def test_lots_are_the_same_for_the_same_seed_and_others_for_another() -> None:
    people = range(1, 30)
    terms = Terms(TERMS.table, seed="spring", early=True)

    def drawn(terms: Terms) -> list[int]:
        assert [by for _, _, _, by in rows(people=people, terms=terms)] == [By.LOT] * 28 + [None]
        return [who for _, who, _, _ in rows(people=people, terms=terms)]

    assert drawn(terms) == drawn(terms) != drawn(replace(terms, seed="autumn"))
    assert sorted(drawn(terms)) == list(people)


def test_before_the_first_result_nobody_has_a_place() -> None:
    """They stand as they are named; a table that does not count changes nothing, nor does a penalty."""
    void = at(1, (3, 30), (1, 20), void=True)
    done = standings([3, 1, 2], void, TERMS, byes={3: 1}, penalties=[(3, Fraction(2))])
    assert [(row.rank, row.person, row.points, row.decided) for row in done] == [
        (0, 3, -2, None),
        (0, 1, 0, None),
        (0, 2, 0, None),
    ]
    assert [row.rank for row in standings([3, 1, 2], at(1, (1, 3), (9, 2)), TERMS)] == [1, 2, 3]


def test_void_tables_count_for_nobody() -> None:
    assert {row[2] for row in rows(at(1, (1, 30), (2, 20), (3, 10), (4, 5), void=True))} == {"0"}


def test_whoever_abandons_gets_what_is_stated() -> None:
    (top, *_, last) = standings(range(1, 4), at(1, (3, 30), (1, 20), (2, 10), gone=(3,)), TERMS)
    assert (top.person, top.points, top.wins) == (1, 4, 0)
    assert (last.person, last.points, last.wins, last.abandoned, last.share) == (3, 0, 0, 1, 0)
    stated = Terms(TERMS.table, abandoned=Fraction(-2))
    assert rows(at(1, (3, 30), (1, 20), (2, 10), gone=(3,)), people=range(1, 4), terms=stated)[-1][1:3] == (
        3,
        "-2",
    )


def test_byes_and_penalties() -> None:
    results = at(1, (1, 30), (2, 20), (3, 10), (4, 5))
    assert rows(
        results, byes={2: 2}, penalties=[(1, Fraction(3)), (1, Fraction(1, 2)), (99, Fraction(1))]
    ) == [(1, 2, "12", By.POINTS), (2, 3, "3", By.POINTS), (3, 1, "5/2", By.POINTS), (4, 4, "2", None)]
    fixed = Terms(TERMS.table, bye=Fraction(3))
    (first, *_) = standings(range(1, 5), results, fixed, byes={4: 3, 99: 1})
    assert (first.person, first.points, first.byes) == (4, 11, 3)
    # no result of one's own yet: nothing to average
    assert rows(results, people=range(1, 6), byes={5: 1})[-1][1:3] == (5, "0")


def test_everybody_is_in_it_and_strangers_are_not() -> None:
    done = standings([1, 2, 5], at(1, (1, 30), (7, 20), (2, 10)), TERMS)
    assert [(row.person, row.points, row.played) for row in done] == [(1, 6, 1), (2, 3, 1), (5, 0, 0)]
    assert done[0].share == Fraction(3, 2)  # 30 where the mean is 20
    assert done[2].share is None
    assert standings([], [], TERMS) == ()


def test_a_table_without_a_score_is_the_mean_for_all() -> None:
    done = standings([1, 2], at(1, (1, 0), (2, 0)), TERMS)
    assert {row.share for row in done} == {Fraction(1)}


def test_an_average_player_has_the_same_share_at_every_size() -> None:
    for size in range(2, 9):
        done = standings([1], at(1, (1, 20), *((10 + who, 20) for who in range(size - 1))), EIGHT)
        assert done[0].share == 1


def test_a_table_that_was_not_played_gives_no_share() -> None:
    ruled = [replace(one, played=False) for one in at(2, (2, 30), (1, 1), gone=(2,))]
    done = {row.person: row for row in standings([1, 2], [*at(1, (1, 30), (2, 10)), *ruled], TERMS)}
    assert done[1].share == Fraction(3, 2)  # of the first table only
    assert done[2].share == Fraction(1, 4)  # who left a table has none of it, whatever became of it
    (only,) = standings([1], [replace(one, played=False) for one in at(1, (1, 9), (7, 3))], TERMS)
    assert (only.share, only.points) == (None, 6)


def test_what_decided_is_told_with_its_figures() -> None:
    wins = [
        at(1, (1, 30), (9, 20), (8, 15), (7, 14), (6, 13)),
        at(2, (7, 30), (2, 20)),
        at(3, (7, 30), (8, 29), (2, 28)),
        at(4, (7, 30), (8, 29), (9, 28), (6, 27), (1, 26)),
    ]
    first, last = standings([1, 2], [one for each in wins for one in each], TERMS)
    assert (first.decided, first.figures) == (By.WINS, (1, 0))
    assert (last.decided, last.figures) == (None, None)
    share = [*at(1, (1, 50), (9, 20)), *at(2, (2, 30), (9, 20))]
    first, _ = standings([1, 2], share, TERMS)
    assert (first.decided, first.figures) == (By.SHARE, (Fraction(10, 7), Fraction(6, 5)))
    duels = [*at(1, (1, 30), (2, 20)), *at(2, (2, 30), (8, 20)), *at(3, (1, 30), (2, 20))]
    first, _ = standings([1, 2], duels, Terms(TERMS.table, (By.DUELS,)))
    assert (first.decided, first.figures) == (By.DUELS, (2, -2))
    lots = [*at(1, (1, 30), (8, 20)), *at(2, (2, 30), (8, 20))]
    first, _ = standings([1, 2], lots, TERMS)
    assert (first.decided, first.figures) == (By.LOT, None)


def test_a_season_of_the_first_form_is_reckoned_as_it_was() -> None:
    """The share is that of all scores, at tables that were ruled, too, and of nothing it is nothing."""
    ruled = [replace(one, played=False) for one in at(1, (1, 30), (7, 20), (2, 10))]
    done = standings([1, 2, 5], ruled, replace(TERMS, early=True))
    assert [(row.share or 0) for row in done] == [Fraction(1, 2), Fraction(1, 6), 0]
    assert [row.rank for row in standings([1, 2], [], replace(TERMS, early=True))] == [1, 2]


def test_a_points_table_that_is_too_short() -> None:
    with pytest.raises(PointsFault, match="points-too-short"):
        standings([1], at(1, (1, 6), (2, 5), (3, 4), (4, 3), (5, 2), (6, 1)), TERMS)


def test_the_stated_order_is_the_usual_one() -> None:
    assert ORDER == (By.POINTS, By.WINS, By.SHARE, By.DUELS, By.LOT)
