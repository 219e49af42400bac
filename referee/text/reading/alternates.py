"""`alternate`, `alternate #17`, `alternate off`, `alternate no #17`: who would take over seats."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..folding import clean, fold
from .terms import NotUnderstood, Reading

#: what may be said, and the words of the table [alternate] that say it
_SAID = ("off", "no", "on")


def read_alternate(rest: str, reading: Reading) -> Mapping[str, Any] | NotUnderstood:
    """say: on, off or no; perhaps the number of a game."""
    words = rest.replace(",", " ").split()
    game = [word for word in words if word[:1] == "#" and word[1:].isdecimal() and len(word) < 11]
    others = [word for word in words if word not in game and fold(word) not in _spellings(reading, "little")]
    found = [key for word in others for key in _SAID if fold(word) in _spellings(reading, key)]
    if len(game) > 1 or len(others) > 1 or len(found) != len(others):
        wrong = next(
            (word for word in others if not any(fold(word) in _spellings(reading, key) for key in _SAID)),
            (others or game)[-1],
        )
        return NotUnderstood(
            "unknown-word",
            facts={
                "word": clean(wrong, 40),
                "place": "alternate",
                "expected": ("alternate #17", "alternate off", "alternate no #17"),
            },
        )
    return {"say": found[0] if found else "on", **({"game": int(game[0][1:])} if game else {})}


def _spellings(reading: Reading, key: str) -> set[str]:
    return {fold(word) for word in (key, *reading.lexicon.table("alternate").get(key, ()))}
