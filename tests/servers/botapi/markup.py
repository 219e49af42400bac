"""Telegram's HTML: what a bot writes, and what a reader sees of it.

Offsets and lengths count UTF-16 units, as on the real wire.  A text that is not well formed is
refused whole, with the byte at which the reading stopped.
"""

from __future__ import annotations

import re
from typing import Any

from .errors import bad

KINDS = {
    "b": "bold",
    "strong": "bold",
    "i": "italic",
    "em": "italic",
    "u": "underline",
    "ins": "underline",
    "s": "strikethrough",
    "strike": "strikethrough",
    "del": "strikethrough",
    "code": "code",
    "pre": "pre",
    "a": "text_link",
    "tg-spoiler": "spoiler",
    "span": "spoiler",
    "blockquote": "blockquote",
    "tg-emoji": "custom_emoji",
}
TAG = re.compile(
    r"<(/?)([A-Za-z][A-Za-z0-9-]*)((?:\s+[A-Za-z-]+(?:\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s\"'>]+))?)*)\s*>"
)
ATTRIBUTE = re.compile(r"([A-Za-z-]+)(?:\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+)))?")
REFERENCE = re.compile(r"&(lt|gt|amp|quot|#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6});")
NAMED = {"lt": "<", "gt": ">", "amp": "&", "quot": '"'}
COMMAND = re.compile(r"(?<![\w/])/[A-Za-z0-9_]{1,64}(?:@[A-Za-z0-9_]{3,32})?")
MENTION = re.compile(r"(?<![\w/@])@[A-Za-z0-9_]{3,32}(?!\w)")
MOST_ENTITIES = 100


def utf16(text: str) -> int:
    """The length of `text` in UTF-16 units."""
    return len(text) + sum(ord(letter) > 0xFFFF for letter in text)


def commands(text: str) -> list[dict[str, Any]]:
    """The ``bot_command`` entities of a text a person typed."""
    return [
        {"type": "bot_command", "offset": utf16(text[: hit.start()]), "length": utf16(hit.group())}
        for hit in COMMAND.finditer(text)
    ]


def mentions(text: str) -> list[dict[str, Any]]:
    """The ``mention`` entities of a text a person typed."""
    return [
        {"type": "mention", "offset": utf16(text[: hit.start()]), "length": utf16(hit.group())}
        for hit in MENTION.finditer(text)
    ]


def plain(text: str) -> tuple[str, list[dict[str, Any]]]:
    """A text without markup: trimmed, with its commands and mentions marked."""
    text = text.strip()
    return text, sorted(commands(text) + mentions(text), key=lambda one: int(one["offset"]))


def html(source: str) -> tuple[str, list[dict[str, Any]]]:
    """The visible text of `source` and its entities; refuses what is not well formed."""
    out: list[str] = []
    length = at = 0
    opened: list[tuple[str, int, dict[str, Any]]] = []
    entities: list[dict[str, Any]] = []

    def byte() -> int:
        return len(source[:at].encode())

    while at < len(source):
        letter = source[at]
        if letter == "<":
            hit = TAG.match(source, at)
            if hit is None:
                raise bad(
                    f'can\'t parse entities: Unsupported start tag "{source[at + 1 : at + 9]}" at '
                    f"byte offset {byte()}"
                )
            name = hit[2].lower()
            if hit[1]:
                if not opened:
                    raise bad(f"can't parse entities: Unexpected end tag at byte offset {byte()}")
                expected, offset, extra = opened.pop()
                if expected != name:
                    raise bad(
                        f"can't parse entities: Unmatched end tag at byte offset {byte()}, "
                        f'expected "</{expected}>", found "</{name}>"'
                    )
                if length > offset and extra.pop("keep", True):
                    entities.append(
                        {"type": KINDS[name], "offset": offset, "length": length - offset, **extra}
                    )
            else:
                if name not in KINDS:
                    raise bad(
                        f'can\'t parse entities: Unsupported start tag "{name}" at byte offset {byte()}'
                    )
                opened.append((name, length, _extra(name, hit[3], byte())))
            at = hit.end()
            continue
        if letter == "&" and (hit := REFERENCE.match(source, at)):
            shown = _character(hit[1])
            at = hit.end()
        else:
            shown = letter
            at += 1
        out.append(shown)
        length += utf16(shown)
    if opened:
        raise bad(f"can't parse entities: Can't find end tag corresponding to start tag \"{opened[-1][0]}\"")
    return _trimmed("".join(out), entities)


def _extra(name: str, attributes: str, byte: int) -> dict[str, Any]:
    given = {hit[1].lower(): hit[2] or hit[3] or hit[4] or "" for hit in ATTRIBUTE.finditer(attributes)}
    if name == "a":
        url = REFERENCE.sub(lambda hit: _character(hit[1]), given.get("href", ""))
        return (
            {"url": url} if url.startswith(("http://", "https://", "tg://", "mailto:")) else {"keep": False}
        )
    if name == "span" and given.get("class") != "tg-spoiler":
        raise bad(f'can\'t parse entities: Tag "span" must have class "tg-spoiler" at byte offset {byte}')
    if name == "blockquote" and "expandable" in given:
        return {"type": "expandable_blockquote"}
    if name == "tg-emoji":
        return {"custom_emoji_id": given.get("emoji-id", "")}
    return {}


def _character(name: str) -> str:
    if name in NAMED:
        return NAMED[name]
    code = int(name[2:], 16) if name[1] in "xX" else int(name[1:])
    return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else ""


def _trimmed(text: str, entities: list[dict[str, Any]]) -> tuple[str, list[dict[str, Any]]]:
    """Cut the white space at both ends, and the entities with it."""
    lead = utf16(text[: len(text) - len(text.lstrip())])
    text = text.strip()
    total = utf16(text)
    kept = []
    for entity in sorted(entities, key=lambda one: (one["offset"], -one["length"])):
        start = max(0, entity["offset"] - lead)
        end = min(total, entity["offset"] + entity["length"] - lead)
        if end > start:
            kept.append({**entity, "offset": start, "length": end - start})
    marked = [one for one in commands(text) if not any(_inside(one, other) for other in kept)]
    return text, sorted(kept[:MOST_ENTITIES] + marked, key=lambda one: one["offset"])[:MOST_ENTITIES]


def _inside(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return bool(
        other["type"] in ("code", "pre")
        and other["offset"] <= one["offset"] < other["offset"] + other["length"]
    )
