"""`pictures off`: whether letters show the table, and on which ground."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..folding import clean, squash
from .terms import NotUnderstood, Reading

#: what may be said, in English and in the lexicon's own words
WISHES = ("on", "dark", "off")
_ENGLISH = {
    "on": ("on", "yes", "light", "bright"),
    "dark": ("dark", "night"),
    "off": ("off", "no", "none", "never"),
}


def read_pictures(rest: str, reading: Reading) -> Mapping[str, Any] | NotUnderstood:
    """{"pictures": on | dark | off, "" where nothing was said}."""
    typed = squash(rest)
    if not typed:
        return {"pictures": ""}
    for intent in WISHES:
        if typed in {
            squash(word) for word in (*_ENGLISH[intent], *reading.lexicon.words(intent, "pictures"))
        }:
            return {"pictures": intent}
    return NotUnderstood("pictures-how", facts={"word": clean(rest, 40)})
