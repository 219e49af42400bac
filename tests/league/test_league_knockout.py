"""Knock-out of groups: who goes on, how many rounds that makes, and that one table and a winner end it."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.league import By, Result, Terms, going_on, plan, points_table, rounds_needed, standings
from tests.seeds import some


@st.composite
def shapes(draw: st.DrawFn) -> tuple[int, int, int, int, int]:
    """people, least, most, wanted, advance."""
    least = draw(st.integers(2, 5))
    most = draw(st.integers(least, 8))
    return (
        draw(st.integers(least, 90)),
        least,
        most,
        draw(st.integers(least, most)),
        draw(st.integers(1, least - 1)),
    )


@given(shapes(), st.integers(0, 10**6))
@settings(max_examples=some(120), deadline=None)
def test_every_knock_out_ends_with_one_table_and_a_winner(
    shape: tuple[int, int, int, int, int], seed: int
) -> None:
    people, least, most, wanted, advance = shape
    dice = Random(seed)
    there = tuple(range(1, people + 1))
    needed = rounds_needed(people, least=least, most=most, wanted=wanted, advance=advance)
    played, last = 0, 0
    while there:
        (each,) = plan(there, 1, least=least, most=most, wanted=wanted, seed=seed, steps=50).rounds
        played, last = played + 1, len(each.tables)
        assert all(least <= len(table.people) <= most for table in each.tables)
        seated = [who for table in each.tables for who in table.people]
        assert sorted([*seated, *each.byes]) == sorted(there)
        found = [
            {who: place for place, who in enumerate(dice.sample(table.people, len(table.people)), 1)}
            for table in each.tables
        ]
        order = dice.sample(there, len(there))
        after = going_on(found, each.byes, order, least=least, advance=advance)
        assert set(after) <= set(there)
        assert len(after) < len(there)
        if after:  # the first of each table, and who had none
            assert set(after) >= set(each.byes)
            assert set(after) >= {who for table in found for who, place in table.items() if place <= advance}
        there = after
    assert played == needed
    assert last == 1


@pytest.mark.parametrize(
    ("people", "rounds"), [(3, 0), (4, 1), (7, 1), (8, 2), (14, 2), (24, 3), (60, 4), (240, 5)]
)
def test_the_number_of_rounds_follows_from_the_people(people: int, rounds: int) -> None:
    assert rounds_needed(people, least=4, most=7, wanted=5, advance=2) == rounds


def test_a_tie_at_the_cut_is_decided_by_the_standings() -> None:
    tables = [{1: 1, 2: 2, 3: 2, 4: 4}, {5: 1, 6: 2, 7: 3, 8: 4}]
    assert going_on(tables, (), [3, 2, 1, 5, 6, 4, 7, 8], least=4, advance=2) == (1, 3, 5, 6)
    assert going_on(tables, (), [2, 3, 1, 5, 6, 4, 7, 8], least=4, advance=2) == (1, 2, 5, 6)


def test_too_few_for_a_table_are_filled_up_with_the_best_of_the_others() -> None:
    tables = [{1: 1, 2: 2, 3: 3, 4: 4}, {5: 1, 6: 2, 7: 3, 8: 4}]
    assert going_on(tables, (), [8, 2, 7, 6, 1, 3, 4, 5], least=4, advance=1) == (1, 2, 5, 8)


def test_who_has_left_does_not_go_on_and_where_nobody_is_left_it_ends() -> None:
    assert going_on([{3: 3, 4: 4}, {5: 1, 6: 2}], (), [5, 6, 3, 4], least=4, advance=2) == (3, 4, 5, 6)
    assert going_on([{3: 3}, {5: 1, 6: 2}], (), [5, 6, 3], least=4, advance=2) == ()
    assert going_on([{}, {}], (), [], least=4, advance=2) == ()


def test_the_final_has_no_next_round_and_one_table_with_a_bye_has() -> None:
    assert going_on([{1: 1, 2: 2, 3: 3, 4: 4}], (), [1, 2, 3, 4], least=4, advance=2) == ()
    assert going_on([{1: 1, 2: 2, 3: 3, 4: 4}], (9,), [1, 2, 3, 4, 9], least=4, advance=2) == (1, 2, 3, 9)


def test_who_came_farther_stands_before_who_has_more_points() -> None:
    results = [
        *(Result(who, 1, 1, place) for place, who in enumerate((1, 2, 3), 1)),
        *(Result(who, 1, 2, place) for place, who in enumerate((4, 5, 6), 1)),
        *(Result(who, 2, 3, place) for place, who in enumerate((2, 5, 4), 1)),
    ]
    terms = Terms(
        points_table("9/1/0"),
        order=(By.REACHED, By.POINTS, By.LOT),
        reached={1: 99, 3: 97, 6: 97, 2: 199, 5: 198, 4: 197},
    )
    rows = standings(range(1, 7), results, terms)
    assert [row.person for row in rows][:4] == [2, 5, 4, 1]
    assert [row.decided for row in rows][:4] == [By.REACHED] * 4
