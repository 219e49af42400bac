"""Texts too long for one message, cut at line ends so that every part stands by itself.

Telegram takes 4096 UTF-16 units a message, counted after the markup was read.  A tag that is open at a cut is
closed there and opened again in the next part; a character reference is never cut in two.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass

LONGEST = 4096
TOKEN = re.compile(
    (
        r"<(?P<end>/?)(?P<name>[A-Za-z][A-Za-z0-9-]*)(?:\s[^<>]*)?>|&(?:[a-z]{2,5}|#[0-9]{1,7}|"
        r"#[xX][0-9a-fA-F]{1,6});|."
    ),
    re.DOTALL,
)
# nothing may be cut off from what it changes: joiners, variation selectors, skin tones, combining marks,
# flags
CLINGS = re.compile("[\u200d\ufe00-\ufe0f\u0300-\u036f\u20e3\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]")
MOST_CLINGING = 12


@dataclass(frozen=True, slots=True)
class MessagePart:
    """One message: in Telegram's HTML ("" for none), and in plain words."""

    html: str
    plain: str


@dataclass(frozen=True, slots=True)
class _Token:
    raw: str
    shown: str  # "" for a tag
    size: int  # UTF-16 units of `shown`
    name: str = ""  # of a tag
    end: bool = False


def utf16(text: str) -> int:
    """The length of `text` as Telegram counts it."""
    return len(text) + sum(letter > "\uffff" for letter in text)


def parts(text: str, markup: str = "", longest: int = LONGEST) -> list[MessagePart]:
    """The messages that carry `text` (or `markup`, which says the same), in order; none for nothing but white
    space.
    """
    source = markup or text
    if utf16(source) <= longest:
        return [MessagePart(markup, text)] if source.strip() else []
    tokens = _tokens(source) if markup else [_Token(letter, letter, utf16(letter)) for letter in text]
    out: list[MessagePart] = []
    opened: list[_Token] = []
    at = 0
    while at < len(tokens):
        cut = _cut(tokens, at, longest)
        piece = tokens[at:cut]
        plain = "".join(one.shown for one in piece)
        before = "".join(one.raw for one in opened)
        for one in piece:
            _follow(opened, one)
        if plain.strip():
            body = (
                before
                + "".join(one.raw for one in piece).strip("\n")
                + "".join(f"</{one.name}>" for one in reversed(opened))
            )
            out.append(MessagePart(body if markup else "", plain.strip("\n")))
        at = cut
    return out


def _tokens(source: str) -> list[_Token]:
    out = []
    for hit in TOKEN.finditer(source):
        if hit["name"]:
            out.append(_Token(hit[0], "", 0, hit["name"].lower(), bool(hit["end"])))
        else:
            shown = html.unescape(hit[0])
            out.append(_Token(hit[0], shown, utf16(shown)))
    return out


def _cut(tokens: list[_Token], start: int, longest: int) -> int:
    """Where the part that begins at `start` ends: after the last line end that fits, else a space, else
    anywhere that harms nothing.
    """
    size, at, line, space = 0, start, 0, 0
    while at < len(tokens) and size + tokens[at].size <= longest:
        size += tokens[at].size
        at += 1
        if tokens[at - 1].shown == "\n":
            line = at
        elif tokens[at - 1].shown == " ":
            space = at
    if at == len(tokens):
        return at
    if line or space:
        return line or space
    back = at
    while back > max(start + 1, at - MOST_CLINGING) and (
        CLINGS.match(tokens[back].shown) or tokens[back - 1].shown == "\u200d"
    ):
        back -= 1
    return back if back > max(start + 1, at - MOST_CLINGING) else at


def _follow(opened: list[_Token], one: _Token) -> None:
    if one.name and not one.end:
        opened.append(one)
    elif one.name and opened and opened[-1].name == one.name:
        opened.pop()
