"""Laws of the clock over policies, zones, seasons and interruptions by chance."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise, takewhile
from zoneinfo import ZoneInfo

from hypothesis import given, settings
from hypothesis import strategies as st

from referee.policy import (
    DAY_MS,
    HOUR_MS,
    OPEN,
    Clock,
    Policy,
    Span,
    after,
    allowance_ms,
    answer_ms,
    check,
    due_ms,
    ms,
    reminders,
    running_ms,
    shift,
    spend,
    standing,
    wall_ms,
)
from referee.policy.clock import counted
from tests.policy.calendars import moments, policies, tables
from tests.seeds import some

COMMON = settings(max_examples=some(100), deadline=None, derandomize=True)


def due_of(policy: Policy, clock: Clock) -> int:
    due = due_ms(policy, clock)
    assert due is not None
    return due


def stands(policy: Policy, clock: Clock, moment: int) -> bool:
    """By the wall clock, as a player would say it, not as the library counts it."""
    if any(one.start <= moment < one.end for one in counted(policy, clock)):
        return True
    here = datetime.fromtimestamp(moment / 1000, UTC).astimezone(ZoneInfo(policy.zone))
    return here.weekday() not in policy.days


def quiet_then(clock: Clock, moment: int) -> bool:
    if clock.quiet is None:
        return False
    local = datetime.fromtimestamp(moment / 1000, UTC).astimezone(ZoneInfo(clock.zone))
    hour = local.hour + local.minute / 60 + local.second / 3600
    return (hour - clock.quiet.start) % 24 < clock.quiet.hours - 1e-6


def changes(zone: str, moment: int) -> bool:
    """Whether the clocks of a zone go forward or back within a day of a moment."""
    offsets = {
        datetime.fromtimestamp(moment / 1000 + hours * 3600, UTC).astimezone(ZoneInfo(zone)).utcoffset()
        for hours in range(-24, 25)
    }
    return len(offsets) > 1


@COMMON
@given(policies())
def test_what_the_strategy_makes_is_a_policy(policy: Policy) -> None:
    assert check(policy) is policy


@COMMON
@given(tables())
def test_never_due_before_the_allowance_nor_while_the_clock_stands(table: tuple[Policy, Clock]) -> None:
    policy, clock = table
    due = due_of(policy, clock)
    free = min(ms(policy.grace_hours), ms(policy.move_hours)) if policy.bank_hours else ms(policy.move_hours)
    assert due >= clock.delivered_ms + free
    ran = running_ms(policy, clock, clock.delivered_ms, due)
    assert (
        ran == allowance_ms(policy, clock) if policy.snap_hour is None else ran >= allowance_ms(policy, clock)
    )
    assert not stands(policy, clock, due)
    if not changes(clock.zone, due):
        assert not quiet_then(clock, due)


@COMMON
@given(tables(), st.integers(0, 72 * HOUR_MS), st.integers(0, 100 * HOUR_MS))
def test_due_is_monotone(table: tuple[Policy, Clock], later: int, more: int) -> None:
    policy, clock = table
    due = due_of(policy, clock)
    assert due_of(policy, replace(clock, delivered_ms=clock.delivered_ms + later)) >= due
    assert due_of(policy, replace(clock, bank_ms=clock.bank_ms + more)) >= due
    assert due_of(policy, replace(clock, extra_ms=more)) >= due
    assert due_of(policy, replace(clock, quiet=None)) <= due
    away = shift(clock, clock.delivered_ms + later, clock.delivered_ms + later + more)
    assert due_of(policy, away) >= due
    assert shift(away, clock.delivered_ms + later, clock.delivered_ms + later + more) == away


@COMMON
@given(tables(), st.integers(0, 40 * 24), st.integers(0, 40 * 24))
def test_running_time_adds_up(table: tuple[Policy, Clock], one: int, two: int) -> None:
    policy, clock = table
    start, middle = clock.delivered_ms, clock.delivered_ms + one * HOUR_MS
    end = middle + two * HOUR_MS
    assert running_ms(policy, clock, start, middle) + running_ms(policy, clock, middle, end) == running_ms(
        policy, clock, start, end
    )
    spans = list(takewhile(lambda span: span.start < end, standing(policy, clock, start)))
    still = sum(min(span.end, end) - max(span.start, start) for span in spans if span.end > start)
    assert running_ms(policy, clock, start, end) == end - start - still
    assert all(a.end < b.start for a, b in pairwise(spans))


@COMMON
@given(tables(), st.integers(0, 300 * HOUR_MS))
def test_after_and_running_are_each_others_inverse(table: tuple[Policy, Clock], amount: int) -> None:
    policy, clock = table
    then = after(policy, clock, clock.delivered_ms, amount)
    assert then is not None
    assert running_ms(policy, clock, clock.delivered_ms, then) == amount
    assert running_ms(policy, clock, then, then + 1) == 1


@COMMON
@given(tables())
def test_reminders_come_between_the_question_and_the_deadline(table: tuple[Policy, Clock]) -> None:
    policy, clock = table
    due, bells = due_of(policy, clock), reminders(policy, clock)
    assert list(bells) == sorted(set(bells))
    assert len(bells) <= len(policy.remind_at)
    for bell in bells:
        assert clock.delivered_ms <= bell < due
        assert running_ms(policy, clock, bell, bell + 1) == 1
    whole = running_ms(policy, clock, clock.delivered_ms, due)
    if len(bells) == len(policy.remind_at):
        assert [whole - round(whole * share) for share in policy.remind_at] == [
            running_ms(policy, clock, clock.delivered_ms, bell) for bell in bells
        ]


@COMMON
@given(tables(), st.floats(0, 1))
def test_the_bank_pays_only_what_was_not_free(table: tuple[Policy, Clock], share: float) -> None:
    policy, clock = table
    due = due_of(policy, clock)
    answered = clock.delivered_ms + round((due - clock.delivered_ms) * share)
    left, missed = spend(policy, clock, answered), spend(policy, clock, due, missed=True)
    assert 0 <= missed <= left <= ms(policy.bank_hours)
    used = running_ms(policy, clock, clock.delivered_ms, answered)
    if used <= ms(policy.grace_hours):
        assert left == min(ms(policy.bank_hours), clock.bank_ms + ms(policy.bank_credit_hours))
    elif left < ms(policy.bank_hours) and used <= allowance_ms(policy, clock):
        assert left == clock.bank_ms - (used - ms(policy.grace_hours)) + ms(policy.bank_credit_hours)
    assert spend(policy, clock, due + DAY_MS, missed=True) == missed


@COMMON
@given(tables(), moments(), st.integers(1, 30))
def test_time_that_we_were_away_is_given_back_in_full(
    table: tuple[Policy, Clock], start: int, hours: int
) -> None:
    policy, clock = table
    away = Span(
        clock.delivered_ms + start % (20 * DAY_MS),
        clock.delivered_ms + start % (20 * DAY_MS) + hours * HOUR_MS,
    )
    moved = shift(clock, *away)
    assert running_ms(policy, moved, *away) == 0
    plain = replace(policy, snap_hour=None)
    due, later = due_of(plain, clock), due_of(plain, moved)
    if away.start >= due:
        assert later == due
    else:
        assert later >= away.end
        assert running_ms(plain, clock, clock.delivered_ms, later) == allowance_ms(plain, clock) + running_ms(
            plain, clock, *away
        )
    assert due_ms(policy, shift(clock, clock.delivered_ms, OPEN)) is None


@COMMON
@given(tables())
def test_no_answer_takes_longer_than_its_bound(table: tuple[Policy, Clock]) -> None:
    policy, clock = table
    bare = replace(clock, vacations=(), unreachable=(), paused=(), frozen=())
    assert due_of(policy, bare) - clock.delivered_ms <= answer_ms(policy)
    still = sum(span.end - span.start for span in counted(policy, clock))
    assert due_of(policy, clock) - clock.delivered_ms <= answer_ms(policy) + wall_ms(policy, still)
