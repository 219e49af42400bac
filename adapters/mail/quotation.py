"""Where the letter begins that a mail answers: by its marker lines, by quote marks, and by what mail
programs write above a quotation.

What stands above is known by its shape, in any language: the lines just over the quotation that end in a
colon and tell a day, a time or an address; or that have the form of header fields. Far from any quotation
they count only with words of the tables (`phrases`) or with the referee's own address in them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from . import phrases

#: a marker line of our letters, quoted or not: a pair of them frames orders; the other kind stands at the top
MARKER = re.compile(r"={3,80}\[[^\]]{1,80}\]={3,80}")
TOP = re.compile(r"={3,80}\[\[[^\]]{1,80}\]\]={3,80}")
_QUOTE = re.compile(r"^\s{0,3}(?:(?:[A-Z]{1,3}>|[>|\uff1e])\s?)+")
#: this many lines are looked at that might end an attribution; this many that might begin a header block
_ENDINGS, _HEADERS = 400, 100
#: this many lines make an attribution; this many, a header block
_ATTRIBUTION, _BLOCK = 6, 14
#: this many signs of one together, and from this many on a line may have been broken by a program
_LONGEST, _BROKEN = 700, 60
_BLANKS = 6


def is_quoted(line: str) -> bool:
    """Whether it has a quote mark."""
    return _QUOTE.match(line) is not None


def bare(line: str) -> str:
    """A line without its quote marks."""
    return _QUOTE.sub("", line).strip()


def is_marker(line: str) -> bool:
    """Whether it is a marker line, of either kind, that is not quoted."""
    line = line.strip()
    return line.startswith("===") and bool(TOP.fullmatch(line) or MARKER.fullmatch(line))


def edge(lines: Sequence[str], ours: Sequence[str]) -> tuple[int, int]:
    """Index of the first line that is not the person's own, and of the first of the letter itself (the same
    for neither).

    `ours`: the referee's address and names, in small letters.
    """
    spoken = attributions(lines, ours)
    tried = 0
    for i, line in enumerate(lines):
        if is_quoted(line) or is_marker(line):
            return _above(lines, i, ours), i
        if len(line) > phrases.LINE:
            continue
        shaped = tried < _HEADERS and phrases.HEADER.match(line) is not None
        tried += shaped
        if phrases.SEPARATOR.match(line) or (shaped and _known_block(lines, i, ours)):
            return _above(lines, i, ours, told=True), _past(lines, i)
        if i in spoken:
            return _above(lines, i, ours, told=True), spoken[i]
    return len(lines), len(lines)


def attributions(lines: Sequence[str], ours: Sequence[str]) -> dict[int, int]:
    """Where an "On … wrote:" begins, and the index behind it, wherever it stands."""
    found: dict[int, int] = {}
    tried = 0
    for last, line in enumerate(lines):
        end = line.rstrip()
        if not end.endswith(phrases.COLONS) or len(end) > phrases.LINE or is_quoted(line):
            continue
        tried += 1
        if tried > _ENDINGS:
            break
        first = _attribution(lines, last, ours)
        joined = " ".join(lines[first : last + 1])
        told = phrases.WROTE.search(joined) and phrases.DATED.search(joined)
        if first <= last and (told or any(one in joined.lower() for one in ours if "@" in one)):
            found[first] = last + 1
    return found


def _above(lines: Sequence[str], at: int, ours: Sequence[str], *, told: bool = False) -> int:
    """Where what a program wrote over the quotation at `at` begins.

    `told`: whether an attribution, header block or separator stands there already. A program writes one:
    words further up that name a time are the person's own.
    """
    for _ in range(4):
        last = at - 1
        while last >= 0 and not lines[last].strip() and at - last <= _BLANKS:
            last -= 1
        if last < 0 or not lines[last].strip() or len(lines[last]) > phrases.LINE:
            return at
        if phrases.SEPARATOR.match(lines[last]) or _addressed(lines[last], ours):
            at = last
            continue
        if told:
            return at
        first = min(_headers(lines, last, ours), _attribution(lines, last, ours))
        if first > last:
            return at
        at, told = first, True
    return at


def _addressed(line: str, ours: Sequence[str]) -> bool:
    """Whether it greets the referee by its name: some programs begin so by themselves."""
    return bool(phrases.GREETING.match(line.strip())) and any(one in line.lower() for one in ours)


def _attribution(lines: Sequence[str], last: int, ours: Sequence[str]) -> int:
    """Where an attribution begins whose last line is `last`; behind it if there is none."""
    ends = lines[last].rstrip().endswith((*phrases.COLONS, ">>>"))
    joined, first = "", last + 1
    for i in range(last, max(last - _ATTRIBUTION, -1), -1):
        line = lines[i].strip()
        if len(joined) + len(line) > _LONGEST or is_marker(line):
            break
        if not line:  # some leave a line blank inside, before the address
            if not _open(joined):
                break
            continue
        if first <= last and not _goes_on(line, " ".join(lines[first : last + 1]), ours):
            break
        joined = f"{line} {joined}".strip()
        if _tells(joined) if ends else _whole(joined, ours) or _told(joined):
            first = i
    return first


def _tells(joined: str) -> bool:
    """Whether words that end in a colon are an attribution."""
    return bool(phrases.DATED.search(joined) or phrases.WROTE.search(joined))


def _told(joined: str) -> bool:
    """Whether they are one even without the colon."""
    return bool(phrases.WHEN.search(joined) and phrases.WROTE.search(joined))


def _goes_on(line: str, below: str, ours: Sequence[str]) -> bool:
    """Whether the attribution `below` begins further up, with this line in it."""
    if _torn(line, below) or _open(below):
        return True
    return not _whole(below, ours) and bool(
        phrases.WHEN.search(line) or phrases.WROTE.search(line) or any(one in line.lower() for one in ours)
    )


def _whole(joined: str, ours: Sequence[str]) -> bool:
    """Whether it tells both when and by whom."""
    return bool(phrases.WHEN.search(joined)) and ("@" in joined or any(one in joined.lower() for one in ours))


def _open(joined: str) -> bool:
    """Whether something closes in it that opened before."""
    return any(joined.count(shut) > joined.count(begun) for begun, shut in ("<>", "()", "“”", "«»"))


def _torn(line: str, following: str) -> bool:
    """Whether a program broke a longer line between these two."""
    line = line.rstrip()
    if line.endswith("<"):
        return True
    return len(line) + 1 + len(following.split(" ", 1)[0]) > _BROKEN and bool(
        phrases.DATED.search(line) or phrases.WROTE.search(line)
    )


def _headers(lines: Sequence[str], last: int, ours: Sequence[str]) -> int:
    """Where a block of header fields begins whose last line is `last`; behind it if there is none."""
    shaped: list[int] = []
    for i in range(last, max(last - _BLOCK, -1), -1):
        line = lines[i]
        if not line.strip() or len(line) > phrases.LINE:
            break
        if phrases.HEADER.match(line):
            shaped.append(i)
    sure = [i for i in shaped if _field(lines[i], ours)]
    telling = " ".join(lines[i] for i in sure)
    if (
        len(shaped) < 2
        or not sure
        or not (phrases.DATED.search(telling) or any(o in telling.lower() for o in ours))
    ):
        return last + 1
    return min(sure)


def _field(line: str, ours: Sequence[str]) -> bool:
    """Whether a line of the right form is a header field: by its word, or by what it tells."""
    found = phrases.HEADER.match(line)
    if found is None:
        return False
    told = line[found.end(1) :]
    return bool(
        phrases.HEADER_WORD.fullmatch(found[1].strip())
        or phrases.DATED.search(told)
        or any(one in told.lower() for one in ours)
    )


def _known_block(lines: Sequence[str], i: int, ours: Sequence[str]) -> bool:
    """Outlook's way: From, Sent, To … of the letter, in whatever order, then the letter as it was."""
    if not _field(lines[i], ours):
        return False
    near = lines[i : i + 5]
    first = phrases.HEADER.match(lines[i])
    if first is None or not phrases.HEADER_WORD.fullmatch(first[1].strip()):
        # a person's "say: back at 20:00" over a block is no part of it: something parts the two
        near = near[: next((n for n, one in enumerate(near) if _parts(one)), len(near))]
    block = [one for one in near if one.strip() and len(one) <= phrases.LINE]
    words = [named[1].strip() for one in block if (named := phrases.HEADER.match(one))]
    known = sum(1 for word in words if phrases.HEADER_WORD.fullmatch(word))
    if phrases.FROM_WORD.fullmatch(words[0]) and (known >= 2 or "@" in lines[i]):
        return True
    fields = sum(1 for one in block if _field(one, ours))
    joined = " ".join(block)
    return fields >= 2 and (known >= 2 or fields >= 3) and "@" in joined and bool(phrases.WHEN.search(joined))


def _parts(line: str) -> bool:
    """Whether it is blank or a separator."""
    return not line.strip() or bool(phrases.SEPARATOR.match(line[: phrases.LINE]))


def _past(lines: Sequence[str], at: int) -> int:
    """The first line behind separators, header fields and blank lines that begin at `at`."""
    for i in range(at, min(at + _BLOCK, len(lines))):
        line = lines[i]
        if is_quoted(line) or (
            line.strip()
            and not phrases.SEPARATOR.match(line[: phrases.LINE])
            and not phrases.HEADER.match(line[: phrases.LINE])
            and not line.rstrip().endswith(phrases.COLONS)
        ):
            return i
    return len(lines)
