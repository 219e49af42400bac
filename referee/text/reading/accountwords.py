"""`link`, `link CODE`, `link yes WORD`, `unlink mail`, `delete my account`: words about one's own account."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ..folding import clean, fold
from .acts import meant
from .naming import register
from .terms import NotUnderstood, Reading

_CODE = re.compile(r"^[A-Za-z0-9_-]{4,64}$")
_WORD = re.compile(r"^[A-Za-z0-9]{4,12}$")


def read_link(rest: str, reading: Reading) -> Mapping[str, Any] | NotUnderstood:
    """code: what was sent from another address, "" for a new one; answer: yes or no to the question whether
    two accounts are one person, with the word that names the question ("": that of the letter).
    """
    first, _, word = rest.strip().partition(" ")
    said = meant(first, reading) if first else None
    if said is not None and (not word or _WORD.match(word.strip())):
        return {"code": "", "answer": "yes" if said else "no", "word": word.strip().upper()}
    code = re.sub(r"[\s-]", "", rest)
    if not code:
        return {"code": ""}
    if _CODE.match(code):
        return {"code": code}
    return NotUnderstood(
        "unknown-word", facts={"word": clean(rest, 40), "place": "link", "expected": ("ABCD-EFGH",)}
    )


def read_unlink(rest: str, reading: Reading) -> Mapping[str, Any] | NotUnderstood:
    """address: as it was typed, a channel by our own name for it; "" for the last join."""
    said = clean(rest, 120).strip()
    hits = register(reading.language, "channels", (), reading.own).look_up(fold(said).split()) if said else []
    return {"address": str(hits[0].value) if len(hits) == 1 else said}


def read_delete(rest: str, reading: Reading) -> Mapping[str, Any] | NotUnderstood:
    """word: what confirms it, "" where it is asked for."""
    word = rest.strip()
    if not word or _WORD.match(word):
        return {"word": word.upper()}
    return NotUnderstood(
        "unknown-word",
        facts={"word": clean(rest, 40), "place": "delete my account", "expected": ("ABCDEF",)},
    )
