"""Sums of hours: what somebody said in their own zone as spans of time, and the hours in which most can.

A span is [from, to) in UTC milliseconds.  An hour begins on a quarter of an hour: there are zones that are a
half or a quarter of an hour off, and a full hour there is to be had, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from referee.ids import PersonId
from referee.policy import DAY_MS, HOUR_MS

Span = tuple[int, int]
#: how far ahead hours are told
AHEAD_MS = 14 * DAY_MS
#: the hours that are proposed
BEST = 3
_STEP_MS = HOUR_MS // 4


class LiveHour(NamedTuple):
    """An hour (its beginning, UTC ms), and who can."""

    at_ms: int
    people: tuple[PersonId, ...]


def spans(windows: Sequence[Mapping[str, Any]], zone: str, now_ms: int) -> list[Span]:
    """What was said (see reading/hours.py) as spans of the next two weeks, joined and in order.

    Hours are those on the wall in that zone, also on a day on which it changes its clocks.
    """
    here = ZoneInfo(zone)
    found = []
    for one in windows:
        day = _day(one, here, now_ms, int(one["end"]))
        if day is not None:
            found.append((wall_moment(day, int(one["start"]), here), wall_moment(day, int(one["end"]), here)))
    return joined((max(start, now_ms), min(end, now_ms + AHEAD_MS)) for start, end in found if end > now_ms)


def hour_said(window: Mapping[str, Any], zone: str, now_ms: int) -> int:
    """The moment (UTC ms) of a day with its hour; 0 for a day that there is not."""
    here = ZoneInfo(zone)
    day = _day(window, here, now_ms, int(window["start"]))
    return 0 if day is None else wall_moment(day, int(window["start"]), here)


def utc_said(text: str) -> int:
    """The moment (UTC ms) that a button stands for (2026-11-28T18:00Z); 0 for one that there is not."""
    try:
        return round(datetime.fromisoformat(text).timestamp() * 1000)
    except (ValueError, OverflowError):
        return 0


def _day(said: Mapping[str, Any], here: ZoneInfo, now_ms: int, end: int) -> date | None:
    """The day that is meant: the next one on which `end` (minutes after midnight) is still to come."""
    today = datetime.fromtimestamp(now_ms / 1000, UTC).astimezone(here).date()
    if "ahead" in said:
        return today + timedelta(days=int(said["ahead"]))
    if "weekday" in said:
        day = today + timedelta(days=(int(said["weekday"]) - today.weekday()) % 7)
        return day if wall_moment(day, end, here) > now_ms else day + timedelta(days=7)
    year, month, number = said["date"]
    if year and not 0 <= year - today.year <= 1:
        return None
    for guess in (year,) if year else (today.year, today.year + 1):
        try:
            day = date(guess, month, number)
        except ValueError:
            continue
        if year or wall_moment(day, end, here) > now_ms:
            return day
    return None


def wall_moment(day: date, minute: int, here: ZoneInfo) -> int:
    """A minute of a day on the wall as a moment (UTC ms); one that the clocks skip is the one after it."""
    wall = datetime(day.year, day.month, day.day) + timedelta(minutes=minute)  # noqa: DTZ001  # on the wall
    return round(wall.replace(tzinfo=here).timestamp() * 1000)


def joined(found: Iterable[Span]) -> list[Span]:
    """Spans in order, those that touch as one; empty ones are left out."""
    out: list[Span] = []
    for start, end in sorted(one for one in found if one[0] < one[1]):
        if out and start <= out[-1][1]:
            out[-1] = (out[-1][0], max(out[-1][1], end))
        else:
            out.append((start, end))
    return out


def best_hours(can: Mapping[PersonId, Sequence[Span]], now_ms: int) -> list[LiveHour]:
    """The hours in which most can, two people at least: at most three, the best first, none over another."""
    hours: dict[int, list[PersonId]] = {}
    for who, theirs in can.items():
        for start, end in joined(theirs):
            first = -(-max(start, now_ms) // _STEP_MS) * _STEP_MS
            for at_ms in range(first, end - HOUR_MS + 1, _STEP_MS):
                hours.setdefault(at_ms, []).append(who)
    found: list[LiveHour] = []
    for at_ms, people in sorted(hours.items(), key=lambda one: (-len(one[1]), one[0])):
        if len(people) > 1 and all(abs(at_ms - one.at_ms) >= HOUR_MS for one in found):
            found.append(LiveHour(at_ms, tuple(people)))
        if len(found) == BEST:
            break
    return found


def on_the_grid(at_ms: int, now_ms: int) -> bool:
    """Whether an hour may begin then."""
    return at_ms % _STEP_MS == 0 and now_ms < at_ms <= now_ms + AHEAD_MS
