"""Hours and days of the local calendar as moments: midnights, quiet hours, days off, with summer time both
ways.

An hour that the clocks skip is taken as if they had not (half past two is then half past three); of an hour
that comes twice a beginning is the first, an end the second one.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from functools import lru_cache
from zoneinfo import ZoneInfo

from .policy import Quiet
from .spans import Span


@lru_cache(maxsize=16_384)
def moment(zone: str, day: int, minute: int, last: bool = False) -> int:
    """The epoch milliseconds of a minute of the local day `day` (its proleptic ordinal)."""
    local = datetime.fromordinal(day).replace(hour=minute // 60, minute=minute % 60, tzinfo=ZoneInfo(zone))
    first = local.timestamp()
    return int(max(first, local.replace(fold=1).timestamp()) if last else first) * 1000


def day_of(zone: str, at_ms: int) -> int:
    """The ordinal of the local day of a moment, to the quarter of an hour."""
    return _day(zone, at_ms // 900_000)


@lru_cache(maxsize=16_384)
def _day(zone: str, quarter: int) -> int:
    return datetime.fromtimestamp(quarter * 900, UTC).astimezone(ZoneInfo(zone)).toordinal()


def quiet_spans(quiet: Quiet, most_hours: float, zone: str, since: int) -> Iterator[Span]:
    """The quiet hours of each day from `since` on, for ever; no more than `most_hours` of each count."""
    start = round(quiet.start * 60)
    length = round(min(quiet.hours, most_hours) * 60)
    if length <= 0:
        return
    day = day_of(zone, since) - 2
    while True:
        yield _quiet_span(zone, day, start, length)
        day += 1


@lru_cache(maxsize=16_384)
def _quiet_span(zone: str, day: int, start: int, length: int) -> Span:
    over, end = divmod(start + length, 24 * 60)
    return Span(moment(zone, day, start), moment(zone, day + over, end, True))


def off_spans(days: tuple[int, ...], zone: str, since: int) -> Iterator[Span]:
    """The days of the week on which clocks don't run, for ever."""
    if len(days) == 7:
        return
    day = day_of(zone, since) - 1
    while True:
        if (day + 6) % 7 not in days:  # ordinal 1 was a Monday
            yield Span(moment(zone, day, 0), moment(zone, day + 1, 0))
        day += 1


def next_hour(hour: float, days: tuple[int, ...], zone: str, at_ms: int) -> int:
    """The first moment at or after `at_ms` at which it is this hour there, on one of those days."""
    day = day_of(zone, at_ms) - 1
    while True:
        if (day + 6) % 7 in days:
            found = moment(zone, day, round(hour * 60))
            if found >= at_ms:
                return found
        day += 1
