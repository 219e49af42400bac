"""When two spellings are the same word, and what of a stranger's text may be shown.

Reading folds: case, accents, apostrophes, hyphens and invisible signs don't count.
Showing cleans: one line, no control or direction signs, nothing that a channel or a
placeholder would take for more than text.
"""
from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

#: signs that disappear when a word is folded, so that "Thieves’ Den" is "thieves den"
_DROPPED = frozenset("'’‘`´ʼ＇")
#: emoji parts that only change the look of the sign before them
_JOINERS = re.compile("[\u200d\ufe0e\ufe0f]")
_SPACES = re.compile(r"\s+")


@lru_cache(maxsize=4096)
def fold(text: str) -> str:
    """Lower case, unaccented, words separated by one space; a comma stays as a word of its own.

    Signs that are neither letters nor numbers separate words, except symbols such as emoji,
    which are kept: a player may be called by one.
    """
    out: list[str] = []
    for char in unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold()):
        kind = unicodedata.category(char)
        if kind[0] in "LN" or kind in ("So", "Sk", "Sm", "Sc"):
            out.append("" if char in _DROPPED else char)
        elif kind == "Cf" or kind[0] == "M" or char in _DROPPED:
            continue
        else:
            out.append(" , " if char == "," else " ")
    return " ".join("".join(out).split())


def squash(text: str) -> str:
    """Folded, without spaces and commas: "Trading Post", "trading-post" and "TradingPost" alike."""
    return fold(text).replace(" ", "").replace(",", "")


@lru_cache(maxsize=4096)
def clean(text: str, most: int = 0) -> str:
    """One safe line: what a player wrote, as it may stand inside a letter.

    Control signs, line breaks and direction overrides go; a name written from right to left is
    isolated, so that it can't turn its neighbours around.  `most` > 0 cuts with an ellipsis.
    """
    if text.isascii() and text.isprintable():
        line = text.strip() if "  " not in text else _SPACES.sub(" ", text).strip()
    else:
        kept = (" " if unicodedata.category(c) in ("Cc", "Zl", "Zp") else c for c in text if not _hidden(c))
        line = _SPACES.sub(" ", "".join(kept)).strip()
    if most and len(line) > most:
        line = line[: most - 1].rstrip() + "…"
    if "{" in line:  # an adapter fills {reply_to} and {bot} in: never from a player's words
        line = line.replace("{reply_to}", "{reply to}").replace("{bot}", "{ bot }")
    if "===[" in line:  # begins a marker line of a mail's order form: quoted back and wrapped, it would frame orders
        line = line.replace("===[", "== =[")
    if "@room" in line:  # would ring everybody in a Matrix room
        line = line.replace("@room", "@ room")
    if not line.isascii() and any(unicodedata.bidirectional(c) in ("R", "AL") for c in line):
        line = f"\u2068{line}\u2069"
    return line


def _hidden(char: str) -> bool:
    """Invisible signs that steer the text around them, surrogates, and signs without a meaning."""
    if _JOINERS.match(char):
        return False
    return unicodedata.category(char) in ("Cf", "Cs", "Co", "Cn")
