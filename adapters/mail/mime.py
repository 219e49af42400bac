"""The parts of a mail, read by the standard library after they were cut to size.

Its reading of header fields takes quadratic time (100 kB of ``a=";;;`` took 15 s), and that of parts goes as
deep and as far as the mail says. So each field is cut before it is looked at, a type's parameters are written
anew, and parts are counted.
"""

from __future__ import annotations

import re
from email.feedparser import BytesFeedParser
from email.message import Message
from email.policy import Compat32
from typing import Any

from .charsets import known

#: characters of one field, and of those that list people or letters
FIELD, LONG_FIELD = 2_000, 8_000
#: fields of a header, and characters of all of them
FIELDS, HEADER = 200, 64_000
#: of a header without end no more bytes than these are looked at
HEAD = 2 * HEADER
#: parts of a mail, and how deep one may lie in another
PARTS, DEPTH = 100, 10
_LONG = frozenset(
    {
        "to",
        "cc",
        "delivered-to",
        "x-original-to",
        "envelope-to",
        "x-envelope-to",
        "in-reply-to",
        "references",
        "authentication-results",
    }
)
#: read also where hundreds of others stand before them, the first of each
_NEEDED = frozenset(
    {
        "from",
        "to",
        "cc",
        "subject",
        "date",
        "message-id",
        "in-reply-to",
        "references",
        "return-path",
        "delivered-to",
        "auto-submitted",
        "precedence",
        "authentication-results",
        "content-type",
        "content-transfer-encoding",
        "content-disposition",
        "content-id",
    }
)
_TYPED = frozenset({"content-type", "content-disposition"})
_PARAMETER = re.compile(
    r';\s{0,40}([A-Za-z][A-Za-z0-9_*-]{0,40})\s{0,5}=\s{0,5}(?:"((?:[^"\\]|\\.){0,300})"|([^;"]{0,300}))'
)
_PARAMETERS = 12
_BLANK = re.compile(rb"\n\r?\n|\r\r")
_ODD = re.compile(r"[^ !#-:<-\[\]-~]")
_BROKEN_END = re.compile("[\udc80-\udcff]{1,3}$")


class TooManyParts(ValueError):
    """A mail of more parts than anybody writes."""


class Part(Message):
    """A mail or one of its parts.  `deep`: what lies in it is not looked at."""

    def __init__(self, policy: Any = None) -> None:
        super().__init__(policy=policy)
        self.deep = False
        self._size = 0
        self._needed: set[str] = set()

    def set_raw(self, name: str, value: Any) -> None:
        """A field as it was read, unless there are too many before it."""
        key = name.lower()
        if key in self._needed or key not in _NEEDED:
            if len(self._headers) >= FIELDS or self._size > HEADER:  # type: ignore[attr-defined]  # typeshed leaves it out
                return
        else:
            self._needed.add(key)
        if key in _TYPED:
            value = rewritten(value)
            if self.deep and key == "content-type" and value.lower().startswith(("multipart/", "message/")):
                value = "application/octet-stream"
        self._size += len(name) + len(value)
        super().set_raw(name, value)


class _TruncatingPolicy(Compat32):
    """How fields are taken from their lines: no more of each than is read."""

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        name, _, first = sourcelines[0].partition(":")
        most = LONG_FIELD if name.lower() in _LONG else FIELD
        value = first.lstrip(" \t") + "".join(sourcelines[1:])
        if len(value) > most:  # of the letters that a mail answers, the last ones are ours
            value = value[-most:] if name.lower() == "references" else _BROKEN_END.sub("", value[:most])
        return name[:100], value.rstrip("\r\n")


class _Parser(BytesFeedParser):
    """Counts the parts."""

    def __init__(self) -> None:
        super().__init__(Part, policy=_TruncatingPolicy())
        self._left = PARTS

    def _new_message(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise TooManyParts(f"more than {PARTS} parts")
        super()._new_message()  # type: ignore[misc]  # typeshed leaves it out
        if len(self._msgstack) > DEPTH:  # type: ignore[attr-defined]  # as above
            self._cur.deep = True  # type: ignore[attr-defined]  # as above
            self._cur.set_default_type("application/octet-stream")  # type: ignore[attr-defined]  # as above


def parsed(raw: bytes) -> Message:
    """A mail.  Raises TooManyParts; takes time in proportion to its bytes."""
    parser = _Parser()
    parser.feed(_shortened(raw))
    mail: Message = parser.close()
    return mail


def _shortened(raw: bytes) -> bytes:
    """Without the end of a header that no mail has."""
    end = _BLANK.search(raw)
    head = len(raw) if end is None else end.start()
    if head <= HEAD:
        return raw
    return raw[: raw.rfind(b"\n", 0, HEAD) + 1 or HEAD] + raw[head:]


def rewritten(value: str) -> str:
    """A type or disposition with its parameters in plain form: at most a dozen, each once, without signs that
    need quoting; a charset that mails are not written in is left out.
    """
    kind, _, rest = value.partition(";")
    found: dict[str, str] = {}
    for match in _PARAMETER.finditer(";" + rest):
        name, quoted, bare = match.groups()
        name, said = name.lower(), re.sub(r"\\(.)", r"\1", quoted) if quoted is not None else bare.strip()
        if name.endswith("*") and said.count("'") >= 2:
            name, said = name[:-1], said.split("'", 2)[2]  # RFC 2231: charset'language'words
        if name == "charset":
            said = known(said)
        said = _ODD.sub("_", said)
        if said and len(found) < _PARAMETERS:
            found.setdefault(name, said)
    return "; ".join([" ".join(kind.split())[:100], *(f'{name}="{said}"' for name, said in found.items())])
