"""Public holidays on which no clock of a league's tables runs, by country (`BR`) and part of it (`DE-BY`).

The days are those of the library `holidays`, which knows them without asking anybody. It takes most of a
second to be imported, which only those wait for who set such a country.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime
from functools import lru_cache
from zoneinfo import ZoneInfo

from referee.policy import DAY_MS
from referee.rules import Refusal

#: how far ahead a table knows them, and how many places may be named
AHEAD_DAYS, PLACES_MOST = 400, 12
Spans = list[tuple[int, int]]


def places(said: str) -> tuple[str, ...]:
    """`BR, DE-BY` as countries and parts of them, in order.  Raises Refusal for one that is not known."""
    found = sorted({one.upper() for one in said.replace(",", " ").split()})
    if len(found) > PLACES_MOST:
        raise Refusal("league-holidays-many", most=PLACES_MOST)
    known = _known()
    for one in found:
        country, hyphen, part = one.partition("-")
        if country not in known:
            raise Refusal("league-holidays", place=one[:20], country="", parts=[])
        if hyphen and part not in known[country]:
            raise Refusal(
                "league-holidays", place=one[:20], country=country, parts=sorted(known[country])[:20]
            )
    return tuple(found)


def spans(named: Sequence[str], zone: str, since_ms: int) -> Spans:
    """When clocks stand still for them in a time zone, from a moment on: (from, until), UTC ms."""
    if not named:
        return []
    here = ZoneInfo(zone)
    first = datetime.fromtimestamp(since_ms / 1000, UTC).astimezone(here).date()
    last = date.fromordinal(first.toordinal() + AHEAD_DAYS)
    free = {day for one in named for year in range(first.year, last.year + 1) for day in _days(one, year)}
    return [
        (_midnight(day, here), _midnight(date.fromordinal(day.toordinal() + 1), here))
        for day in sorted(free)
        if first <= day <= last
    ]


def coming(off: Iterable[tuple[int, int]], now_ms: int, days: int = 60) -> list[int]:
    """When those of the next days begin, UTC ms."""
    return [start for start, end in off if end > now_ms and start < now_ms + days * DAY_MS]


def _midnight(day: date, zone: ZoneInfo) -> int:
    return int(datetime(day.year, day.month, day.day, tzinfo=zone).timestamp() * 1000)


@lru_cache(maxsize=1)
def _known() -> dict[str, dict[str, str]]:
    """Every country, with its parts: in capitals -> as the library spells them."""
    import holidays  # most of a second that only those wait for who name a country

    every = holidays.list_supported_countries(include_aliases=False)
    return {country: {part.upper(): part for part in parts} for country, parts in every.items()}


@lru_cache(maxsize=256)
def _days(place: str, year: int) -> tuple[date, ...]:
    import holidays

    country, _, part = place.partition("-")
    spelt = _known()[country][part] if part else None
    return tuple(holidays.country_holidays(country, subdiv=spelt, years=year))
