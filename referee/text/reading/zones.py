"""`zone Lisbon`: which time zone somebody means, by its name in the tz database or by its city.

An offset ("GMT-3", "UTC+1") names no zone, and it does not know when clocks change: cities that have it are
offered.  The tz database has zones that are called so, with the sign the other way round.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from difflib import get_close_matches
from functools import cache, lru_cache
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from babel import Locale

from referee.policy import known_zone

from ..folding import clean, squash
from ..meter import unmetered
from .terms import NotUnderstood, Reading, missing

_OFFSET = re.compile(r"^(?:utc|gmt)?\s*([+\-\u2010-\u2015\u2212])\s*(\d\d?)(?::?([0-5]\d))?$", re.IGNORECASE)
#: what is offered for an offset, the likeliest first where several cities have it
_CITIES = (
    "America/Sao_Paulo", "America/Argentina/Buenos_Aires", "America/New_York", "America/Bogota",
    "America/Manaus", "America/Chicago", "America/Mexico_City", "America/Denver", "America/Los_Angeles",
    "America/Anchorage", "Pacific/Honolulu", "America/Halifax", "America/St_Johns", "America/Noronha",
    "Atlantic/Azores", "Europe/Berlin", "Europe/Lisbon", "Europe/London", "Europe/Athens",
    "Africa/Johannesburg", "Africa/Lagos", "Europe/Istanbul", "Europe/Moscow", "Asia/Tehran", "Asia/Dubai",
    "Asia/Karachi", "Asia/Kolkata", "Asia/Kathmandu", "Asia/Dhaka", "Asia/Bangkok", "Asia/Jakarta",
    "Asia/Shanghai", "Asia/Singapore", "Asia/Tokyo", "Asia/Seoul", "Australia/Adelaide", "Australia/Sydney",
    "Pacific/Auckland",
)  # fmt: skip
#: one of them is in winter, wherever a city lies
_DAYS = (datetime(2026, 1, 15, tzinfo=UTC), datetime(2026, 7, 15, tzinfo=UTC))


@cache
@unmetered
def _zones() -> dict[str, str]:
    """Every zone by its squashed name, and by its city where only one zone has that city."""
    every = sorted(z for z in available_timezones() if z not in ("localtime", "posixrules", "Factory"))
    cities: dict[str, list[str]] = {}
    for zone in every:
        cities.setdefault(squash(zone.rsplit("/", 1)[-1].replace("_", " ")), []).append(zone)
    out = {city: zones[0] for city, zones in cities.items() if len(zones) == 1}
    return out | {squash(zone.replace("_", " ")): zone for zone in every}


@lru_cache(maxsize=16)
@unmetered
def _named(language: str) -> Mapping[str, str]:
    """Zones as that language calls their cities in letters ("Lisboa"), where only one is called so."""
    every = _zones()
    cities: dict[str, list[str]] = {}
    for zone, names in Locale.parse(language).time_zones.items():
        if "city" in names and squash(zone.replace("_", " ")) in every:
            cities.setdefault(squash(names["city"]), []).append(zone)
    return every | {city: zones[0] for city, zones in cities.items() if len(zones) == 1 and city not in every}


def read_zone(rest: str, reading: Reading) -> Mapping[str, Any] | NotUnderstood:
    """{"zone": its name in the tz database, "text": the same}."""
    if not rest:
        return missing("zone", reading)
    if (offset := _OFFSET.match(rest.strip())) and (int(offset[2]) or int(offset[3] or 0)):
        return _unknown(rest, _with_offset(offset[1] == "+", int(offset[2]), int(offset[3] or 0)))
    key = squash(rest.replace("_", " "))
    zones = _named(reading.language)
    if key in zones:
        return {"zone": zones[key], "text": zones[key]}
    near = tuple(dict.fromkeys(zones[k] for k in get_close_matches(key[:60], zones, 3, 0.6)))
    return _unknown(rest, near)


def _unknown(said: str, near: tuple[str, ...]) -> NotUnderstood:
    return NotUnderstood("no-such-zone", facts={"word": clean(said, 40), "near": near}, suggestions=near)


def _with_offset(east: bool, hours: int, minutes: int) -> tuple[str, ...]:
    """At most three cities with that offset: those that have it in winter first, then those in summer."""
    offset = timedelta(hours=hours, minutes=minutes) * (1 if east else -1)
    having: list[tuple[bool, str]] = []
    for city in filter(known_zone, _CITIES):
        offsets = [day.astimezone(ZoneInfo(city)).utcoffset() or timedelta() for day in _DAYS]
        if offset in offsets:
            having.append((offset != min(offsets), city))
    return tuple(city for _, city in sorted(having, key=lambda one: one[0])[:3])


def zone_at(reading: Reading, words: Sequence[str]) -> tuple[str | NotUnderstood, int]:
    """The time zone that stands here, in one to three words, and how many they are; else what is wrong."""
    if known_zone(words[0]):  # to the letter: some differ in a sign only
        return words[0], 1
    first: NotUnderstood | None = None
    for used in range(1, min(3, len(words)) + 1):
        found = read_zone(" ".join(words[:used]), reading)
        if not isinstance(found, NotUnderstood):
            return str(found["zone"]), used
        first = first or found
    assert first is not None
    return first, 0
