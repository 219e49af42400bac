"""Inputs that nobody thought of: what the tests send anyway, spliced, cut, swollen, and strewn with what has
broken readers before.

All by a seeded `Random`: the same seed makes the same inputs. `text`, `raw` and `shaped` are for words, for
bytes, and for JSON.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

#: no input is longer, in bytes
LONGEST = 100_000
#: pieces that have broken readers: signs that fold to many, marks without a letter, directions, halves of
#: signs, NUL, ends of lines, other scripts' digits, numbers that no `int` takes, brackets, markup, what
#: formats and templates begin with
HOSTILE = (
    "\ufdfa",
    "ﬃ",
    "İ",
    "ß",
    "\u0345",
    "a\u0301\u0301\u0301\u0301",
    "\u0300",
    "e\u20dd",
    "\u202e",
    "\u2066",
    "\u200b",
    "\u200d",
    "\ufeff",
    "\u00ad",
    "\ud800",
    "\udfff\ud83d",
    "\0",
    "\x1b[2J",
    "\x7f",
    "\r",
    "\n",
    "\r\n",
    "\u2028",
    "\u2029",
    "\x85",
    "\x0b",
    "\x0c",
    "\t",
    "\u00a0",
    "\u3000",
    "²",
    "٣",
    "১",
    "１７",
    "Ⅷ",
    "½",
    "③",
    "9" * 5000,
    "-0",
    "1e999",
    "0x10",
    "1_000",
    "NaN",
    "-1",
    str(2**63),
    str(2**64 + 1),
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<",
    ">",
    "((",
    "[[",
    "{{",
    "{%",
    "%s",
    "{0}",
    "{reply_to}",
    "#",
    "#1 ",
    "#17",
    "##",
    "@",
    "@a",
    "a@",
    "/",
    "//",
    "\\",
    "'",
    '"',
    "”",
    "`",
    ";",
    ";;",
    ",",
    ", ",
    ":",
    "::",
    "=",
    ".",
    "..",
    "…",
    "-",
    "--",
    "—",
    "&amp;",
    "&#1114112;",
    "<a href=",
    "<!--",
    "]]>",
    "=?utf-7?Q?+2AA-?=",
    "=?x?B?",
    "=00",
    "%00",
    "%FF",
    "+",
    "+AAA-",
    "*",
    "_",
    "~",
    "|",
    "!",
    "?",
    "$",
    "^",
    "🎲",
    "👩‍👩‍👧‍👧",
    "🏴\U000e0067\U000e007f",
    "\U0010ffff",
    "小林",
    "שלום",
    "مرحبا",
    " ",
    "  ",
)
_RAW = (
    b"\0",
    b"\xff",
    b"\xfe\xff",
    b"\xc0\x80",
    b"\xed\xa0\x80",
    b"\xf4\x90\x80\x80",
    b"\r\n",
    b"\n",
    b"\r",
    b"\r\n\r\n",
    b"--",
    b": ",
    b";",
    b"=",
    b"\t",
    b'"',
    b"<",
    b">",
    b"(",
    b"+2AA-",
    b"=\r\n",
    b"%",
    b"\x1b",
)
_VALUES: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    -1,
    1,
    2**31,
    2**53 + 1,
    2**63,
    2**64,
    -(2**63),
    10**40,
    0.5,
    -0.0,
    1e308,
    math.nan,
    math.inf,
    "",
    "0",
    "null",
    "\ud800",
    "\0",
    [],
    {},
    [[]],
    {"": ""},
    "x" * 3000,
    "@a:b",
    "$e",
    "!r:h",
)


def text(rng: Random, corpus: Sequence[str]) -> str:
    """A text made of those of a corpus."""
    said = rng.choice(corpus)
    for _ in range(rng.choice((0, 1, 1, 2, 2, 3, 5))):
        said = rng.choice(_TEXT)(rng, said, corpus)
    return (
        said[:LONGEST].encode("utf-8", "surrogatepass")[:LONGEST].decode("utf-8", "ignore")
        if len(said) * 4 > LONGEST
        else said
    )


def _place(rng: Random, said: Sequence[Any]) -> tuple[int, int]:
    one = rng.randint(0, len(said))
    return one, min(len(said), one + int(rng.expovariate(0.15)) + 1)


def _splice(rng: Random, said: str, corpus: Sequence[str]) -> str:
    other = rng.choice(corpus)
    return said[: rng.randint(0, len(said))] + other[rng.randint(0, len(other)) :]


def _strew(rng: Random, said: str, corpus: Sequence[str]) -> str:
    at, _ = _place(rng, said)
    return said[:at] + rng.choice(HOSTILE) + said[at:]


def _swap(rng: Random, said: str, corpus: Sequence[str]) -> str:
    begin, end = _place(rng, said)
    return said[:begin] + rng.choice(HOSTILE) + said[end:]


def _swell(rng: Random, said: str, corpus: Sequence[str]) -> str:
    """A slice, or a hostile piece, many times; now and then up to the longest."""
    begin, end = _place(rng, said)
    piece = (
        said[begin:end]
        if rng.random() < 0.5 and end > begin
        else rng.choice(HOSTILE) + (rng.choice(HOSTILE) if rng.random() < 0.3 else "")
    )
    most = LONGEST if rng.random() < 0.12 else rng.choice((8, 60, 400, 2000, 8000))
    return (
        said[:begin]
        + piece * max(1, most // max(1, len(piece.encode("utf-8", "surrogatepass"))))
        + said[end:]
    )


def _nest(rng: Random, said: str, corpus: Sequence[str]) -> str:
    opened, closed = rng.choice(
        ("()", "[]", "{}", "<>", "“”", '""', ("- ", ""), ("> ", ""), ("<b>", "</b>"), ("not ", ""))
    )
    deep = rng.choice((3, 50, 1000, 10_000))
    return opened * deep + said[:2000] + (closed * deep if rng.random() < 0.5 else "")


def _drop(rng: Random, said: str, corpus: Sequence[str]) -> str:
    begin, end = _place(rng, said)
    return said[:begin] + said[end:]


def _words(rng: Random, said: str, corpus: Sequence[str]) -> str:
    words = said.split(" ")
    other = rng.choice(corpus).split()
    for _ in range(rng.randint(1, 4)):
        words.insert(
            rng.randint(0, len(words)),
            rng.choice(other) if other and rng.random() < 0.7 else rng.choice(words),
        )
    rng.shuffle(words) if rng.random() < 0.2 else None
    return " ".join(words)


def _lines(rng: Random, said: str, corpus: Sequence[str]) -> str:
    lines = said.split("\n")
    begin, end = sorted((rng.randrange(len(lines)), rng.randrange(len(lines))))
    lines[begin:end] = lines[begin:end] * rng.choice((0, 2, 2, 40)) if end - begin < 40 else []
    return "\n".join(lines)


def _case(rng: Random, said: str, corpus: Sequence[str]) -> str:
    return rng.choice(
        (
            str.upper,
            str.title,
            str.swapcase,
            lambda one: one[::-1],
            lambda one: one.replace(" ", "\n"),
            lambda one: one.replace(" ", ""),
        )
    )(said)


_TEXT: tuple[Callable[[Random, str, Sequence[str]], str], ...] = (
    _splice,
    _strew,
    _strew,
    _swap,
    _swap,
    _swell,
    _nest,
    _drop,
    _words,
    _words,
    _lines,
    _case,
)


def raw(rng: Random, corpus: Sequence[bytes]) -> bytes:
    """Bytes made of those of a corpus: as text that is not one, and byte by byte."""
    said = rng.choice(corpus)
    if rng.random() < 0.6:
        letters = [one.decode("latin-1") for one in (said, *(rng.choice(corpus) for _ in range(2)))]
        said = text(rng, letters).encode("utf-8" if rng.random() < 0.4 else "latin-1", "replace")
    for _ in range(rng.choice((0, 1, 2, 3))):
        begin, end = _place(rng, said)
        way = rng.randrange(4)
        if way == 0 and said:
            at = rng.randrange(len(said))
            said = said[:at] + bytes([rng.randrange(256)]) + said[at + 1 :]
        elif way == 1:
            said = said[:begin] + rng.choice(_RAW) * rng.choice((1, 1, 2, 300, 20_000)) + said[end:]
        elif way == 2:
            said = said[: rng.randint(0, len(said))]
        else:
            said = said[:begin] + said[begin:end] * rng.choice((2, 30, 3000)) + said[end:]
    return said[:LONGEST]


def shaped(rng: Random, corpus: Sequence[str]) -> str:
    """JSON of the shape of a corpus's, with other values and parts where they were; sometimes no JSON."""
    value = json.loads(rng.choice(corpus))
    for _ in range(rng.choice((1, 1, 2, 3, 6))):
        value = _changed(rng, value, corpus)
    try:
        said = json.dumps(value)
    except (RecursionError, ValueError):
        said = "[" * 50_000
    if rng.random() < 0.08:
        said = text(rng, [said])
    return said[:LONGEST]


