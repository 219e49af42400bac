"""`hints off`, `hints on`, `hints`: whether somebody wants things explained; `learn`, `learn new`: the first
game.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..folding import clean, fold
from .terms import NotUnderstood, Reading

WISHED = ("on", "off")


def read_hints(rest: str, reading: Reading) -> Mapping[str, Any] | NotUnderstood:
    """hints: one of `WISHED`, "" where it was only asked."""
    found = next(
        (one for one in WISHED if fold(rest).strip() in map(fold, reading.lexicon.words(one, "hints"))), ""
    )
    if rest.strip() and not found:
        return NotUnderstood(
            "unknown-word", facts={"word": clean(rest, 40), "place": "hints", "expected": WISHED}
        )
    return {"hints": found}


def read_learn(rest: str, reading: Reading) -> Mapping[str, Any] | NotUnderstood:
    """`learn`, `learn new`: whether one that is on is given up for another."""
    anew = fold(rest).strip() in map(fold, reading.lexicon.words("anew", "learn"))
    if rest.strip() and not anew:
        return NotUnderstood(
            "unknown-word", facts={"word": clean(rest, 40), "place": "learn", "expected": ("learn new",)}
        )
    return {"anew": anew}


def read_skip(rest: str, reading: Reading) -> Mapping[str, Any] | NotUnderstood:
    """`skip lessons`: the same as `hints off`."""
    if rest.strip():
        return NotUnderstood(
            "unknown-word", facts={"word": clean(rest, 40), "place": "hints", "expected": ("hints off",)}
        )
    return {"hints": "off"}
