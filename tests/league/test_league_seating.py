"""Rounds: opponents, seats, first crowns, byes."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.league import NOTHING, EarlierRounds, Plan, Unseatable, past_of, plan, plan_round
from tests.seeds import some


def checked(done: Plan, people: list[int], past: EarlierRounds = NOTHING) -> Plan:
    """What must be so for every plan; and its figures are true."""
    met = Counter(past.met)
    for each in done.rounds:
        assert sorted([*each.byes, *(who for table in each.tables for who in table.people)]) == people
        for table in each.tables:
            assert 0 <= table.crown < len(table.people)
            met.update(combinations(sorted(table.people), 2))
    before = sum(count * (count - 1) // 2 for count in past.met.values())
    assert sum(count * (count - 1) // 2 for count in met.values()) - before == done.repeats
    assert done.repeats >= done.bound
    assert done.proven is (done.repeats == done.bound)
    after = past_of(done.rounds, past)
    assert after.met == met
    common = min(len(table.people) for each in done.rounds for table in each.tables)
    assert done.seats_imbalance == max(
        max(had) - min(had)
        for had in ((*seats, *[0] * common)[:common] for who, seats in after.seats.items() if who in people)
    )
    return done


@pytest.mark.parametrize(
    ("count", "wanted", "rounds"),
    [
        (240, 5, 7),
        (60, 5, 7),
        (62, 5, 6),
        (16, 4, 5),
        (13, 4, 4),
        (32, 4, 7),
        (24, 6, 4),
        (30, 6, 5),
        (9, 4, 3),
        (5, 5, 4),
        (11, 4, 5),
        (16, 4, 10),
        (238, 5, 7),
    ],
)
def test_repeats_seats_and_crowns(count: int, wanted: int, rounds: int) -> None:
    people = [7 * who + 3 for who in range(count)]
    done = checked(plan(people, rounds, wanted=wanted, seed=5), people)
    assert done.proven
    assert done.seats_imbalance <= 1
    assert done.crown_imbalance <= 1


def test_the_same_seed_gives_the_same_plan() -> None:
    people = list(range(26))
    assert plan(people, 4, seed=8, steps=20_000) == plan(people[::-1], 4, seed=8, steps=20_000)
    assert plan(people, 4, seed=8, steps=20_000) != plan(people, 4, seed=9, steps=20_000)


def test_where_no_design_fits_the_search_is_near() -> None:
    people = list(range(28))
    done = checked(plan(people, 7, wanted=7, seed=2, steps=300_000), people)
    assert done.bound == 252
    assert done.repeats <= 260


def test_byes_go_round() -> None:
    people = list(range(11))
    done = checked(plan(people, 11, least=4, most=4, wanted=4, steps=30_000), people)
    byes = Counter(who for each in done.rounds for who in each.byes)
    assert set(byes.values()) == {3}
    past = EarlierRounds(byes={who: 1 for who in people if who not in (2, 5, 7)})
    assert plan(people, 1, least=4, most=4, wanted=4, past=past).rounds[0].byes == (2, 5, 7)


@pytest.mark.parametrize(("count", "wanted"), [(60, 5), (240, 5), (28, 7)])
def test_those_apart_never_meet(count: int, wanted: int) -> None:
    dice = Random(4)
    apart = {(0, 1), (2, 1), (1, 3)} | {tuple(dice.sample(range(count), 2)) for _ in range(6)}
    people = list(range(count))
    done = checked(
        plan(people, 4, wanted=wanted, seed=1, steps=100_000, apart=[(one, other) for one, other in apart]),
        people,
    )
    together = {
        pair
        for each in done.rounds
        for table in each.tables
        for pair in combinations(sorted(table.people), 2)
    }
    assert not together & {(min(pair), max(pair)) for pair in apart}


def test_a_second_half_knows_the_first() -> None:
    people = list(range(60))
    first = checked(plan(people, 4, seed=1), people)
    past = past_of(first.rounds)
    # three withdrew, and two came late
    later = [who for who in people if who not in (4, 17, 30)] + [60, 61]
    second = checked(plan(later, 3, seed=2, steps=300_000, past=past), later, past)
    assert second.repeats <= 12
    assert second.seats_imbalance <= 1
    assert second.crown_imbalance <= 2


def test_round_by_round() -> None:
    people, past = list(range(40)), NOTHING
    for number in range(6):
        done = checked(plan_round(people, seed=number, past=past), people, past)
        past = past_of(done.rounds, past)
        assert done.seats_imbalance <= 2
    assert max(past.met.values()) == 2
    assert max(past.crowns.values()) <= 2


def test_swiss_puts_like_to_like_and_avoids_repeats() -> None:
    people, past = list(range(40)), NOTHING
    strength = {who: float(who) for who in people}
    repeats = []
    for number in range(4):
        done = checked(plan_round(people, seed=number, past=past, strength=strength), people, past)
        repeats.append(done.repeats)
        for place, table in enumerate(done.rounds[0].tables):
            # what a table would have without exchanges lies about here
            assert abs(sum(table.people) / 5 - (37 - 5 * place)) < 6
        past = past_of(done.rounds, past)
    assert repeats[0] == 0
    # the same tables again would have been 80 each time
    assert sum(repeats) <= 60


def test_swiss_among_equals_is_free() -> None:
    people, past = list(range(25)), NOTHING
    for number in range(3):
        done = checked(plan_round(people, seed=number, past=past, strength={}), people, past)
        assert done.repeats == 0
        past = past_of(done.rounds, past)


def test_swiss_gives_the_bye_to_the_last_without_one() -> None:
    people = list(range(9))
    asked = {"least": 4, "most": 4, "wanted": 4}
    strength = {who: float(-who) for who in people}
    assert plan_round(people, strength=strength, **asked).rounds[0].byes == (8,)
    assert plan_round(people, strength=strength, past=EarlierRounds(byes={8: 1}), **asked).rounds[0].byes == (
        7,
    )


@pytest.mark.parametrize("strength", [None, {}])
def test_what_can_not_be_seated(strength: dict[int, float] | None) -> None:
    apart = [(0, 1)]
    with pytest.raises(Unseatable, match="apart-impossible") as caught:
        plan_round(range(5), apart=apart, strength=strength, steps=2000)
    assert caught.value.facts == {"one": 0, "other": 1} or caught.value.facts == {"one": 1, "other": 0}
    with pytest.raises(Unseatable, match="too-few-to-seat"):
        plan_round(range(3), strength=strength)
    with pytest.raises(Unseatable, match="seated-twice person=4"):
        plan_round([1, 2, 4, 4, 5], strength=strength)


@pytest.mark.parametrize("rounds", [0, -1, 101])
def test_rounds_that_can_not_be(rounds: int) -> None:
    with pytest.raises(Unseatable, match="rounds-out-of-range"):
        plan(range(20), rounds)


def test_larger_tables_go_round_where_that_costs_nothing() -> None:
    people = list(range(242))
    assert plan(people, 7, seed=3).size_imbalance <= 1


def test_of_equally_few_repeats_nobody_meets_a_third_time() -> None:
    done = plan(range(24), 4, wanted=6, seed=3)
    assert done.repeats == done.bound == 48
    met = past_of(done.rounds).met
    assert max(met.values()) == 2


@settings(max_examples=some(40), deadline=None)
@given(st.integers(4, 40), st.integers(1, 5), st.integers(2, 8), st.integers(0, 10**6))
def test_whoever_plays_is_seated(count: int, rounds: int, wanted: int, seed: int) -> None:
    people = Random(seed).sample(range(1000), count)
    wanted = min(wanted, count)
    done = plan(
        people, rounds, least=max(2, wanted - 1), most=wanted + 1, wanted=wanted, seed=seed, steps=2000
    )
    checked(done, sorted(people))
    assert done.seats_imbalance <= 1
    byes = Counter(who for each in done.rounds for who in each.byes)
    assert max(byes.values(), default=0) - min((byes[who] for who in people), default=0) <= 1
    past, later = past_of(done.rounds), sorted(people)[1:]
    checked(
        plan_round(
            later,
            least=2,
            most=9,
            wanted=min(4, len(later)),
            seed=seed,
            past=past,
            strength={who: who % 7 for who in people},
        ),
        later,
        past,
    )
