"""`language pt-br`: which language somebody means.

A language is called as its own lexicon says (its name, and `called`), or by its code with what a country's
name may add ("pt", "pt-br", "pt_PT").
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ..folders import languages, nearest
from ..folding import clean, squash
from ..lexicon import lexicon
from .terms import NotUnderstood, Reading

_CODE = re.compile(r"[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*")


def read_language(rest: str, reading: Reading) -> Mapping[str, Any] | NotUnderstood:
    """{"tongue": a language that there is, "" where none was named}."""
    typed = squash(rest.replace("_", " "))
    if not typed:
        return {"tongue": ""}
    own = tuple(reading.own)
    known = languages(own)
    for code in known:
        said = lexicon(code, own).table("language")
        if typed in {
            squash(name.replace("_", " "))
            for name in (code, str(said.get("name", code)), *said.get("called", ()))
        }:
            return {"tongue": code}
    if _CODE.fullmatch(rest.strip()):
        near = nearest(rest.strip(), known)
        if near.split("_")[0].lower() == re.split("[-_]", rest.strip())[0].lower():
            return {"tongue": near}
    return NotUnderstood("no-such-language", facts={"word": clean(rest, 40), "known": named(known, own)})


def named(known: Sequence[str], own: tuple[Any, ...]) -> tuple[str, ...]:
    """Languages as they call themselves, each with what may be typed for it: "Português (Brasil): pt-br"."""
    return tuple(
        f"{lexicon(code, own).table('language').get('name', code)}: {code.replace('_', '-').lower()}"
        for code in known
    )
