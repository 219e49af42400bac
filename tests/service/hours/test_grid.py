"""Sums of hours: what is said on a wall clock as moments, also where clocks change; when most can."""

from __future__ import annotations

import random
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from referee.service.hours import grid

HOUR = 3_600_000


def ms(text: str, zone: str = "UTC") -> int:
    return round(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp() * 1000)


NOW = ms("2026-11-24 12:00")  # a Tuesday


def said(start: int, end: int, **day: object) -> dict[str, object]:
    return {**day, "start": start * 60, "end": end * 60}


@pytest.mark.parametrize(
    ("window", "zone", "start", "end"),
    [
        (said(18, 22, weekday=5), "UTC", "2026-11-28 18:00", "2026-11-28 22:00"),
        (said(18, 22, weekday=5), "America/Sao_Paulo", "2026-11-28 21:00", "2026-11-29 01:00"),
        (said(22, 26, weekday=5), "UTC", "2026-11-28 22:00", "2026-11-29 02:00"),
        (said(10, 13, weekday=1), "UTC", "2026-11-24 12:00", "2026-11-24 13:00"),  # today, what is left
        (said(8, 10, weekday=1), "UTC", "2026-12-01 08:00", "2026-12-01 10:00"),  # today's are over
        (said(18, 22, ahead=1), "Asia/Kathmandu", "2026-11-25 12:15", "2026-11-25 16:15"),
        (said(18, 20, date=[0, 12, 1]), "UTC", "2026-12-01 18:00", "2026-12-01 20:00"),
    ],
)
def test_what_is_said_is_meant_in_ones_own_zone(
    window: dict[str, object], zone: str, start: str, end: str
) -> None:
    assert grid.spans([window], zone, NOW) == [(ms(start), ms(end))]


def test_on_a_day_that_changes_its_clocks_hours_are_those_on_the_wall() -> None:
    zone, now = "Europe/Berlin", ms("2026-10-20 12:00")
    ((start, end),) = grid.spans([said(1, 5, weekday=6)], zone, now)
    assert end - start == 5 * HOUR, "one to five o'clock, and an hour comes twice"
    spring = ms("2027-03-23 12:00")
    ((start, end),) = grid.spans([said(1, 5, weekday=6)], zone, spring)
    assert end - start == 3 * HOUR
    skipped = grid.hour_said({"weekday": 6, "start": 150}, zone, spring)  # 02:30 is on no clock
    assert datetime.fromtimestamp(skipped / 1000, UTC).astimezone(ZoneInfo(zone)).hour == 3


@pytest.mark.parametrize(
    "window",
    [said(1, 2, date=[2025, 1, 1]), said(1, 2, date=[9999, 12, 31]), said(1, 2, date=[0, 2, 30])],
)
def test_what_lies_nowhere_is_no_span(window: dict[str, object]) -> None:
    assert grid.spans([window], "UTC", NOW) == []
    assert grid.hour_said(window, "UTC", NOW) == 0 or not grid.on_the_grid(
        grid.hour_said(window, "UTC", NOW), NOW
    )


@pytest.mark.parametrize("text", ["2026-13-45T99:99Z", "0001-01-01T00:00Z", "2026-11-28T18:10Z"])
def test_a_forged_button_is_no_hour(text: str) -> None:
    assert not grid.on_the_grid(grid.utc_said(text), NOW)


def test_the_best_hours_are_the_first_in_which_most_can() -> None:
    day = ms("2026-11-28 18:00")
    can = {
        1: [(day, day + 4 * HOUR)],
        2: [(day + HOUR, day + 3 * HOUR)],
        3: [(day + 2 * HOUR, day + 9 * HOUR)],
    }
    best = grid.best_hours(can, NOW)
    assert (best[0].at_ms, best[0].people) == (day + 2 * HOUR, (1, 2, 3))
    assert [len(one.people) for one in best] == [3, 2, 2]
    assert grid.best_hours({1: can[1]}, NOW) == []
    assert grid.best_hours({1: [(day, day + HOUR - 1)], 2: can[1]}, NOW) == [], "less than an hour"


def test_best_hours_hold_in_any_grid() -> None:
    """Everybody named can for the whole hour, none is left out who could, none lies over another."""
    dice = random.Random(7)
    for _ in range(60):
        can = {
            who: [
                (start, start + dice.randrange(1, 18) * HOUR // 4)
                for start in (NOW + dice.randrange(600) * HOUR // 4 for _ in range(dice.randrange(6)))
            ]
            for who in range(1, dice.randrange(2, 8))
        }
        best = grid.best_hours(can, NOW)
        for one in best:
            able = {
                who
                for who, spans in can.items()
                if any(a <= one.at_ms and one.at_ms + HOUR <= b for a, b in grid.joined(spans))
            }
            assert set(one.people) == able
            assert len(able) >= 2
            assert grid.on_the_grid(one.at_ms, NOW - 1)
        assert all(abs(a.at_ms - b.at_ms) >= HOUR for a in best for b in best if a is not b)
