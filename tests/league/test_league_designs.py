"""Designs repeat nothing."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from referee.league import Unseatable, plan_at_once
from referee.league.annealing import Rounds, larger
from referee.league.designs import DIFFERENCES, field, searched, shifts, transversal


def meetings(made: Rounds) -> Counter[tuple[int, int]]:
    return Counter(pair for each in made for table in each for pair in combinations(sorted(table), 2))


@pytest.mark.parametrize(
    ("people", "tables", "rounds"),
    [
        (16, 4, 5),
        (25, 5, 6),
        (49, 7, 8),
        (64, 8, 9),
        (81, 9, 10),
        (240, 48, 7),
        (242, 48, 7),
        (60, 12, 7),
        (60, 12, 3),
        (35, 7, 7),
        (63, 9, 9),
        (44, 11, 11),
        (62, 12, 5),
        (16, 4, 3),
        (48, 16, 16),
        (95, 25, 25),
        (50, 10, 4),
    ],
)
def test_nobody_meets_twice(people: int, tables: int, rounds: int) -> None:
    made = transversal(people, tables, rounds, Random(1))
    assert made is not None
    assert len(made) == rounds
    assert max(meetings(made).values()) == 1
    small = people // tables
    for each in made:
        assert sorted(who for table in each for who in table) == list(range(people))
        assert {len(table) for table in each} <= {small, small + 1}


@pytest.mark.parametrize(
    ("people", "tables", "rounds", "most"),
    [(36, 7, 5, 1), (42, 8, 5, 2), (36, 7, 7, 7), (58, 12, 5, 3), (237, 48, 5, 2)],
)
def test_places_stay_empty_where_larger_tables_fall_evenly(
    people: int, tables: int, rounds: int, most: int
) -> None:
    made = transversal(people, tables, rounds, Random(2))
    assert made is not None
    assert max(meetings(made).values()) == 1
    often = larger(made, people)
    assert max(often) - min(often) <= most
    for each in made:
        assert sorted(who for table in each for who in table) == list(range(people))


def test_a_whole_plane_has_every_pair_once() -> None:
    made = transversal(16, 4, 5, Random(0))
    assert made
    assert meetings(made) == Counter(combinations(range(16), 2))


@pytest.mark.parametrize(
    ("people", "tables", "rounds"), [(28, 4, 3), (36, 6, 7), (16, 4, 6), (20, 4, 2), (30, 6, 7)]
)
def test_where_there_is_none(people: int, tables: int, rounds: int) -> None:
    assert transversal(people, tables, rounds, Random(1)) is None


@pytest.mark.parametrize("size", [2, 3, 4, 5, 7, 8, 9, 11, 13, 16, 25, 27, 32, 49])
def test_fields_are_fields(size: int) -> None:
    known = field(size)
    assert known is not None
    add, times = known
    everything = set(range(size))
    for one in range(size):
        assert {add(one, other) for other in everything} == everything
        assert times(one, 1) == one
        assert times(one, 0) == 0
        assert add(one, 0) == one
        if one:
            assert {times(one, other) for other in everything} == everything
    dice = Random(size)
    for _ in range(200):
        a, b, c = (dice.randrange(size) for _ in range(3))
        assert times(a, add(b, c)) == add(times(a, b), times(a, c))
        assert times(a, times(b, c)) == times(times(a, b), c)


@pytest.mark.parametrize("size", [1, 6, 10, 12, 15, 21])
def test_other_numbers_have_no_field(size: int) -> None:
    assert field(size) is None


def test_shifts_that_are_searched_differ() -> None:
    found = searched(12, 5, 6, Random(4))
    assert found
    for one, other in combinations(range(5), 2):
        assert len({(row[one] - row[other]) % 12 for row in found}) == 6
    assert shifts(6, 5, 6, Random(1)) is None


@pytest.mark.parametrize("people", DIFFERENCES)
def test_at_once_every_pair_meets_once(people: int) -> None:
    names = [100 + who for who in range(people)]
    done = plan_at_once(names, seed=3)
    (only,) = done.rounds
    assert Counter(
        pair for table in only.tables for pair in combinations(sorted(table.people), 2)
    ) == Counter(combinations(names, 2))
    assert done.seats_imbalance == done.crown_imbalance == done.repeats == 0
    assert done.proven


def test_at_once_where_there_is_no_design() -> None:
    with pytest.raises(Unseatable) as caught:
        plan_at_once(range(20))
    assert caught.value.code == "no-design"
    assert caught.value.facts == {"people": 20, "known": (7, 13, 21, 31, 57)}
