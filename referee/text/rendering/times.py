"""Moments and lengths of time as the reader's language and zone have them (Babel)."""
from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from babel import Locale
from babel.dates import format_datetime, format_timedelta

_HOUR = 3600


@lru_cache(maxsize=64)
def locale(language: str) -> Locale:
    """Babel's locale for one of our languages ("en", "pt_BR")."""
    return Locale.parse(language)


@lru_cache(maxsize=256)
def zone_of(zone: str) -> ZoneInfo:
    """An IANA zone; UTC for one that this machine does not know."""
    try:
        return ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return ZoneInfo("UTC")


def city(zone: str) -> str:
    """The short name of a zone: "Lisbon" of "Europe/Lisbon"."""
    return zone.rsplit("/", 1)[-1].replace("_", " ")


def when(ms: int, zone: str, language: str, pattern: str) -> str:
    """A moment (UTC milliseconds) in the reader's zone."""
    moment = datetime.fromtimestamp(ms / 1000, UTC).astimezone(zone_of(zone))
    return format_datetime(moment, pattern, locale=locale(language))


def left(ms: int, language: str) -> str:
    """The time until something: "in 23 hours", "in 90 minutes"; minutes below two hours, days from two days."""
    seconds = max(60, ms // 1000)
    return format_timedelta(timedelta(seconds=seconds), threshold=2, add_direction=True, locale=locale(language))


def span(hours: float, language: str) -> str:
    """A length given in hours, short: "24 h", "3 days", "30 min"."""
    seconds = round(hours * _HOUR)
    if seconds >= 2 * 24 * _HOUR and seconds % (24 * _HOUR) == 0:
        return format_timedelta(timedelta(seconds=seconds), granularity="day", threshold=0, format="long",
                                locale=locale(language)) if seconds < 7 * 24 * _HOUR else _days(seconds, language)
    unit, size = ("minute", 60) if seconds < 2 * _HOUR and seconds % _HOUR else ("hour", _HOUR)
    return _counted(round(seconds / size), unit, language)


def _days(seconds: int, language: str) -> str:
    return _counted(seconds // (24 * _HOUR), "day", language, "long")


def _counted(number: int, unit: str, language: str, length: str = "short") -> str:
    from babel.units import format_unit

    return format_unit(number, f"duration-{unit}", length="short" if length == "short" else "long", locale=locale(language))
