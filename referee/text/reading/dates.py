"""Days and moments as people type them: `2026-12-01`, `1 Dec 18:00`, `tomorrow`, `Sunday`, `in 10 days`.

They are read in the zone of the person who writes.  A day without a year is the next one of that name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import MAXYEAR, MINYEAR, UTC, date, datetime, timedelta
from functools import lru_cache
from typing import NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from babel import Locale
from babel.dates import get_month_names

from ..folding import fold
from ..lexicon import lexicon
from ..meter import unmetered
from .policy_terms import day_of, hour_of, time_at
from .terms import Reading

_ISO = re.compile(r"^(\d{4})-(\d{1,2})-(\d{1,2})(?:[Tt](\d{1,2}:\d{2}))?$")
_DOTTED = re.compile(r"^(\d{1,2})\.(\d{1,2})\.(\d{4}|\d\d)?$")
_SLASHED = re.compile(r"^(\d{1,2})/(\d{1,2})(?:/(\d{4}|\d\d))?$")
_NUMBER = re.compile(r"^(\d{1,2})(?:st|nd|rd|th|º|o|\.)?$")
_CLOCK = re.compile(r"^\d{1,2}[:.h]\d{2}$|^\d{1,2}(?:am|pm|h)$")
#: the hour of a day that is named without one: at its end, or in the morning
LAST, MORNING = 24 * 60 - 1, 9 * 60
_DAY = 24
#: "07/01/27" is a day of this century
_CENTURY = 2000
#: a higher number is a day in any country
_LAST_MONTH = 12


class ParsedMoment(NamedTuple):
    """A moment (UTC, milliseconds), how many words named it (0: none did), and whether they named a day
    without an hour.
    """

    at_ms: int = 0
    used: int = 0
    day: bool = False


def when_at(
    words: Sequence[str], reading: Reading, now_ms: int, zone: str, usual: int = LAST
) -> ParsedMoment:
    """The moment that stands at the beginning of these words.

    `usual`: the minute of the day where none is said.
    """
    here = _zone(zone)
    today = datetime.fromtimestamp(now_ms / 1000, UTC).astimezone(here)
    skip = 1 if words and _said(reading, words[0], "in") else 0
    skip += 1 if skip and len(words) > 1 and _said(reading, words[1], "of") else 0
    hours, used = time_at(reading, words[skip:])
    if used:
        return ParsedMoment(now_ms + round(hours * 3_600_000), skip + used)
    day, used, minute = _day(words, reading, today.date())
    if day is None:
        return ParsedMoment()
    whole = False
    if minute is None:
        rest = words[used:]
        skip = 1 if len(rest) > 1 and _said(reading, rest[0], "at") else 0
        hour = _hour(rest[skip]) if len(rest) > skip and _CLOCK.match(rest[skip].casefold()) else None
        whole = hour is None
        minute = usual if hour is None else round(hour * 60)
        used += 0 if hour is None else skip + 1
    moment = datetime(day.year, day.month, day.day, tzinfo=here) + timedelta(minutes=minute)
    return ParsedMoment(round(moment.timestamp() * 1000), used, whole)


def _day(words: Sequence[str], reading: Reading, today: date) -> tuple[date | None, int, int | None]:
    """The day, how many words it takes, and the minute of it where the word has one."""
    first = words[0].strip(",") if words else ""
    iso = _ISO.match(first)
    if iso:
        hour = _hour(iso[4]) if iso[4] else None
        known = hour is not None or not iso[4]
        that = _made(int(iso[1]), int(iso[2]), int(iso[3])) if known else None
        return that, 1, None if hour is None else round(hour * 60)
    dotted = _DOTTED.match(first)
    if dotted:
        return _next(today, int(dotted[2]), int(dotted[1]), _year(dotted[3])), 1, None
    slashed = _SLASHED.match(first)
    if slashed and (_day_first(reading.language) or int(slashed[1]) > _LAST_MONTH):
        return _next(today, int(slashed[2]), int(slashed[1]), _year(slashed[3])), 1, None
    for key, days in (("today", 0), ("tomorrow", 1), ("day after tomorrow", 2)):
        if used := _begun(reading, words, key):
            return today + timedelta(days=days), used, None
    weekday = day_of(reading, first)
    if weekday is not None:
        return today + timedelta(days=(weekday - today.weekday() - 1) % 7 + 1), 1, None
    second, used = _after(words, 1, reading)
    for month, number in ((first, second), (second, first)):
        found, day = month_of(reading.language, month), _NUMBER.match(number.strip(","))
        if found and day:
            third, further = _after(words, used, reading)
            year = int(third) if re.fullmatch(r"\d{4}", third) else 0
            return _next(today, found, int(day[1]), year), further if year else used, None
    return None, 0, None


def _year(digits: str | None) -> int:
    """The year that these digits name, 0 for none."""
    return 0 if not digits else int(digits) + (_CENTURY if len(digits) == 2 else 0)


def _begun(reading: Reading, words: Sequence[str], key: str) -> int:
    """How many words say what `key` names, 0 where they begin with something else."""
    said = (fold(one).split() for one in reading.lexicon.words(key, "dates"))
    return next((len(one) for one in said if [fold(w).strip(" ,") for w in words[: len(one)]] == one), 0)


def _hour(word: str) -> float | None:
    """An hour that a day has, its end among them."""
    hour = hour_of(word)
    return None if hour is None or hour > _DAY else hour


def _after(words: Sequence[str], place: int, reading: Reading) -> tuple[str, int]:
    """The next word of a date, one like "of" passed over, and the place after it; "" where there is none."""
    if place + 1 < len(words) and _said(reading, words[place], "of"):
        place += 1
    return (words[place], place + 1) if place < len(words) else ("", place)


@lru_cache(maxsize=16)
@unmetered
def _day_first(language: str) -> bool:
    """Whether "1/12" is a day of December; where the month comes first, such a date would be read wrong by
    half of the people.
    """
    return str(Locale.parse(language).date_formats["short"].pattern).startswith("d")


def _next(today: date, month: int, day: int, year: int) -> date | None:
    """That day of that year, or the next one; None for a day that there is not."""
    if year:
        return _made(year, month, day)
    this = _made(today.year, month, day)
    return this if this is not None and this >= today else _made(today.year + 1, month, day)


def _made(year: int, month: int, day: int) -> date | None:
    """That day; None where there is none, or where its hours lie beyond the calendar in some zone."""
    try:
        return date(year, month, day) if MINYEAR < year < MAXYEAR else None
    except ValueError:
        return None


@lru_cache(maxsize=16)
@unmetered
def _months(language: str) -> Mapping[str, int]:
    """The names of the months, whole and short, of a language and of English."""
    found = dict.fromkeys(map(fold, lexicon(language).words("september", "dates")), 9)
    for locale in ("en", language):
        for width in ("wide", "abbreviated"):
            found.update(
                {
                    fold(name).rstrip("."): number
                    for number, name in get_month_names(width, locale=Locale.parse(locale)).items()
                }
            )
    return found


def month_of(language: str, word: str) -> int:
    """The number of a month by its name; 0 for none."""
    return _months(language).get(fold(word).rstrip("."), 0)


def _zone(zone: str) -> ZoneInfo:
    try:
        return ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return ZoneInfo("UTC")


def _said(reading: Reading, word: str, key: str) -> bool:
    return fold(word) in map(fold, reading.lexicon.words(key, "dates"))
