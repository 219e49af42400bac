"""`page`, `page #17`, `page private #17`, `page public #17`: a table's page on the web, and for whom it
is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ..folding import clean, fold
from .terms import NotUnderstood, Reading

ACTS = ("public", "private")
_GAME = re.compile(r"(?:^| )#? ?g?(\d{1,9})$", re.IGNORECASE)


def read_page(rest: str, reading: Reading) -> Mapping[str, Any] | NotUnderstood:
    """act: one of `ACTS`, "" for its address; game, where one was named."""
    rest = " ".join(rest.split())
    number = _GAME.search(rest)
    word = (rest if number is None else rest[: number.start()]).strip()
    game = {} if number is None else {"game": int(number[1])}
    act = next((act for act in ACTS if fold(word) in map(fold, reading.lexicon.words(act, "page"))), "")
    if word and not act:
        return NotUnderstood(
            "unknown-word", facts={"word": clean(word, 40), "place": "page", "expected": ACTS}
        )
    return {"act": act, **game}
