"""What misses do to a seat, and that no game outlives its bound."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.policy import (
    DAILY,
    DAY_MS,
    PRESETS,
    Clock,
    Do,
    Event,
    Policy,
    Quiet,
    Span,
    Standing,
    answer_ms,
    at_once,
    begin_vacation,
    bound_ms,
    due_ms,
    end_vacation,
    excused,
    ms,
    spend,
    step,
    vacation_ms,
)
from tests.policy.calendars import ZONES, at, moments, policies
from tests.seeds import some

COMMON = settings(max_examples=some(80), deadline=None, derandomize=True)
MISSED, ANSWERED, BACK, REPLACED, UNDONE = (
    Event.MISSED,
    Event.ANSWERED,
    Event.BACK,
    Event.REPLACED,
    Event.UNDONE,
)


def play(
    events: list[Event],
    policy: Policy = DAILY,
    standing: Standing = Standing(),  # noqa: B008 - frozen
) -> tuple[Standing, list[tuple[Do, ...]]]:
    done = []
    for event in events:
        standing, do = step(policy, standing, event)
        done.append(do)
    return standing, done


def test_the_usual_way_down() -> None:
    standing, done = play([MISSED, MISSED, MISSED, MISSED])
    assert done == [(Do.PLAN,), (Do.PLAN, Do.PROBATION), (Do.CARETAKER, Do.OFFER), (Do.CARETAKER,)]
    assert standing == Standing(misses=4, probation=True, offered=True)
    assert step(DAILY, standing, REPLACED) == (Standing(replaced=1), (Do.WAIT,))


def test_the_way_back() -> None:
    down, _ = play([MISSED, MISSED, MISSED])
    back, do = step(DAILY, down, BACK)
    assert (back, do) == (Standing(misses=1), (Do.WITHDRAW, Do.WAIT))
    assert step(DAILY, down, ANSWERED) == (back, do), "an answer says it too"
    assert play([MISSED], standing=back)[1] == [(Do.PLAN, Do.PROBATION)]
    assert play([ANSWERED, BACK], standing=back) == (back, [(), ()])


def test_a_miss_of_ours_is_undone() -> None:
    down, _ = play([MISSED, MISSED, MISSED])
    once, do = step(DAILY, down, UNDONE)
    assert (once, do) == (Standing(misses=2, probation=True), (Do.WITHDRAW,))
    assert step(DAILY, once, UNDONE) == (Standing(misses=1), (Do.WAIT,))
    assert step(DAILY, Standing(), UNDONE) == (Standing(), ())
    wanted = Standing(misses=2, probation=True, offered=True, decided=True)
    for event in (UNDONE, BACK):  # not for its misses
        assert step(DAILY, wanted, event) == (Standing(misses=1, offered=True, decided=True), (Do.WAIT,))


def test_the_first_round_begins_anew() -> None:
    assert step(DAILY, Standing(), MISSED, first_round=True) == (Standing(misses=1), (Do.GATHER,))
    assert step(DAILY, Standing(replaced=1), MISSED, first_round=True).do == (Do.PLAN,)
    patient = PRESETS["gentle"].__class__(first_round_miss=False)
    assert step(patient, Standing(), MISSED, first_round=True).do == (Do.PLAN,)


def test_misses_that_are_excused() -> None:
    assert [excused(DAILY, Standing(misses=n)) for n in range(3)] == [False, True, False]
    assert not excused(PRESETS["live"], Standing(misses=1))


def test_who_answers_at_once() -> None:
    assert at_once(DAILY) is Do.CARETAKER
    assert at_once(Policy(bot=True)) is Do.BOT
    assert at_once(Policy(bot=True, caretaker=False)) is Do.BOT


@COMMON
@given(
    policies(),
    st.lists(st.sampled_from([MISSED, MISSED, MISSED, ANSWERED, BACK, REPLACED, UNDONE]), max_size=30),
)
def test_laws_of_mercy(policy: Policy, events: list[Event]) -> None:
    standing = Standing()
    for event in events:
        before = standing
        standing, do = step(policy, standing, event)
        assert standing.probation == (standing.misses >= policy.probation_after)
        assert standing.offered == (standing.misses >= policy.replace_after)
        assert (Do.PROBATION in do) == (standing.probation and not before.probation)
        assert (Do.OFFER in do) == (standing.offered and not before.offered)
        assert (Do.WITHDRAW in do) == (before.offered and not standing.offered and event is not REPLACED)
        answers = [one for one in do if one in (Do.PLAN, Do.CARETAKER, Do.BOT)]
        assert len(answers) == (event is MISSED)
        assert (Do.PLAN in answers) == (event is MISSED and not before.probation)
        if event in (BACK, ANSWERED, REPLACED):
            assert not standing.probation
            assert not standing.offered


@COMMON
@given(policies(), moments(), st.integers(2, 5), st.integers(1, 4), st.integers(0, 2**32), st.floats(0, 1))
def test_every_game_ends_within_its_bound(
    policy: Policy, start: int, players: int, rounds: int, seed: int, lazy: float
) -> None:
    """People who miss, dawdle, go on vacation, can't be reached and pause as long as they can: one answer
    after the other.
    """
    dice = random.Random(seed)
    answers, now = 3, start
    bound = bound_ms(policy, players, rounds, answers)
    seats = [Standing() for _ in range(players)]
    clocks = [Clock(start, ms(policy.bank_hours), dice.choice(ZONES), policy.quiet) for _ in range(players)]
    pauses: list[Span] = []
    fired = 0
    for turn in range(rounds * answers * players):
        seat = turn % players
        if seats[seat].probation and dice.random() < 0.7:  # nobody waits
            seats[seat] = step(policy, seats[seat], MISSED).next
            continue
        clock = clocks[seat]
        if dice.random() < 0.1:
            pauses.append(Span(now, now + dice.randrange(1, 9) * DAY_MS))
        reach = clock.unreachable or ((Span(now),) if dice.random() < 0.1 else ())
        clock = Clock(now, clock.bank_ms, clock.zone, clock.quiet, clock.vacations, reach, tuple(pauses))
        due = due_ms(policy, clock)
        assert due is not None
        begins = vacation_ms(policy, clock)
        if begins is not None and begins < due and dice.random() < 0.5:
            clock = begin_vacation(policy, clock, begins)
            due = due_ms(policy, clock)
            assert due is not None
        missed = dice.random() < lazy
        then = due if missed else now + round((due - now) * dice.random())
        clock = end_vacation(clock, then) if not missed else clock
        clocks[seat] = Clock(
            now,
            spend(policy, clock, then, missed=missed),
            clock.zone,
            clock.quiet,
            clock.vacations,
            clock.unreachable,
        )
        seats[seat] = step(policy, seats[seat], MISSED if missed else ANSWERED, first_round=False).next
        now, fired = then, fired + missed
        assert now - start <= bound
    assert fired <= rounds * answers * players


@pytest.mark.parametrize(
    "policy",
    [
        Policy(move_hours=40, bank_hours=0, days=(0,), quiet=None),
        Policy(
            move_hours=40,
            bank_hours=0,
            days=(0, 4),
            quiet_most_hours=16,
            zone="Antarctica/Troll",
            snap_hour=12,
        ),
        Policy(move_hours=100, bank_hours=0, quiet_most_hours=16),
        Policy(move_hours=1, bank_hours=0, quiet_most_hours=0, snap_hour=0.5),
        Policy(move_hours=1, bank_hours=0, quiet_most_hours=0, snap_hour=0.5, days=(2,)),
        *PRESETS.values(),
    ],
)
@pytest.mark.parametrize("day", range(7))
def test_the_worst_single_answer_is_within_the_bound(policy: Policy, day: int) -> None:
    """Asked on any day of the week into the longest night, with all vacation and all pauses that there
    are.
    """
    start = at("2026-10-19T00:00") + day * DAY_MS + 3_600_000
    night = Quiet(1, 1 + policy.quiet_most_hours) if policy.quiet_most_hours else None
    for zone in ZONES:
        bare = Clock(start, ms(policy.bank_hours), zone, night)
        for clock in (
            bare,
            replace(bare, paused=(Span(start),)),
            replace(
                bare,
                paused=(Span(start, start + policy.pause_days * DAY_MS),),
                vacations=(Span(start + policy.pause_days * DAY_MS),),
            ),
        ):
            due = due_ms(policy, clock)
            assert due is not None
            assert due - start <= (answer_ms(policy) if clock is bare else bound_ms(policy, 1, 1, 1))


@pytest.mark.parametrize("name", PRESETS)
def test_the_bound_grows_with_the_game(name: str) -> None:
    policy = PRESETS[name]
    assert bound_ms(policy, 5, 12) < bound_ms(policy, 6, 12) < bound_ms(policy, 6, 13)
    assert bound_ms(policy, 5, 12, 2) < bound_ms(policy, 5, 12, 3)
