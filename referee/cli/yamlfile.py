"""A YAML file whose writer is not trusted: plain lists, mappings, words, whole numbers, yes and no; nothing
that grows when it is read.

The page is taken piece by piece from the parser, so it is refused as soon as it is too large or too deep; and
an alias, by which ten lines can stand for a billion, counts as much as what it stands for.
"""

from __future__ import annotations

import re
from typing import Any

import yaml

#: bytes of a file, pieces of it (a word, a beginning, an end), and how deep a list may be within lists
LARGEST, PIECES, DEEPEST = 400_000, 20_000, 16
_WHOLE = re.compile(r"-?[0-9]{1,9}")
_PLAIN = {"": None, "~": None, "null": None, "true": True, "false": False}


class YamlFault(ValueError):
    """A page that is not taken; `code` is a sentence of [rules] in admin.toml, `facts` what it needs."""

    def __init__(self, code: str, **facts: Any) -> None:
        super().__init__(code, facts)
        self.code, self.facts = code, facts


def parsed(text: str) -> Any:
    """What the page says.  Raises YamlFault."""
    if len(text) > LARGEST:
        raise YamlFault("too-large", most=LARGEST)
    try:
        return _built(text)
    except yaml.YAMLError as error:
        raise YamlFault("not-yaml", why=" ".join(str(error).split())[:300]) from error
    except UnicodeEncodeError as error:  # half of a sign, which no file in UTF-8 holds
        raise YamlFault("not-yaml", why=type(error).__name__) from error


class _Open:
    """A list or a mapping that has begun.

    `before`: pieces before it; `height`: how many levels are in it.
    """

    def __init__(self, made: Any, anchor: str, before: int) -> None:
        self.made, self.anchor, self.before = made, anchor, before
        self.height = 1
        self.key: list[Any] = []  # the one that waits for its value


def _built(text: str) -> Any:
    """The parser's pieces put together, without recursion."""
    building = _Building()
    for piece in yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
        building.take(piece)
    if len(building.top) > 1:
        raise YamlFault("one-page")
    return building.top[0] if building.top else None


class _Building:
    """What is being put together.  An alias weighs as much as what it stands for.

    `top`: the pages; `anchors`: what each stands for, its weight and its height.
    """

    def __init__(self) -> None:
        self.top: list[Any] = []
        self.open = [_Open(self.top, "", 0)]
        self.anchors: dict[str, tuple[Any, int, int]] = {}
        self.pieces = 0

    def take(self, piece: yaml.Event) -> None:
        """One piece more."""
        line = (piece.start_mark.line if piece.start_mark is not None else 0) + 1
        if str(getattr(piece, "tag", None) or "!").rstrip("!"):
            raise YamlFault("no-tags", line=line)
        self.pieces += 1
        value, height = self._value(piece, line)
        if self.pieces > PIECES:
            raise YamlFault("too-large", most=LARGEST)
        if isinstance(piece, yaml.NodeEvent):
            _put(self.open[-1], value, line)
            self.open[-1].height = max(self.open[-1].height, height + 1)
        if isinstance(piece, yaml.CollectionStartEvent):
            self.open.append(_Open(value, _anchor(piece), self.pieces))
        if len(self.open) + height > DEEPEST:
            raise YamlFault("too-deep", line=line, most=DEEPEST)

    def _value(self, piece: yaml.Event, line: int) -> tuple[Any, int]:
        """What a piece is, and how many levels are in it; nothing for one that is no value."""
        anchor = _anchor(piece)
        if isinstance(piece, yaml.AliasEvent):
            if anchor not in self.anchors:
                raise YamlFault("no-anchor", line=line, name=anchor[:40])
            value, weight, height = self.anchors[anchor]
            self.pieces += weight
            return value, height
        if isinstance(piece, yaml.ScalarEvent):
            value = _scalar(piece)
            if anchor:
                self.anchors[anchor] = value, 1, 0
            return value, 0
        if isinstance(piece, yaml.CollectionStartEvent):
            return [] if isinstance(piece, yaml.SequenceStartEvent) else {}, 0
        if isinstance(piece, yaml.CollectionEndEvent):
            self._close()
        return None, 0

    def _close(self) -> None:
        """The innermost list or mapping ends."""
        done = self.open.pop()
        self.open[-1].height = max(self.open[-1].height, done.height + 1)
        if done.anchor:
            self.anchors[done.anchor] = done.made, self.pieces - done.before, done.height


def _anchor(piece: yaml.Event) -> str:
    """The name that a piece has or stands for, "" for none."""
    return str(getattr(piece, "anchor", None) or "")


def _put(into: _Open, value: Any, line: int) -> None:
    home = into.made
    if isinstance(home, list):
        home.append(value)
    elif into.key:
        home[into.key.pop()] = value
    elif isinstance(value, list | dict) or value in home:
        raise YamlFault("bad-key", line=line)
    else:
        into.key.append(value)


def _scalar(piece: Any) -> Any:
    said = str(piece.value)
    if piece.style:  # in quotes, or a block of text
        return said
    return int(said) if _WHOLE.fullmatch(said) else _PLAIN.get(said, said)
