"""Seats and crowns are as equal as can be, no matter who sits where."""

from __future__ import annotations

from collections import Counter
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from referee.league.order import imbalances, ordered, picked
from referee.league.shapes import NOTHING, EarlierRounds, past_of
from referee.league.shapes import Round as OfLeague
from tests.seeds import some


def rounds_of(dice: Random, sizes: list[int], count: int) -> list[list[list[int]]]:
    made = []
    for _ in range(count):
        line = iter(dice.sample(range(sum(sizes)), sum(sizes)))
        made.append([[next(line) for _ in range(size)] for size in sizes])
    return made


@settings(max_examples=some(60), deadline=None)
@given(st.integers(0, 10**6), st.lists(st.integers(3, 8), min_size=1, max_size=6), st.integers(1, 9))
def test_seats_that_all_tables_have_differ_by_one(seed: int, sizes: list[int], count: int) -> None:
    dice = Random(seed)
    rounds = rounds_of(dice, sizes, count)
    done = ordered(rounds, NOTHING, dice)
    assert [[sorted(table.people) for table in each] for each in done] == [
        [sorted(people) for people in each] for each in rounds
    ]
    seats, crowns, _ = imbalances(done)
    assert seats <= 1
    if len(set(sizes)) == 1:
        assert crowns <= 1


@settings(max_examples=some(40), deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 4), st.integers(1, 6))
def test_what_is_picked_is_as_equal_as_can_be(seed: int, tables: int, count: int) -> None:
    dice = Random(seed)
    flat = [people for each in rounds_of(dice, [4] * tables, count) for people in each]
    chosen = picked(flat, {}, dice)
    assert all(who in people for who, people in zip(chosen, flat, strict=True))
    load = Counter(chosen)
    assert {load[who] for who in range(4 * tables)} <= {count // 4, -(-count // 4)}


def test_the_past_is_continued() -> None:
    dice = Random(3)
    first = ordered(rounds_of(dice, [5] * 4, 3), NOTHING, dice)
    past = past_of([OfLeague(tuple(each)) for each in first])
    second = ordered(rounds_of(dice, [5] * 4, 2), past, dice)
    # five rounds, five seats: with the past at most one above another, so nearly everybody had each seat once
    assert imbalances(second, past)[0] <= 2
    after = past_of([OfLeague(tuple(each)) for each in second], past)
    assert Counter(after.crowns.values()) == {1: 20}


def test_whoever_comes_late_does_not_get_all_crowns() -> None:
    past = EarlierRounds(seats=dict.fromkeys(range(9), (1, 1, 1, 1, 1)), crowns=dict.fromkeys(range(9), 1))
    dice = Random(1)
    crowns = Counter(
        table.people[table.crown]
        for each in ordered([[list(range(5)), [5, 6, 7, 8, 9]]], past, dice)
        for table in each
    )
    assert sum(crowns.values()) == 2
    assert imbalances([[]], past) == (0, 0, 0)
