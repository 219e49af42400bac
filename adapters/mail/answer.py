"""What a person wrote, without what their mail program added.

A reply is the letter it answers, quoted in one of many ways, and somewhere an answer.  Read is,
in this order:

1. what is typed without a quote mark between two quoted marker lines of our letter
   (``=====[ words ]=====``, the words in any language);
2. what stands above the first quotation, attribution, separator or marker;
3. what stands between two marker lines that are not quoted (programs that quote without marks: it may also be
   an answer of last week, so it counts only when nothing stands above);
4. where lines are quoted by ``>``: the unquoted lines below and between them;
5. what stands between the marker lines behind a quote mark (some programs mark what is typed
   there too).

The signature is cut.  Nothing is guessed from prose: that every kept line must be an order is for the
reader of orders to say.  Letters must leave the space between their marker lines blank.
"""

from __future__ import annotations

import re
from itertools import islice

from . import phrases

#: a marker line of our letters, quoted or not
MARKER = re.compile(r"={3,80}\[[^\]]{1,80}\]={3,80}")
_QUOTE = re.compile(r"^\s{0,3}(?:>\s?)+")
#: an answer stands near the top: so many lines are looked at, and so many that might begin an attribution
_LINES, _OPENERS = 10_000, 400
_PICTURE = re.compile(r"^\[(?:cid|image|inline)\b[^\]]{0,500}\]$", re.IGNORECASE)
# what some programs put between words and nobody sees; the joiners inside emoji (U+200D) stay
_BLANKS = dict.fromkeys(map(ord, "\u00a0\u202f\u2007\t"), " ") | dict.fromkeys(
    map(ord, "\u200b\u2060\ufeff\u00ad\u200e\u200f"), ""
)


def answer(text: str) -> str:
    """The answer inside a reply's plain text, lines separated by newlines; "" if there is none."""
    lines = _lines(text)
    typed, marked, sure = _between_markers(lines)
    if typed and sure:
        return typed
    attributions = _attributions(lines)
    edge, resume = _edge(lines, attributions)
    above = _tidy(_without_signature(lines[:edge]))
    if above or typed:
        return above or typed
    below = _tidy(_without_signature(_unquoted(lines, resume, attributions))) if resume is not None else ""
    return below or marked


def _lines(text: str) -> list[str]:
    plain = text.replace("\r\n", "\n").replace("\r", "\n").translate(_BLANKS)
    return [line.rstrip() for line in plain.split("\n", _LINES)[:_LINES]]


def _is_quoted(line: str) -> bool:
    return _QUOTE.match(line) is not None


def _bare(line: str) -> str:
    return _QUOTE.sub("", line).strip()


def _tidy(lines: list[str]) -> str:
    kept = [line.strip() for line in lines if not _PICTURE.match(line.strip())]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip()


def _between_markers(lines: list[str]) -> tuple[str, str, bool]:
    """(typed without a mark, standing behind a mark, whether the markers are quoted), from the first pair of
    markers that holds anything."""
    marks = [i for i, line in enumerate(lines) if MARKER.fullmatch(_bare(line))]
    for first, last in zip(marks[::2], marks[1::2], strict=False):
        inside = lines[first + 1 : last]
        typed = _tidy([line for line in inside if not _is_quoted(line)])
        marked = _tidy([_bare(line) for line in inside if _is_quoted(line)])
        if typed or marked:
            return typed, marked, _is_quoted(lines[first])
    return "", "", False


def _edge(lines: list[str], attributions: dict[int, int]) -> tuple[int, int | None]:
    """Index of the first line that is not the person's own; and if what follows is quoted by ``>``,
    so that own words below can be told, the index to look from."""
    for i, line in enumerate(lines):
        if _is_quoted(line):
            return _attribution_above(lines, i), i
        if len(line) > phrases.LINE:
            continue
        if MARKER.fullmatch(line.strip()) or phrases.SEPARATOR.match(line) or _header_block(lines, i):
            return i, None
        length = attributions.get(i, 0)
        if length:
            rest = (one for one in lines[i + length :] if one.strip())
            return i, i + length if _is_quoted(next(rest, "")) else None
    return len(lines), None


def _attributions(lines: list[str]) -> dict[int, int]:
    """Where an "On … wrote:" begins, and how many lines (1-4) it takes."""
    openers = (i for i, line in enumerate(lines) if phrases.ATTRIBUTION_OPENS.match(line))
    found = ((i, _attribution_here(lines, i)) for i in islice(openers, _OPENERS))
    return {i: length for i, length in found if length}


def _attribution_here(lines: list[str], i: int) -> int:
    """How many lines an attribution takes that begins at `i`; 0: there is none."""
    joined = ""
    for n, line in enumerate(lines[i : i + 4], start=1):
        if (not line.strip() and n > 1) or len(joined) + len(line) > phrases.LINE:
            return 0
        joined = f"{joined} {line.strip()}".strip()
        if (
            joined.endswith((":", "\uff1a"))
            and phrases.WROTE.search(joined)
            and phrases.ATTRIBUTION.match(joined)
        ):
            return n
    return 0


def _attribution_above(lines: list[str], quoted: int) -> int:
    """Where the attribution before the quotation at `quoted` begins, in a language we have no words
    for: a line that ends in a colon and holds an address, a year or a time."""
    last = quoted - 1
    while last >= 0 and not lines[last].strip():
        last -= 1
    if last < 0 or not lines[last].rstrip().endswith((":", "\uff1a")):
        return quoted
    for first in range(last, max(last - 3, -1), -1):
        if not lines[first].strip() or len(lines[first]) > phrases.LINE:
            break
        if phrases.DATED.search(" ".join(lines[first : last + 1])):
            return first
    return quoted


def _header_block(lines: list[str], i: int) -> bool:
    """Outlook's way: From, Sent, To … of the letter, then the letter as it was."""
    return bool(phrases.FROM_LINE.match(lines[i])) and any(
        phrases.OTHER_HEADER.match(line) for line in lines[i + 1 : i + 4]
    )


def _unquoted(lines: list[str], start: int, attributions: dict[int, int]) -> list[str]:
    """The person's lines below and between quotations."""
    own: list[str] = []
    i = start
    while i < len(lines):
        if i in attributions:
            i += attributions[i]
            continue
        if not _is_quoted(lines[i]) and not MARKER.fullmatch(lines[i].strip()):
            own.append(lines[i])
        elif own and own[-1]:
            own.append("")
        i += 1
    return own


def _without_signature(lines: list[str]) -> list[str]:
    for i, line in enumerate(lines):
        if len(line) <= phrases.LINE and (
            phrases.SIGNATURE.match(line) or phrases.MOBILE_SIGNATURE.match(line.strip())
        ):
            return lines[:i]
    return lines
