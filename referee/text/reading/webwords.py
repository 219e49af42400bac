"""`web`, `web #17`, `web off`: one's own pages in a browser."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ..folding import clean, fold
from .terms import NotUnderstood, Reading

_NUMBER = re.compile(r"^#?\s*g?(\d{1,9})$", re.IGNORECASE)


def read_web(rest: str, reading: Reading) -> Mapping[str, Any] | NotUnderstood:
    """act: "off", or "" for a link; game: the table that it leads to, where one was named."""
    word = rest.strip()
    number = _NUMBER.match(word)
    if number:
        return {"act": "", "game": int(number.group(1))}
    if not word or fold(word) in map(fold, reading.lexicon.words("off", "web")):
        return {"act": "off" if word else ""}
    return NotUnderstood(
        "unknown-word", facts={"word": clean(word, 40), "place": "web", "expected": ("off", "#17")}
    )
