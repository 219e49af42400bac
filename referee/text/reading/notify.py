"""What people say about the letters that they get: `notify turns`, `notify digest 08:00 only`, `unsubscribe
all`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ..folding import clean, fold
from .policy_terms import hour_of
from .terms import NotUnderstood, Reading

Args = Mapping[str, Any]
LEVELS = ("all", "turns", "urgent", "off", "usual")
_GAME = re.compile(r"#\s?(\d{1,9})\b")


def read_notify(rest: str, reading: Reading) -> Args | NotUnderstood:
    """level: one of `LEVELS`, "" where none was said; digest: the minute of the day at which the daily letter
    goes, -1 for none any more, None where nothing was said of it; game: the number of one game. Nothing said
    at all: both are to be shown.
    """
    number = _GAME.search(rest)
    words = [
        word
        for word in re.split(r"[\s,]+", _GAME.sub(" ", rest))
        if word and not _is(reading, word, "little")
    ]
    level, digest, only = "", None, False
    while words:
        word = words.pop(0)
        if _is(reading, word, "digest"):
            if digest is not None:
                return _twice(word)
            if not words:
                return NotUnderstood(
                    "missing",
                    facts={
                        "command": "notify",
                        "usage": reading.lexicon.entry("commands", "notify").get("daily", "notify"),
                    },
                )
            found = _hour(words.pop(0), reading)
            if isinstance(found, NotUnderstood):
                return found
            digest = found
        elif _is(reading, word, "only") and digest is not None and digest >= 0:
            only = True
        else:
            found_level = next((one for one in LEVELS if _is(reading, word, one)), "")
            if not found_level:
                return _unknown(word, (*LEVELS[:-1], "digest 08:00"))
            if level not in ("", found_level):
                return _twice(word)
            level = found_level
    if only and level not in ("", "urgent"):
        return _twice("only")
    said: dict[str, Any] = {"level": "urgent" if only else level, "digest": digest}
    return said | ({"game": int(number[1])} if number else {})


def read_whole(command: str, rest: str, reading: Reading) -> Args | NotUnderstood:
    """`unsubscribe`, `unsubscribe #17`, `unsubscribe all`.  everything: all games were said."""
    number = _GAME.fullmatch(rest.strip())
    if number:
        return {"game": int(number[1]), "everything": False}
    if rest and not _is(reading, rest, "all"):
        return NotUnderstood(
            "unknown-word", facts={"word": clean(rest, 40), "place": command, "expected": ("#17", "all")}
        )
    return {"everything": bool(rest)}


def _hour(word: str, reading: Reading) -> int | NotUnderstood:
    if _is(reading, word, "off"):
        return -1
    hour = hour_of(word)
    if hour is None:
        return _unknown(word, ("08:00", "off"))
    if hour >= 24:
        return NotUnderstood(
            "out-of-range",
            facts={"word": clean(word, 40), "place": "digest", "least": "0:00", "most": "23:59"},
        )
    return round(hour * 60)


def _unknown(word: str, expected: tuple[str, ...]) -> NotUnderstood:
    return NotUnderstood(
        "unknown-word", facts={"word": clean(word, 40), "place": "notify", "expected": expected}
    )


def _twice(word: str) -> NotUnderstood:
    return NotUnderstood("said-twice", facts={"word": clean(word, 40), "place": "notify"})


def _is(reading: Reading, word: str, key: str) -> bool:
    return fold(word).strip() in map(fold, reading.lexicon.words(key, "notify"))
