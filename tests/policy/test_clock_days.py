"""The clock on days that can be looked up in a calendar."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from referee.policy import (
    DAILY,
    DAY_MS,
    HOUR_MS,
    OPEN,
    PRESETS,
    Clock,
    Policy,
    PolicyError,
    Quiet,
    Span,
    agenda,
    begin_vacation,
    book_vacation,
    broken,
    due_ms,
    end_vacation,
    enough_answers,
    interrupted,
    jumped,
    left_ms,
    offer_due_ms,
    plan_ms,
    quiet_until,
    reminders,
    repaused,
    shift,
    spared,
    spend,
    started,
    undone,
    vacation_left_ms,
    vacation_ms,
)
from tests.policy.calendars import at

PLAIN = Policy(bank_hours=0, bank_credit_hours=0, vacation_reserve_hours=0, quiet=None)
NIGHT = Quiet(22, 7)


def lisbon(asked: str, policy: Policy = PLAIN, quiet: Quiet | None = None, **more: Any) -> int | None:
    clock = Clock(at(asked), 0, "Europe/Lisbon", quiet, **more)
    return due_ms(replace(policy, zone="Europe/Lisbon"), clock)


@pytest.mark.parametrize(
    ("asked", "due"),
    [
        ("2026-06-01T10:00", "2026-06-02T10:00"),
        ("2026-03-28T12:00", "2026-03-29T12:00"),  # an hour was skipped: still 24 real hours
        ("2026-10-24T12:00", "2026-10-25T12:00"),  # an hour came twice
    ],
)
def test_a_day_is_24_hours(asked: str, due: str) -> None:
    assert lisbon(asked) == at(due)


@pytest.mark.parametrize(
    ("asked", "due"),
    [
        (
            "2026-06-01T09:00",
            "2026-06-02T18:00",
        ),  # 10:00 there, so 12 hours until 22, and 12 from 7: 19:00 there
        (
            "2026-06-01T23:00",
            "2026-06-03T15:00",
        ),  # asked at midnight: begins at 7, 15 hours, then 9 more: 16:00
        (
            "2026-03-28T21:00",
            "2026-03-30T14:00",
        ),  # 21:00 GMT, one hour; the night is 8 hours long; 15; 8 from 7 WEST
        (
            "2026-10-24T20:00",
            "2026-10-26T15:00",
        ),  # 21:00 WEST, one hour; the night is 10 hours long; 15; 8 from 7 WET
    ],
)
def test_the_night_does_not_count(asked: str, due: str) -> None:
    assert lisbon(asked, quiet=NIGHT) == at(due)


@pytest.mark.parametrize(
    ("quiet", "asked", "due"),
    [
        (
            Quiet(22, 1.5),
            "2026-10-24T23:00",
            "2026-10-25T02:30",
        ),  # half past one comes twice: the second ends the night
        (Quiet(1.5, 5), "2026-10-25T00:00", "2026-10-25T05:30"),  # … and the first begins it
        (Quiet(22, 1.5), "2026-03-28T23:00", "2026-03-29T02:30"),  # half past one is skipped: half past two
        (Quiet(1.5, 5), "2026-03-29T00:50", "2026-03-29T04:20"),
    ],
)
def test_a_night_that_begins_or_ends_while_the_clocks_change(quiet: Quiet, asked: str, due: str) -> None:
    assert lisbon(asked, replace(PLAIN, move_hours=1), quiet) == at(due)


def test_time_that_runs_out_as_the_night_begins_runs_out_in_the_morning() -> None:
    assert lisbon("2026-06-01T15:00", replace(PLAIN, move_hours=6), NIGHT) == at("2026-06-02T06:00")


def test_no_more_quiet_than_the_policy_allows() -> None:
    short = replace(PLAIN, quiet_most_hours=2)
    assert lisbon("2026-06-01T21:00", replace(short, move_hours=1), NIGHT) == at(
        "2026-06-02T00:00"
    )  # quiet counts from 22 to 24
    assert lisbon("2026-06-01T22:00", replace(PLAIN, move_hours=1, quiet_most_hours=0), NIGHT) == at(
        "2026-06-01T23:00"
    )


@pytest.mark.parametrize(
    ("asked", "due"),
    [
        ("2026-06-04T10:00", "2026-06-05T10:00"),  # Thursday, Friday
        ("2026-06-05T10:00", "2026-06-08T10:00"),  # Friday, over the weekend, Monday
        ("2026-06-06T15:00", "2026-06-08T23:00"),  # asked on Saturday: Monday 0:00 there is Sunday 23:00 UTC
        ("2026-10-23T10:00", "2026-10-26T11:00"),  # the weekend is an hour longer
        ("2026-03-27T10:00", "2026-03-30T09:00"),  # … or shorter
    ],
)
def test_days_off(asked: str, due: str) -> None:
    assert lisbon(asked, replace(PLAIN, days=(0, 1, 2, 3, 4))) == at(due)


@pytest.mark.parametrize(
    ("asked", "days", "due"),
    [
        ("2026-06-01T10:00", range(7), "2026-06-02T18:00"),  # 11:00 there, so the first 19:00 a day later
        ("2026-06-01T18:00", range(7), "2026-06-02T18:00"),  # exactly then
        ("2026-06-01T18:01", range(7), "2026-06-03T18:00"),
        ("2026-10-24T10:00", range(7), "2026-10-25T19:00"),  # winter: 19:00 is another moment
        ("2026-03-28T10:00", range(7), "2026-03-29T18:00"),
        ("2026-06-04T18:30", range(5), "2026-06-08T18:00"),  # Friday 19:30 is too late for Friday's: Monday
    ],
)
def test_deadlines_snap_to_an_hour(asked: str, days: range, due: str) -> None:
    assert lisbon(asked, replace(PLAIN, snap_hour=19, days=tuple(days))) == at(due)


def test_a_snap_hour_that_the_clocks_skip_or_repeat() -> None:
    half_past_one = replace(PLAIN, snap_hour=1.5)
    assert lisbon("2026-03-28T01:00", half_past_one) == at(
        "2026-03-29T01:30"
    )  # 1:30 GMT would be: 2:30 on the clock
    assert lisbon("2026-10-24T00:00", half_past_one) == at("2026-10-25T00:30")  # the first of two
    assert lisbon("2026-10-24T00:31", half_past_one) == at("2026-10-26T01:30")  # once a day, not twice


def test_a_snap_hour_in_somebodys_night_waits_for_their_morning() -> None:
    clock = Clock(at("2026-06-01T10:00"), 0, "Pacific/Auckland", NIGHT)
    assert due_ms(replace(PLAIN, zone="Europe/Lisbon", snap_hour=15, move_hours=1), clock) == at(
        "2026-06-02T19:00"
    )


def test_the_bank_and_the_free_part() -> None:
    clock = started(replace(DAILY, quiet=None), at("2026-06-01T00:00"))
    policy = replace(DAILY, quiet=None)
    assert due_ms(policy, clock) == at("2026-06-02T00:00")
    assert spend(policy, clock, at("2026-06-01T12:00")) == 72 * HOUR_MS
    assert spend(policy, clock, at("2026-06-01T20:00")) == 70 * HOUR_MS
    assert spend(policy, clock, at("2026-06-02T00:00"), missed=True) == 60 * HOUR_MS
    poor = replace(clock, bank_ms=3 * HOUR_MS)
    assert due_ms(policy, poor) == at("2026-06-01T15:00")
    assert spend(policy, poor, at("2026-06-01T15:00"), missed=True) == 0
    assert spend(policy, poor, at("2026-06-01T13:00")) == 8 * HOUR_MS
    assert due_ms(policy, replace(poor, bank_ms=0, extra_ms=HOUR_MS)) == at("2026-06-01T13:00")
    assert spend(policy, replace(clock, extra_ms=8 * HOUR_MS), at("2026-06-01T20:00")) == 72 * HOUR_MS


def test_reminders_at_shares_of_the_time_left() -> None:
    clock = Clock(at("2026-06-01T00:00"), 0)
    assert reminders(PLAIN, clock) == (at("2026-06-01T12:00"), at("2026-06-01T20:24"))
    assert reminders(PLAIN, replace(clock, quiet=Quiet(10, 14))) == (
        at("2026-06-01T16:00"),
        at("2026-06-02T00:24"),
    )
    assert reminders(PLAIN, replace(clock, frozen=(Span(clock.delivered_ms, OPEN),))) == ()


def test_whatever_stands_still_is_given_back() -> None:
    hour = Span(at("2026-06-01T12:00"), at("2026-06-01T13:00"))
    for name in ("vacations", "unreachable", "paused", "frozen"):
        assert lisbon("2026-06-01T10:00", PLAIN, None, **{name: (hour,)}) == at("2026-06-02T11:00")
    assert lisbon("2026-06-01T10:00", paused=(hour,), frozen=(hour,)) == at("2026-06-02T11:00")
    assert lisbon("2026-06-01T10:00", unreachable=(Span(hour.start),)) == at(
        "2026-06-03T10:00"
    )  # 24 hours and no more
    assert lisbon("2026-06-01T10:00", unreachable=(hour, Span(hour.end + 1))) == at(
        "2026-06-02T11:00"
    )  # once a game
    assert lisbon("2026-06-01T10:00", paused=(Span(hour.start),)) == at("2026-06-02T10:00") + 14 * DAY_MS
    assert lisbon("2026-06-01T10:00", frozen=(Span(hour.start),)) is None


def test_vacation_begins_before_the_bank_runs_dry() -> None:
    policy = replace(DAILY, quiet=None)
    clock = Clock(at("2026-06-01T00:00"), 10 * HOUR_MS)
    begins = vacation_ms(policy, clock)
    assert begins == at("2026-06-01T16:00")
    away = begin_vacation(policy, clock, begins)
    assert vacation_left_ms(policy, away) == 0
    assert due_ms(policy, away) == at("2026-06-01T22:00") + 10 * DAY_MS
    back = end_vacation(away, at("2026-06-03T16:00"))
    assert vacation_left_ms(policy, back) == 8 * DAY_MS
    assert due_ms(policy, back) == at("2026-06-03T22:00")
    assert vacation_ms(policy, replace(clock, bank_ms=12 * HOUR_MS)) == at("2026-06-01T18:00"), (
        "both end together"
    )
    assert vacation_ms(policy, replace(clock, bank_ms=13 * HOUR_MS)) is None, "the move's own time ends first"
    assert vacation_ms(policy, replace(clock, vacation_spent_ms=10 * DAY_MS)) is None
    assert begin_vacation(policy, replace(clock, vacation_spent_ms=10 * DAY_MS), begins).vacations == ()
    assert vacation_ms(PLAIN, clock) is None
    assert vacation_ms(policy, replace(clock, bank_ms=0)) == at("2026-06-01T12:00")


def test_vacation_that_is_asked_for() -> None:
    clock, now = Clock(at("2026-06-01T00:00"), 0), at("2026-06-01T00:00")
    booked = book_vacation(DAILY, clock, now + DAY_MS, now + 3 * DAY_MS, now)
    assert booked.vacations == (Span(now + DAY_MS, now + 3 * DAY_MS),)
    assert end_vacation(booked, now) == booked, "it lies ahead"
    for start, end, code in (
        (now - 1, now + DAY_MS, "vacation-past"),
        (now + 2, now + 2, "vacation-order"),
        (now, now + 2 * DAY_MS, "vacation-twice"),
        (now + 3 * DAY_MS, now + 12 * DAY_MS, "vacation-long"),
    ):
        with pytest.raises(PolicyError) as no:
            book_vacation(DAILY, booked, start, end, now)
        assert no.value.code == code
    with pytest.raises(PolicyError) as no:
        book_vacation(DAILY, booked, now + 3 * DAY_MS, now + 12 * DAY_MS, now)
    assert no.value.facts == {"days": 9.0, "left": 8.0}


def test_an_outage_takes_nothing_off_a_vacation_in_two_parts() -> None:
    """A pause of the season had parted it, and was called off."""
    both = repaused(interrupted((Span(0, 100),), (Span(40, 60),)), Span(40, 60), Span(40, 40))
    assert both == (Span(0, 40), Span(40, 100))
    assert spared(both, Span(10, 30)) == (Span(0, 10), Span(30, 120))
    assert spared((*both, Span(150, 160)), Span(10, 30))[-1] == Span(150, 160)


def test_our_own_faults() -> None:
    night = Clock(at("2026-06-01T10:00"), 0, "UTC", NIGHT)
    assert due_ms(PLAIN, shift(night, at("2026-06-01T23:00"), at("2026-06-02T06:00"))) == due_ms(
        PLAIN, night
    ), "nobody lost anything at night"
    assert shift(night, 5, 5) == night
    outage = Span(100, 200)
    assert [undone(moment, (outage,)) for moment in (99, 100, 199, 200)] == [False, True, True, False]
    assert jumped(3_600_000, 1_000)
    assert jumped(-3_600_000, 1_000)
    assert not jumped(31_000, 30_000)
    for missed in range(60):  # so many answers are enough, and one less is not
        enough = enough_answers(missed)
        assert not broken(missed + enough, missed)
        assert enough == 0 or broken(missed + enough - 1, missed)
    assert [broken(*both) for both in ((10, 4), (12, 5), (13, 5), (100, 39), (100, 40))] == [
        False,
        True,
        False,
        False,
        True,
    ]


def test_plans_and_offers() -> None:
    clock = Clock(at("2026-06-01T00:00"), 0, "UTC", NIGHT)
    assert [plan_ms(DAILY, clock, share) - clock.delivered_ms for share in (0, 0.5, 1, 7)] == [
        0,
        150_000,
        300_000,
        300_000,
    ]
    assert plan_ms(PRESETS["live"], clock, 0.5) == clock.delivered_ms
    assert offer_due_ms(DAILY, clock) == at("2026-06-02T16:00")


def test_the_agenda_of_a_question() -> None:
    policy = replace(DAILY, quiet=None)
    clock = started(policy, at("2026-06-01T00:00"))
    assert agenda(policy, clock) == (
        (at("2026-06-01T12:00"), "remind"),
        (at("2026-06-01T20:24"), "remind"),
        (at("2026-06-02T00:00"), "answer"),
    )
    poor = replace(clock, bank_ms=8 * HOUR_MS)
    assert agenda(policy, poor) == (
        (at("2026-06-01T10:00"), "remind"),
        (at("2026-06-01T14:00"), "vacation"),
        (at("2026-06-01T20:00"), "answer"),
    )
    assert agenda(policy, replace(clock, frozen=(Span(clock.delivered_ms),))) == ()
    assert left_ms(policy, clock, at("2026-06-01T20:00")) == 4 * HOUR_MS
    assert left_ms(policy, clock, at("2026-05-01T20:00")) == 24 * HOUR_MS
    assert left_ms(policy, clock, at("2026-06-03T00:00")) == 0


@pytest.mark.parametrize(
    ("now", "free"),
    [
        ("2026-06-01T20:59", "2026-06-01T20:59"),
        ("2026-06-01T21:00", "2026-06-02T06:00"),
        ("2026-06-02T05:59", "2026-06-02T06:00"),
        ("2026-06-02T06:00", "2026-06-02T06:00"),
        ("2026-10-25T00:30", "2026-10-25T07:00"),
        ("2026-03-28T23:00", "2026-03-29T06:00"),
    ],
)
def test_until_when_it_is_quiet(now: str, free: str) -> None:
    assert quiet_until(NIGHT, "Europe/Lisbon", at(now)) == at(free)
    assert quiet_until(None, "Europe/Lisbon", at(now)) == at(now)
