"""Several orders in one message, taken apart.

Orders end at a semicolon, at a line's end, or at a full stop before a space or the end.  A list
numbered by its writer ("1. gold" on lines of their own) keeps its orders; "2." alone is
option 2.  Full stops and semicolons inside a player's name are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from .terms import NotUnderstood

LONGEST = 200
MOST = 40

#: a wink, "pick Bishop ;)", ends nothing
_END = re.compile(r"(?:(?!;-?[)(]{1,5}(?:\s|$)|(?<!\S);-?[DP](?:\s|$))[;；\n\r\u2028\u2029])+|[.。](?=\s|$)")
_NUMBERED = re.compile(r"^\s*\d{1,2}[.)]\s+(?=\S)")
_NUMBER = re.compile(r"\s*n[or]\.\s*\d{1,4}\b", re.IGNORECASE)
_BULLET = re.compile(r"^\s*[-*•]\s+")
_BLANK = re.compile(r"\s+")


def split(text: str, names: Sequence[str] = ()) -> list[str] | NotUnderstood:
    """The orders of a message in their order, each on one line without outer blanks.

    `names` are the players' names.  Trouble if a line is longer than 200 signs
    or there are more than 40 orders.
    """
    if len(text) > LONGEST * MOST:
        return NotUnderstood(
            "line-too-long" if "\n" not in text else "too-many-orders",
            _quote(text),
            facts={"most": LONGEST if "\n" not in text else MOST},
        )
    chunks: list[str] = []
    lines = text.splitlines()
    listed = sum(1 for line in lines if _NUMBERED.match(line)) > 1
    for raw in filter(str.strip, lines):
        line = _BULLET.sub("", raw)
        if listed:
            line = _NUMBERED.sub("", line)
        for chunk in _cut(line, names):
            plain = _BLANK.sub(" ", chunk).strip()
            if not plain:
                continue
            if len(plain) > LONGEST:
                return NotUnderstood("line-too-long", _quote(plain), facts={"most": LONGEST})
            chunks.append(plain)
            if len(chunks) > MOST:
                return NotUnderstood("too-many-orders", _quote(text), facts={"most": MOST})
    return chunks


def _cut(line: str, names: Sequence[str]) -> list[str]:
    """Cut at every end of an order that is not part of a name."""
    kept = [name for name in names if _END.search(name)]
    held = [m.span() for name in kept for m in re.finditer(re.escape(name), line, re.IGNORECASE)]
    out: list[str] = []
    start = 0
    for end in _END.finditer(line):
        if any(a <= end.start() < b for a, b in held):
            continue
        if (
            end.group()[0] in ".。"
            and line[start : end.start()].strip().isdecimal()
            and line[end.end() :].strip()
        ):
            continue  # "1. gold" is one order with its number before it, not option 1 and an order
        if (number := _NUMBER.match(line, start)) and start < end.start() < number.end():
            continue  # "No. 2" is option 2, not a refusal and an option
        out.append(line[start : end.start()])
        start = end.end()
    out.append(line[start:])
    return out


def _quote(text: str) -> str:
    return _BLANK.sub(" ", text[:LONGEST]).strip()
