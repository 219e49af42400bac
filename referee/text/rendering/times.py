"""Moments and lengths of time as the reader's language and zone have them (Babel)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from babel import Locale
from babel.dates import format_datetime, format_timedelta
from babel.numbers import format_decimal, get_decimal_symbol
from babel.units import format_unit

from ..lexicon import Lexicon, lexicon
from ..meter import unmetered

_DAY = 24 * 60
#: the days of the week as policies print them
WEEK = ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su")


@lru_cache(maxsize=64)
@unmetered
def locale(language: str) -> Locale:
    """Babel's locale for one of our languages ("en", "pt_BR"), with what Babel knows of it (else read when
    it is first asked).
    """
    found = Locale.parse(language)
    found.plural_form(1)
    return found


@lru_cache(maxsize=256)
def zone_of(zone: str) -> ZoneInfo:
    """An IANA zone; UTC for one that this machine does not know."""
    try:
        return ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return ZoneInfo("UTC")


@lru_cache(maxsize=1024)
def plural(number: int, language: str) -> str:
    """The plural form of a number: "one", "few", "many", "other" …"""
    return str(locale(language).plural_form(number))


def iso(ms: int) -> str:
    """A moment as programs read it: "2026-11-21T06:00Z"."""
    return datetime.fromtimestamp(ms / 1000, UTC).strftime("%Y-%m-%dT%H:%MZ")


def city(zone: str, language: str = "en") -> str:
    """The short name of a zone: "Lisbon" of "Europe/Lisbon", "Lisboa" where the language calls it
    otherwise.
    """
    plain = zone.rsplit("/", 1)[-1].replace("_", " ")
    return str(locale(language).time_zones.get(zone, {}).get("city", plain)) if language != "en" else plain


@lru_cache(maxsize=64)
def weekdays(days: str, language: str) -> str:
    """Days as policies print them ("Mo-Fr,Su"), as the language writes them short: "seg–sex, dom"."""
    names = locale(language).days["format"]["abbreviated"]
    for number, code in enumerate(WEEK):
        days = days.replace(code, "{" + str(number) + "}")
    return (
        days.replace("-", "–")
        .replace(",", ", ")
        .format(*(str(names[number]).rstrip(".") for number in range(len(WEEK))))
    )


@lru_cache(maxsize=16)
def decimal_sign(language: str) -> str:
    """What stands between units and tenths: "." or ","."""
    return get_decimal_symbol(locale(language))


@lru_cache(maxsize=512)
def when(ms: int, zone: str, language: str, pattern: str) -> str:
    """A moment (UTC milliseconds) in the reader's zone."""
    moment = datetime.fromtimestamp(ms / 1000, UTC).astimezone(zone_of(zone))
    return format_datetime(moment, pattern, locale=locale(language))


@lru_cache(maxsize=512)
def left(ms: int, language: str) -> str:
    """The time until something: "in 23 hours", "in 90 minutes"; minutes below two hours, days from two
    days.
    """
    seconds = max(60, ms // 1000)
    return format_timedelta(
        timedelta(seconds=seconds),
        granularity="minute",
        threshold=2,
        add_direction=True,
        locale=locale(language),
    )


@lru_cache(maxsize=128)
def span(hours: float, language: str, lex: Lexicon | None = None) -> str:
    """A length given in hours, short: "24h", "3 days", "30m"; `lex`: whose own patterns go before, the
    shipped ones where none is given.
    """
    forms = (lexicon(language) if lex is None else lex).table("formats").get("span", {})
    minutes = round(hours * 60)
    if minutes >= 2 * _DAY and minutes % _DAY == 0:
        return _counted(minutes // _DAY, "day", "long", language, forms)
    if minutes < 120 and minutes % 60:
        return _counted(minutes, "minute", "narrow", language, forms)
    return _counted(round(minutes / 60, 1), "hour", "narrow", language, forms)


def _counted(
    number: float,
    unit: str,
    length: Literal["long", "narrow"],
    language: str,
    forms: Mapping[str, Mapping[str, str]],
) -> str:
    whole = int(number) if number == int(number) else number
    if unit in forms:
        form, own = locale(language).plural_form(whole), forms[unit]
        return str(own.get(form, own["other"])).replace("{}", format_decimal(whole, locale=locale(language)))
    return format_unit(whole, f"duration-{unit}", length=length, locale=locale(language))
