"""What a program, a server or a habit puts around the words that are meant: signatures, footers, banners."""

from __future__ import annotations

from collections.abc import Sequence

from . import phrases

#: a line longer than that is prose; this many lines at the end are a block of one's own name
_SHORT, _BLOCK, _CLOSED = 160, 6, 7


def cut(lines: Sequence[str], names: Sequence[str]) -> tuple[list[str], list[str]]:
    """The lines before the signature, and those that it is made of: its first line among them where words and
    no line of dashes show it, as words may be the person's own after all. So may the lines of a banner above.

    `names`: what the writer is called, as their mail says it.
    """
    begin = _behind_banner(lines)
    kept: list[str] = []
    words = False  # whether anything was kept
    left = sum(1 for line in lines[begin:] if line.strip())
    for i, line in enumerate(lines[begin:], start=begin):
        if len(line) <= phrases.LINE:
            if not words and phrases.RULE.match(line):
                continue
            parted = i > 0 and not lines[i - 1].strip()
            if _begins(line, names, left if words else 0, parted=parted):
                dashes = phrases.SIGNATURE.match(line) or phrases.RULE.match(line)
                return kept, [*lines[:begin], *lines[i + bool(dashes) :]]
        kept.append(line)
        if line.strip():
            words, left = True, left - 1
    return kept, list(lines[:begin])


def _behind_banner(lines: Sequence[str]) -> int:
    """Gateways warn, above everything else, that a mail comes from outside."""
    first = next((i for i, line in enumerate(lines) if line.strip()), 0)
    if first < len(lines) and len(lines[first]) <= phrases.LINE and phrases.BANNER.match(lines[first]):
        for i in range(first, min(first + _BLOCK, len(lines))):
            if not lines[i].strip():
                return i
    return 0


def _begins(whole: str, names: Sequence[str], left: int, *, parted: bool) -> bool:
    """Whether a signature begins with a line; `left`: how many lines with words there are from it to the
    end, 0 where none stands above it; `parted`: whether a blank one stands above."""
    line = whole.strip()
    if phrases.SIGNATURE.match(whole):
        return True
    if not line or (len(line) > _SHORT and not phrases.FOOTER.search(line)):
        return False
    if phrases.SENT_BY.match(line) or (phrases.SENT.search(line) and phrases.THING.search(line)):
        return True
    if not left:
        return False
    if phrases.RULE.match(line) or phrases.SEPARATOR.match(line):
        return True
    if left <= _CLOSED and phrases.CLOSING.fullmatch(line):
        return parted or line.endswith((",", "!", ".")) or left == 1
    said = line.strip("-–—/~*_,. ")
    if left == 1 and said in names:
        return True
    if not parted or left > _BLOCK:
        return False
    signed = said in names or any(" " in name and said.startswith(name) for name in names[:1])
    return signed or bool(phrases.ALONE.search(line) or phrases.FOOTER.search(line))
