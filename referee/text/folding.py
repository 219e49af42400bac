"""When two spellings are the same word, and what of a stranger's text may be shown.

Reading folds: case, accents, apostrophes, hyphens and invisible signs don't count.
Showing cleans: one line, no control or direction signs, nothing that a channel or a
placeholder would take for more than text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

#: signs that disappear when a word is folded, so that "Thieves’ Den" is "thieves den"
_DROPPED = frozenset("'’‘`´ʼ＇")
#: emoji parts that only change the look of the sign before them
_JOINERS = re.compile("[\u200d\ufe0e\ufe0f]")
_SPACES = re.compile(r"\s+")
#: what would ring everybody in a Matrix room, in capitals, too
_EVERYBODY = re.compile("@(?=room)", re.IGNORECASE)
#: so much of a text is folded, and so much comes of it at most: one sign may become eighteen, and ordering
#: marks takes a time that grows with the square of their number. No line that is read is longer
#: (reading/limits.py)
FOLDED_FROM, FOLDED_TO = 1_200, 1_200
_PIECE = 100
#: so much of a text is cleaned: longer than any line that is shown
CLEANED_FROM = 16_000
#: only texts no longer than this are remembered, so that what is remembered takes a few megabytes at most
_REMEMBERED = 80


def fold(text: str) -> str:
    """Lower case, unaccented, words separated by one space; a comma stays as a word of its own.

    Signs that are neither letters nor numbers separate words, except symbols such as emoji, which are kept: a
    player may be called by one. Of a long text only the beginning is folded (`FOLDED_FROM`).
    """
    return _folded(text) if len(text) <= _REMEMBERED else _folded.__wrapped__(text[:FOLDED_FROM])[:FOLDED_TO]


@lru_cache(maxsize=4096)
def _folded(text: str) -> str:
    if text.isascii():  # most of what is typed: no sign of it comes apart
        return " ".join(text.lower().translate(_ASCII).split())
    out: list[str] = []
    for char in _plain(text):
        if len(out) > 2 * FOLDED_TO:  # more will not be left of it
            break
        if left := _left_of(char):
            out.append(left)
    return " ".join("".join(out).split())


def _left_of(char: str) -> str:
    """What is left of one sign: itself, nothing, or what parts words."""
    kind = unicodedata.category(char)
    if char in _DROPPED or kind == "Cf" or kind[0] == "M":
        return ""
    if kind[0] in "LN" or kind in ("So", "Sk", "Sm", "Sc"):
        return char
    return " , " if char == "," else " "


_ASCII = {code: _left_of(chr(code)) for code in range(128)}


def _plain(text: str) -> Iterator[str]:
    """Its signs in lower case, taken apart.

    Piece by piece: no mark is kept, so their order across two pieces is all the same.
    """
    for start in range(0, len(text), _PIECE):
        yield from unicodedata.normalize(
            "NFKD", unicodedata.normalize("NFKD", text[start : start + _PIECE]).casefold()
        )


def squash(text: str) -> str:
    """Folded, without spaces and commas: "Trading Post", "trading-post" and "TradingPost" alike."""
    return fold(text).replace(" ", "").replace(",", "")


def clean(text: str, most: int = 0) -> str:
    """One safe line: what a player wrote, as it may stand inside a letter.

    Control signs, line breaks and direction overrides go; a name written from right to left is isolated, so
    that it can't turn its neighbours around. `most` > 0 cuts with an ellipsis; of a text that is longer than
    any line only the beginning is looked at (`CLEANED_FROM`).
    """
    if len(text) > _REMEMBERED:
        return _cleaned.__wrapped__(text[: min(CLEANED_FROM, 8 * most or CLEANED_FROM)], most)
    return _cleaned(text, most)


@lru_cache(maxsize=4096)
def _cleaned(text: str, most: int) -> str:
    if text.isascii() and text.isprintable():
        line = text.strip() if "  " not in text else _SPACES.sub(" ", text).strip()
    else:
        kept = (" " if unicodedata.category(c) in ("Cc", "Zl", "Zp") else c for c in text if not _hidden(c))
        line = _SPACES.sub(" ", "".join(kept)).strip()
    if most and len(line) > most:
        line = line[: most - 1].rstrip() + "…"
    if "{" in line:  # an adapter fills {reply_to} and {bot} in: never from a player's words
        line = line.replace("{reply_to}", "{reply to}").replace("{bot}", "{ bot }")
    # begins a marker line of a mail's order form: quoted back and wrapped, it would frame orders
    if "===[" in line:
        line = line.replace("===[", "== =[")
    if "@" in line:
        line = _EVERYBODY.sub("@ ", line)
    if not line.isascii() and any(unicodedata.bidirectional(c) in ("R", "AL") for c in line):
        line = f"\u2068{line}\u2069"
    return line


def _hidden(char: str) -> bool:
    """Invisible signs that steer the text around them, surrogates, and signs without a meaning."""
    if _JOINERS.match(char):
        return False
    return unicodedata.category(char) in ("Cf", "Cs", "Co", "Cn")
