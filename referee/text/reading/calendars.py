"""`calendar`, `calendar new`, `calendar mail`, `calendar off`: one's deadlines as a calendar shows them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..folding import clean, fold
from .terms import NotUnderstood, Reading

ACTS = ("new", "mail", "off")


def read_calendar(rest: str, reading: Reading) -> Mapping[str, Any] | NotUnderstood:
    """act: what is to be done, "" for nothing but telling."""
    word = rest.strip()
    if not word:
        return {"act": ""}
    act = next((act for act in ACTS if fold(word) in map(fold, reading.lexicon.words(act, "calendar"))), "")
    return (
        {"act": act}
        if act
        else NotUnderstood(
            "unknown-word", facts={"word": clean(word, 40), "place": "calendar", "expected": ACTS}
        )
    )
