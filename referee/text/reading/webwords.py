"""`web`, `web #17`, `web sessions`, `web off`, `web off 2`: one's own pages in a browser."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ..folding import clean, fold
from .terms import NotUnderstood, Reading

_NUMBER = re.compile(r"^#?\s*g?(\d{1,9})$", re.IGNORECASE)
#: words, and the number of a browser after them
_ONE = re.compile(r"^(?P<words>.{1,40}?) (?P<number>[1-9]\d{0,2})$")


def read_web(rest: str, reading: Reading) -> Mapping[str, Any] | NotUnderstood:
    """act: "off", "sessions", or "" for a link; game: the table that it leads to, where one was named;
    number: the browser to be signed out of, where one was.
    """
    word = rest.strip()
    number = _NUMBER.match(word)
    if number:
        return {"act": "", "game": int(number.group(1))}
    one = _ONE.match(word)
    if one and _means(one["words"], "off", reading):
        return {"act": "off", "number": int(one["number"])}
    act = next((act for act in ("off", "sessions") if _means(word, act, reading)), "")
    if act or not word:
        return {"act": act}
    return NotUnderstood(
        "unknown-word",
        facts={"word": clean(word, 40), "place": "web", "expected": ("off", "sessions", "#17")},
    )


def _means(said: str, act: str, reading: Reading) -> bool:
    return fold(said) in map(fold, reading.lexicon.words(act, "web"))
