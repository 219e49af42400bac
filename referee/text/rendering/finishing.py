"""The last step of every letter: blanks and line breaks.

Templates are laid out for their writer.  Whatever blanks and line ends stand in them become one
blank; a break that a reader shall see is made by a macro of channels/ with one of the marks
below, which no player's text can hold (see folding.clean).
"""
from __future__ import annotations

import re

PARAGRAPH = "\x1d"
LINE = "\x1e"
INDENT = "\x1f"
#: an empty line that stays empty (the order form of a mail)
EMPTY = "\x1c"

_BLANKS = re.compile(r"[ \t\r\n]+")
_PARAGRAPHS = re.compile(rf"[ {LINE}]*{PARAGRAPH}[ {LINE}{PARAGRAPH}]*")
_LINES = re.compile(rf" *{LINE}[ {LINE}]*")
_BETWEEN_TAGS = re.compile(r"> +<(?=/?(?:p|ul|ol|li|h\d|div|blockquote|hr|br)\b)")


def lines(text: str) -> str:
    """For kinds where line breaks count (text, telegram)."""
    text = _BLANKS.sub(" ", text)
    text = _PARAGRAPHS.sub("\n\n", text)
    text = _LINES.sub("\n", text)
    return text.replace(INDENT, "   ").replace(EMPTY, "").strip()


def page(text: str) -> str:
    """For kinds where elements make the breaks (matrix, mail)."""
    text = _BLANKS.sub(" ", text)
    for mark in (PARAGRAPH, LINE, INDENT, EMPTY):
        text = text.replace(mark, "")
    return _BETWEEN_TAGS.sub("><", text).strip()
