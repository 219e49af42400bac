"""The last step of every letter: blanks and line breaks.

Templates are laid out for their writer.  Whatever blanks and line ends stand in them become one
blank; a break that a reader shall see is made by a macro of channels/ with one of the marks
below, which no player's text can hold (see folding.clean).
"""

from __future__ import annotations

import html
import re

PARAGRAPH = "\x01"
LINE = "\x02"
INDENT = "\x03"
#: an empty line that stays empty (the order form of a mail)
EMPTY = "\x04"

_TAG = re.compile(r"</?[a-z][^<>]*>")
_BETWEEN_TAGS = re.compile(r"> +<(?=/?(?:p|ul|ol|li|h\d|div|blockquote|hr|br)\b)")


def lines(text: str) -> str:
    """For kinds where line breaks count (text, telegram)."""
    made = (_block(block) for block in " ".join(text.split()).split(PARAGRAPH))
    return "\n\n".join(block for block in made if block).replace(INDENT, "   ").replace(EMPTY, "")


def _block(text: str) -> str:
    return "\n".join(line for line in map(str.strip, text.split(LINE)) if line)


def unmarked(markup: str) -> str:
    """What somebody sees of markup whose line breaks count."""
    return html.unescape(_TAG.sub("", markup))


def page(text: str) -> str:
    """For kinds where elements make the breaks (matrix, mail)."""
    for mark in (PARAGRAPH, LINE, INDENT, EMPTY):
        text = text.replace(mark, "")
    return _BETWEEN_TAGS.sub("><", " ".join(text.split()))
