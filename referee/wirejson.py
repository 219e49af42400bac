"""JSON that strangers had a hand in: read whatever stands in it, with numbers that other programs know, too,
and nothing too deep.

The standard library refuses a whole answer for one number of 5,000 digits, or for a list a thousand lists
deep; behind that one event or update all others of everybody would wait for ever.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any

#: deeper than this nothing is read that anybody means
DEPTH = 100
#: the largest integer that every JSON reader has
_MOST = 2**53
#: a string that never ends is taken to the end of the text: else each quotation mark in it would be tried as
#: another beginning
_TOKEN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)|[\[\]{}]', re.DOTALL)
_KEY = re.compile(r'\s*:\s*"([^"\\]{1,1000})"')


def loads(raw: bytes | str) -> Any:
    """What `raw` says; integers beyond 2**53 become 2**53, what is no number None, what lies too deep null.

    Raises ValueError for what is no JSON.
    """
    text = raw.decode("utf-8", "replace") if isinstance(raw, bytes) else raw
    try:
        return _read(text)
    except RecursionError:
        return _read(_shallow(text))


def member(raw: bytes, name: str) -> str:
    """The string that stands under that name in the outermost object, also where the rest can't be read; ""
    for none.
    """
    text, depth = raw.decode("utf-8", "replace"), 0
    for token in _TOKEN.finditer(text):
        sign = token[0][0]
        depth += (sign in "[{") - (sign in "]}")
        if depth == 1 and token[0] == f'"{name}"' and (found := _KEY.match(text, token.end())):
            return found[1]
    return ""


def _read(text: str) -> Any:
    return json.loads(text, parse_int=_integer, parse_float=_float, parse_constant=lambda _: None)


def _integer(digits: str) -> int:
    return max(-_MOST, min(int(digits), _MOST)) if len(digits) < 20 else -_MOST if digits[0] == "-" else _MOST


def _float(digits: str) -> float | None:
    found = float(digits)
    return found if math.isfinite(found) else None


def _shallow(text: str) -> str:
    """The same with null for whatever lies deeper than DEPTH."""
    kept: list[str] = []
    depth = at = 0
    for token in _TOKEN.finditer(text):
        sign = text[token.start()]
        if sign in "[{":
            depth += 1
            if depth == DEPTH + 1:
                kept.append(text[at : token.start()] + "null")
        elif sign in "]}":
            depth -= 1
            if depth == DEPTH:
                at = token.end()
    if depth <= DEPTH:
        kept.append(text[at:])
    return "".join(kept)
