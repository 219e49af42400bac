"""`league pause until 7 Jan`, `league pause 10 days`, `league pause 24 Dec to 2 Jan because …`: from when and
until when a season pauses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ..folding import clean, fold
from .dates import LAST, when_at
from .league_line import Args, LeagueReading, LineToken, because, missing, moment, strange, unquoted
from .policy_terms import time_at
from .terms import NotUnderstood


def pause(words: Sequence[LineToken], line: str, asking: LeagueReading) -> Args | NotUnderstood:
    """from_ms: 0 for now; until_ms, or hours: for how long; why.  A day without an hour is meant whole."""
    words, why = because(words, line, asking)
    words = unquoted(words)
    said: dict[str, Any] = {"from_ms": 0, "until_ms": 0, "hours": 0.0, "why": why}
    plain = [one.text for one in words]
    if not plain:
        return missing("pause", asking)
    skip = int(fold(plain[0]) in map(fold, asking.reading.lexicon.words("in", "dates")))
    hours, used = time_at(asking.reading, plain[skip:])
    if used:
        rest = plain[skip + used :]
        return strange("pause", rest[0], asking) if rest else {**said, "hours": hours}
    if not _until(words[0], asking):
        skip = int(asking.is_(plain[0], "start"))
        begins = when_at(plain[skip:], asking.reading, asking.now_ms, asking.zone, 0)
        if not begins.used:
            return NotUnderstood("league-date", facts={"word": clean(" ".join(plain[:2]), 40)})
        words = words[skip + begins.used :]
        if not words or not _until(words[0], asking):
            return strange("pause", words[0].text, asking) if words else missing("pause", asking)
        if begins.at_ms > asking.now_ms:  # one that begins today has begun
            said["from_ms"] = begins.at_ms
            asking = replace(asking, now_ms=begins.at_ms)
    ends = moment(words[1:], asking, LAST)
    if isinstance(ends, NotUnderstood):
        return ends
    if ends.used != len(words) - 1:
        return strange("pause", words[1 + ends.used].text, asking)
    return {**said, "until_ms": ends.at_ms}


def _until(word: LineToken, asking: LeagueReading) -> bool:
    """Whether this word stands before the end."""
    return not word.quoted and (asking.is_(word.text, "until") or asking.is_(word.text, "to"))