def _changed(rng: Random, value: Any, corpus: Sequence[str]) -> Any:
    places = list(_walk(value, ()))
    path = rng.choice(places)
    if not path:
        return value if rng.random() < 0.7 else _other(rng, value, corpus)
    home = value
    for step in path[:-1]:
        home = home[step]
    last, way = path[-1], rng.random()
    if way < 0.15:
        del home[last]
    elif way < 0.25 and isinstance(home, dict):
        home[rng.choice(HOSTILE)] = home[last]
    elif way < 0.32 and isinstance(home, list):
        home[last:last] = [home[last]] * rng.choice((1, 30, 2000))
    else:
        home[last] = _other(rng, home[last], corpus)
    return value


def _other(rng: Random, value: Any, corpus: Sequence[str]) -> Any:
    way = rng.random()
    if isinstance(value, str) and way < 0.5:
        return text(rng, [value, "a", *(rng.sample(list(corpus), 1) if rng.random() < 0.1 else ())])
    if isinstance(value, int) and way < 0.3:
        return value + rng.choice((-1, 1, 2**31, 2**63, -value))
    if way < 0.6:
        return rng.choice(_VALUES)
    if way < 0.7:
        return [value]
    if way < 0.75:
        return {"a": value}
    if way < 0.8:
        deep: Any = value
        for _ in range(rng.choice((5, 60, 900))):
            deep = [deep] if rng.random() < 0.5 else {"a": deep}
        return deep
    other = json.loads(rng.choice(corpus))
    path = rng.choice(list(_walk(other, ())))
    for step in path:
        other = other[step]
    return other


def _walk(value: Any, path: tuple[Any, ...], most: int = 12) -> Any:
    yield path
    if len(path) < most:
        if isinstance(value, dict):
            for key in list(value)[:60]:
                yield from _walk(value[key], (*path, key))
        elif isinstance(value, list):
            for place in range(min(len(value), 20)):
                yield from _walk(value[place], (*path, place))
