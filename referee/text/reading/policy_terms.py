"""The words that a policy is made of, one by one: times, hours of the day, days of the week, shares.

24h  2 days  1h 30m   a length         19:00  7pm  22      an hour of the day
Mo-Fr  Mo, We  Sa     days             22-07  22:30-7am    quiet hours        50%  a share
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from ..folding import fold
from ..lexicon import Lexicon, lexicon
from ..meter import unmetered
from .terms import Reading

_TIME = re.compile(r"^([0-9]{1,5}(?:\.[0-9]{1,3})?)([^\W\d_]+)$")
_DECIMAL = re.compile(r"(?<![\d.,])(\d{1,3}),(\d)(?=\s?([^\W\d_]+))")
_UNITS = ("setup.minutes", "setup.hours", "setup.days", "setup.weeks")
_NUMBER = re.compile(r"^[0-9]{1,5}(?:\.[0-9]{1,3})?$")
_HOUR = re.compile(r"^([0-9]{1,2})(?:[:.h]([0-9]{2}))?h?(am|pm)?$")
_SHARE = re.compile(r"^([0-9]{1,3})%$")
_DASHES = re.compile("[-\u2010-\u2015]")
WEEK = ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su")


@lru_cache(maxsize=16)
@unmetered
def _meanings(language: str, own: tuple[Any, ...]) -> Mapping[str, frozenset[str]]:
    """Every word about time, folded and without blanks -> the keys that it stands for.

    The English ones, in which policies are printed, are read in every language, unless it has the word for
    something else.
    """
    found = _own_meanings(lexicon("en"))
    return found if language == "en" and not own else {**found, **_own_meanings(lexicon(language, own))}


def _own_meanings(lex: Lexicon) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for table, marks in (("policy", ""), ("setup", "setup.")):
        for key in lex.table(table):
            for word in lex.words(key, table) if key not in ("weekday", "numbers") else ():
                found.setdefault(fold(word).replace(" ", ""), set()).add(marks + key)
    for day, words in lex.table("policy").get("weekday", {}).items():
        for word in (day, *words):
            found.setdefault(fold(word), set()).add(f"weekday.{day}")
    return {word: frozenset(keys) for word, keys in found.items()}


def said(reading: Reading, word: str, *keys: str) -> bool:
    """Whether a word is one of the lexicon's for one of those keys."""
    return not _keys(reading, word).isdisjoint(keys)


def _keys(reading: Reading, word: str) -> frozenset[str]:
    return _meanings(reading.language, tuple(reading.own)).get(fold(word).replace(" ", ""), frozenset())


def with_points(reading: Reading, text: str) -> str:
    """The text with a point where a length has a decimal comma ("2,5 days"); other commas part things."""

    def pointed(found: re.Match[str]) -> str:
        timed = said(reading, found[3], *_UNITS)
        return f"{found[1]}.{found[2]}" if timed else f"{found[1]},{found[2]}"

    return _DECIMAL.sub(pointed, text)


def time_at(reading: Reading, words: Sequence[str]) -> tuple[float, int]:
    """The hours of the length that stands here ("24h", "2 days", "30h 10m"), and how many words it takes (0:
    none does).
    """
    hours, unit, used = _length(reading, words)
    if used:
        more, smaller, further = _length(reading, words[used:])
        if further and smaller < unit:
            return hours + more, used + further
    return hours, used


def _length(reading: Reading, words: Sequence[str]) -> tuple[float, float, int]:
    """One number with its unit: the hours of both, of the unit alone, and how many words they are."""
    if not words:
        return 0, 0, 0
    joined = _TIME.match(words[0])
    number, unit, used = (
        (joined[1], joined[2], 1) if joined else (words[0], words[1] if len(words) > 1 else "", 2)
    )
    if not _NUMBER.match(number):
        return 0, 0, 0
    for key, hours in (("minutes", 1 / 60), ("hours", 1.0), ("days", 24.0), ("weeks", 168.0)):
        if said(reading, unit, f"setup.{key}"):
            return float(number) * hours, hours, used
    return 0, 0, 0


def hour_of(word: str) -> float | None:
    """An hour of the day as hours since midnight; minutes over 59 are none.  Whether a day has such an hour
    ("25:00") is for the caller to look at.
    """
    found = _HOUR.match(word.casefold())
    if not found:
        return None
    hour, minute, half = int(found[1]), int(found[2] or 0), found[3]
    if half:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half == "pm" else 0)
    return hour + minute / 60 if minute < 60 else None


def hours_of(word: str) -> tuple[float, float] | None:
    """From one hour of the day to another: "22-07", "6-10pm"."""
    ends = _DASHES.split(word)
    if len(ends) != 2:
        return None
    start, end = hour_of(ends[0]), hour_of(ends[1])
    if start is None or end is None:
        return None
    halves = [one.casefold().endswith(("am", "pm")) for one in ends]
    if halves[0] != halves[1]:
        start, end = _halved(start, end, bare=halves.index(False))
    return start, end


def with_dashes(reading: Reading, words: Sequence[str]) -> list[str]:
    """The words, with hours that are said in words as one: "from 18 to 22", "das 18h às 22h" as "18-22"."""
    begins, ends = (set(map(fold, reading.lexicon.words(key, "hours"))) for key in ("from", "to"))
    out: list[str] = []
    place = 0
    while place < len(words):
        first = place + (fold(words[place]) in begins)
        both = words[first : first + 3]
        if len(both) == 3 and fold(both[1]) in ends and None not in (hour_of(both[0]), hour_of(both[2])):
            out.append(f"{both[0]}-{both[2]}")
            place = first + 3
        else:
            out.append(words[place])
            place += 1
    return out


def _halved(start: float, end: float, bare: int) -> tuple[float, float]:
    """Only one end has "am" or "pm": the other (`bare`, by its place) lies within the twelve hours before or
    behind it, as people mean "6-10pm", "10-7am" and "10pm-7".  What no clock of twelve hours shows is taken
    as it is.
    """
    if not 1 <= (start, end)[bare] < 13:
        return start, end
    apart = (end - start) % 12 or 12
    return ((end - apart) % 24, end) if bare == 0 else (start, (start + apart) % 24)


def share_of(word: str) -> float | None:
    """A share in percent."""
    found = _SHARE.match(word)
    return int(found[1]) / 100 if found else None


def day_of(reading: Reading, word: str) -> int | None:
    """The number of a day of the week."""
    keys = _keys(reading, word)
    return next((number for number, key in enumerate(WEEK) if f"weekday.{key}" in keys), None)


def days_of(reading: Reading, word: str) -> tuple[int, ...]:
    """The days that one word names: "Sa", "Mo-Fr", "Fr-Mo", "segunda-feira"; () for none."""
    one = day_of(reading, word)
    parts = _DASHES.split(word, maxsplit=2) if one is None else [word]
    if len(parts) > 2:
        return ()
    ends = [day_of(reading, part) for part in parts]
    if len(ends) == 1:
        return () if ends[0] is None else (ends[0],)
    first, last = ends[0], ends[-1]
    if first is None or last is None:
        return ()
    return tuple((first + n) % 7 for n in range((last - first) % 7 + 1))
