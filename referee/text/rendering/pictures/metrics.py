"""How wide words are in our own font, and which signs it has: read from the font file itself (TrueType's cmap
and hmtx), once.
"""

from __future__ import annotations

import struct
import unicodedata
from functools import lru_cache

from ....png import FONTS

#: the width of a sign where the font can't be read, in parts of its size: generous
_GUESS = 0.62
#: signs that take no room, or only turn the line around
_NONE = frozenset({"Mn", "Me", "Cf"})


class _Widths(dict[str, float]):
    """Sign -> its width in parts of the font's size, also of signs that the font lacks."""

    def __missing__(self, sign: str) -> float:
        return 0.0 if unicodedata.category(sign) in _NONE else _GUESS


@lru_cache(maxsize=2)
def _widths(bold: bool) -> _Widths:
    """Empty where the font is missing."""
    found = _Widths()
    try:
        data = FONTS[bold].read_bytes()
    except OSError:
        return found
    count = struct.unpack_from(">H", data, 4)[0]
    tables = {tag: at for tag, _, at, _ in struct.iter_unpack(">4sIII", data[12 : 12 + 16 * count])}
    per_em = struct.unpack_from(">H", data, tables[b"head"] + 18)[0]
    measured = struct.unpack_from(">H", data, tables[b"hhea"] + 34)[0]
    advances = [
        width / per_em
        for width, _ in struct.iter_unpack(">Hh", data[tables[b"hmtx"] : tables[b"hmtx"] + 4 * measured])
    ]
    cmap = tables[b"cmap"]
    for number in range(struct.unpack_from(">H", data, cmap + 2)[0]):
        start = cmap + struct.unpack_from(">I", data, cmap + 8 + 8 * number)[0]
        if struct.unpack_from(">H", data, start)[0] != 12:  # the table of all planes, which this font has
            continue
        groups = struct.unpack_from(">I", data, start + 12)[0]
        for first, last, glyph in struct.iter_unpack(">III", data[start + 16 : start + 16 + 12 * groups]):
            for at in range(first, last + 1):
                thin = unicodedata.category(chr(at)) in _NONE
                found[chr(at)] = 0.0 if thin else advances[min(glyph + at - first, len(advances) - 1)]
    return found


def width(text: str, size: float, bold: bool = False) -> float:
    """How wide a line is at that size, in pixels."""
    return size * sum(map(_widths(bold).__getitem__, text))


def legible(text: str) -> bool:
    """Whether the font has most of what makes the text a name: letters or digits of it, and nine in ten of
    its signs.
    """
    known = _widths(False)
    signs = [sign for sign in text if unicodedata.category(sign) not in _NONE and not sign.isspace()]
    if not known or not any(sign.isalnum() for sign in signs):
        return bool(signs) and not known
    return sum(sign in known and sign < "\U0001f000" for sign in signs) >= 0.9 * len(signs)


def cut(text: str, room: float, size: float, bold: bool = False) -> str:
    """The text as it fits into that many pixels, with an ellipsis where something was left out.

    Marks stay with their letter, and a name that was isolated against its neighbours stays so.
    """
    if width(text, size, bold) <= room:
        return text
    kept = text
    while kept and width(kept + "…", size, bold) > room:
        kept = kept[:-1]
    while kept and unicodedata.category(kept[-1]) in _NONE:
        kept = kept[:-1]
    closing = "\u2069" if kept.startswith(("\u2066", "\u2067", "\u2068")) else ""
    return kept.rstrip() + "…" + closing


def wrapped(text: str, room: float, size: float, most: int, bold: bool = False) -> list[str]:
    """The text in at most that many lines, broken between words; what does not fit into the last is cut."""
    lines: list[str] = []
    for word in text.split():
        if lines and width(f"{lines[-1]} {word}", size, bold) <= room:
            lines[-1] = f"{lines[-1]} {word}"
        elif len(lines) < most:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}"
    return [cut(line, room, size, bold) for line in lines]
