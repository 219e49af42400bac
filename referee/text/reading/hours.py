"""`hours`, `hours Sat 18-22, Sun 10-12`, `hours agree Sat 19:00`, `hours off`: when one can sit down live.

Days and hours are those of the person who writes; they become moments where their zone is known.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ..folding import clean, fold
from .dates import month_of
from .policy_terms import day_of, days_of, hour_of, hours_of, with_dashes
from .terms import NotUnderstood, Reading

#: the most pieces between commas, and the most windows that come of them
PIECES, WINDOWS = 12, 24
#: the last hour that a day has, its end
DAY = 24
_GAME = re.compile(r"(?:^|\s)#(\d{1,9})(?=\s|$)")
_DASH = re.compile(r"\s?[\u2010-\u2015-]\s?")
_UTC = re.compile(r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}Z$")
_ISO = re.compile(r"^(\d{4})-(\d{1,2})-(\d{1,2})$")
_DAY = re.compile(r"^(\d{1,2})(?:st|nd|rd|th|º|\.)?$")


def read_hours(rest: str, reading: Reading) -> Mapping[str, Any] | NotUnderstood:
    """act: show, off, say (`windows`: each a day with `start` and `end`, minutes after its midnight) or agree
    (`window` with its start, or `utc`: a moment as our buttons have it).

    A day is {"weekday": 0-6}, {"ahead": 0 or 1} or {"date": [year or 0, month, day]}.
    """
    number = _GAME.search(rest)
    game = {"game": int(number[1])} if number else {}
    words = _GAME.sub(" ", rest).replace(";", ",").replace(",", " , ").split()
    for key, act in (("off", "off"), ("agree", "agree"), ("can", "say")):
        if words and _is(reading, words[0], key):
            if act == "off" and len(words) == 1:
                return {"act": "off", **game}
            if act == "agree":
                found = _agreed(words[1:], reading)
                return found if isinstance(found, NotUnderstood) else {"act": "agree", **found, **game}
            words = words[1:] if act == "say" else words
    if not words:
        return {"act": "show", **game}
    windows = _windows(words, reading)
    return windows if isinstance(windows, NotUnderstood) else {"act": "say", "windows": windows, **game}


def asks_for_something(typed: Sequence[str], rest: Sequence[str], reading: Reading) -> bool:
    """Whether it is no "can Sat 18-22" but "can you help", "can I undo": no day and no hour comes soon."""
    if not rest or not _is(reading, " ".join(typed), "can"):
        return False
    return not any(
        word.strip(",")[:1].isdecimal() or _days([word.strip(","), "1"], reading)[1] for word in rest[:3]
    )


def _is(reading: Reading, word: str, key: str) -> bool:
    return fold(word) in map(fold, reading.lexicon.words(key, "hours"))


def _agreed(words: Sequence[str], reading: Reading) -> Mapping[str, Any] | NotUnderstood:
    """One hour: a day and when it begins."""
    if len(words) == 1 and _UTC.match(words[0]):
        return {"utc": words[0]}
    days, used = _days(words, reading)
    hour = hour_of(words[used]) if len(words) == used + 1 else None
    if len(days) != 1 or hour is None or hour > DAY:
        day = _example(reading).split()[0]
        agree = reading.lexicon.words("agree", "hours")[0 if reading.language == "en" else 1]
        return _strange(" ".join(words), f"{agree} {day} 19:00")
    return {"window": {**days[0], "start": round(hour * 60)}}


def _windows(words: Sequence[str], reading: Reading) -> list[dict[str, Any]] | NotUnderstood:
    pieces = [piece.split() for piece in _DASH.sub("-", " ".join(words)).split(",")]
    pieces = [piece for piece in pieces if piece]
    if len(pieces) > PIECES:
        return NotUnderstood(
            "out-of-range",
            facts={"word": str(len(pieces)), "place": "hours", "least": 1, "most": PIECES},
        )
    found: list[dict[str, Any]] = []
    days: list[dict[str, Any]] = []
    for piece in pieces:
        piece = with_dashes(reading, piece)
        said, used = _days(piece, reading)
        days = said or days
        span = _span(piece[used]) if len(piece) == used + 1 else None
        if not days and span is not None and len(piece) == 1:
            return _strange(piece[0], f"{_example(reading).split()[0]} {piece[0]}")  # only the day is missing
        if not days or span is None:
            return _strange(" ".join(piece), _example(reading))
        found += [{**day, "start": span[0], "end": span[1]} for day in days]
    return found[:WINDOWS]


def _example(reading: Reading) -> str:
    """Hours as they may be said: those with which the command is explained."""
    usage = str(reading.lexicon.entry("commands", "hours")["usage"])
    return usage.removeprefix(reading.lexicon.name("commands", "hours")).strip()


def _span(word: str) -> tuple[int, int] | None:
    """Minutes after midnight; what ends before it begins ends on the next day."""
    found = hours_of(word)
    if found is None or found[0] > DAY or found[1] > DAY:
        return None
    start, last = found
    return round(start * 60), round((last if last > start else last + 24) * 60)


def _days(words: Sequence[str], reading: Reading) -> tuple[list[dict[str, Any]], int]:
    """The days that stand in front, and how many words they take (0: none do)."""
    if not words:
        return [], 0
    for ahead, key in enumerate(("today", "tomorrow")):
        if fold(words[0]) in map(fold, reading.lexicon.words(key, "dates")):
            return [{"ahead": ahead}], 1
    if day_of(reading, words[0]) is not None or "-" in words[0]:
        several = days_of(reading, words[0])
        if several:
            return [{"weekday": one} for one in several], 1
    iso = _ISO.match(words[0])
    if iso:
        return [{"date": [int(iso[1]), int(iso[2]), int(iso[3])]}], 1
    if len(words) > 1:
        for name, number in ((words[0], words[1]), (words[1], words[0])):
            month, day = month_of(reading.language, name), _DAY.match(number)
            if month and day:
                return [{"date": [0, month, int(day[1])]}], 2
    return [], 0


def _strange(said: str, expected: str) -> NotUnderstood:
    return NotUnderstood(
        "unknown-word", facts={"word": clean(said, 40), "place": "hours", "expected": (expected,)}
    )
