"""What a person wrote, without what their mail program added.

A reply is the letter it answers, quoted in one of many ways, and somewhere an answer.  Read is,
in this order:

1. what is typed without a quote mark between two quoted marker lines of our letter
   (``=====[ words ]=====``, the words in any language);
2. what stands above the letter: above the first quotation, attribution, separator or marker; each letter
   begins with a marker of its own, ``=====[[ words ]]=====``;
3. what stands between two marker lines that are not quoted (programs that quote without marks: it may also be
   an answer of last week, so it counts only when nothing stands above);
4. where lines are quoted by a mark and above them is nothing but a greeting: the unquoted lines below and
   between them;
5. what stands between the marker lines behind a quote mark (some programs mark what is typed
   there too).

The signature is cut. What of the person's own words was not read is told besides. Nothing is guessed from
prose: that every kept line must be an order is for the reader of orders to say. Letters must leave the space
between their marker lines blank.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from . import phrases, signature
from .quotation import MARKER, TOP, attributions, bare, edge, is_marker, is_quoted

#: an answer stands near the top: this many lines are looked at
_LINES = 3_000
#: so much is told of what was left, signs
_TOLD = 1000
#: a program that breaks lines breaks one that would be longer than that; none makes them shorter than that
_WIDTH, _NARROW = 66, 30
_PICTURE = re.compile(r"^\[(?:cid|image|inline)\b[^\]]{0,500}\]$", re.IGNORECASE)
# what some programs put between words and nobody sees; the joiners inside emoji (U+200D) stay
_BLANKS = dict.fromkeys(map(ord, "\u00a0\u202f\u2007\t"), " ") | dict.fromkeys(
    map(ord, "\u200b\u2060\ufeff\u00ad\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"), ""
)
_SIGNED, _SIGNATURE = "-----BEGIN PGP SIGNED MESSAGE-----", "-----BEGIN PGP SIGNATURE-----"


@dataclass(frozen=True, slots=True)
class Answer:
    """`words`: the answer, lines separated by newlines, "" if there is none. `left`: own words that were not
    taken for it. `behind`: what was taken for a signature, without the dashes above it.
    """

    words: str
    left: str = ""
    behind: str = ""


def answer(text: str, ours: Sequence[str] = (), names: Sequence[str] = ()) -> Answer:
    """The answer inside a reply's plain text.

    `ours`: the referee's address and names in small letters; `names`: the writer's.
    """
    lines = _unsigned(_lines(text))
    first, letter = edge(lines, ours)
    own, behind = signature.cut(lines[:first] + _shared(lines[first : letter + 1]), names)
    above = _tidy(own)
    typed, marked, sure, framed = _between_markers(lines)
    greeted = not above or bool(phrases.GREETING.fullmatch(above))
    below, torn = _below(lines, letter, ours, names, framed if sure else (0, 0))
    behind = [*behind, *torn]
    if typed and sure:
        return _answered(typed, *([] if greeted else [above]), below, behind=behind)
    if not greeted:
        return _answered(above, below, behind=behind)
    if typed:
        return _answered(typed, behind=behind)
    return _answered(below or marked or above, behind=behind)


def _shared(attribution: list[str]) -> list[str]:
    """Own words on one line with what the program wrote over the letter."""
    line = attribution[0] if attribution else ""
    found = None if is_quoted(line) else phrases.SHARED.match(line[: phrases.LINE])
    return [found[1]] if found else []


def _answered(words: str, *left: str, behind: Sequence[str]) -> Answer:
    return Answer(
        words, "\n".join(one for one in left if one and one != words)[:_TOLD], _tidy(behind)[:_TOLD]
    )


def _lines(text: str) -> list[str]:
    plain = text.replace("\r\n", "\n").replace("\r", "\n").translate(_BLANKS)
    return [line.rstrip() for line in plain.split("\n", _LINES)[:_LINES]]


def _unsigned(lines: list[str]) -> list[str]:
    """What a clear-signed mail says (RFC 9580 7), without the signature around it."""
    if _SIGNED not in lines:
        return lines
    begin = lines.index(_SIGNED)
    end = lines.index(_SIGNATURE, begin) if _SIGNATURE in lines[begin:] else len(lines)
    head = next((i for i in range(begin + 1, end) if not lines[i]), begin)
    inside = [line.removeprefix("- ") for line in lines[head + 1 : end]]
    return [*lines[:begin], *inside]


def _tidy(lines: Sequence[str]) -> str:
    kept = [line.strip() for line in lines if not _PICTURE.match(line.strip())]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip()


def _between_markers(lines: list[str]) -> tuple[str, str, bool, tuple[int, int]]:
    """(typed without a mark, standing behind a mark, whether the markers are quoted, where), from the first
    pair of markers that holds anything."""
    marks = [i for i, line in enumerate(lines) if MARKER.fullmatch(bare(line))]
    for first, last in zip(marks[::2], marks[1::2], strict=False):
        inside = lines[first + 1 : last]
        typed = _tidy([line for line in inside if not is_quoted(line)])
        marked = _tidy([bare(line) for line in inside if is_quoted(line)])
        if typed or marked:
            return typed, marked, is_quoted(lines[first]), (first, last)
    return "", "", False, (0, 0)


def _below(
    lines: list[str], letter: int, ours: Sequence[str], names: Sequence[str], but: tuple[int, int]
) -> tuple[str, list[str]]:
    """The person's lines below and between quotations, except those of `but`, and lines that may be theirs
    or the end of a quoted one; nothing where the letter is quoted without marks: then nobody can tell."""
    begin = next((i for i in range(letter, len(lines)) if lines[i].strip()), len(lines))
    if begin >= len(lines) or not is_quoted(lines[begin]) or any(map(is_marker, lines[letter:])):
        return "", []
    spoken = attributions(lines, ours)
    longest = max(len(line) for line in lines if is_quoted(line))
    width = min(_WIDTH, longest) if longest >= _NARROW else _WIDTH
    own: list[str] = []
    torn: list[str] = []
    i, before = begin, 0  # of the quoted line that was just passed, its length
    while i < len(lines):
        line = lines[i]
        if i in spoken:
            i, before = spoken[i], 0
            continue
        if is_quoted(line) or but[0] < i < but[1]:
            before = len(line) if bare(line) else 0
            if own and own[-1]:
                own.append("")
        elif before and line.strip() and before + 1 + len(line.strip().split(" ", 1)[0]) > width:
            torn.append(line)  # a program broke a quoted line here and marked only its beginning
            before = len(line)
        else:
            before = 0
            own.append(line)
        i += 1
    kept, behind = signature.cut(own, names)
    return _tidy(kept), [*torn, *behind]


__all__ = ["MARKER", "TOP", "Answer", "answer"]
