"""What is said over the socket: one JSON object a line, in both directions.

From the seat                              From the referee
  {"hello": NAME, "key": K}                  {"welcome": NAME, "key": K}; "language": "pt_BR" may stand in a
    hello
  {"say": TEXT, "key": K, "about": ID}       {"heard": K}     it is on disk; the letter that a number is about
    may be left out
                                             {"later": K}     it could not be written: say it again
                                             {"refused": CODE, "key": K}
  {"shown": ID}                              {"letter": {"id", "subject", "text", "markup", "orders",
                                              "numbered"}}

A seat repeats what was not heard after a new hello, under the same key; so nothing
is lost when the referee is restarted, and nothing is heard twice.
"""

from __future__ import annotations

import json
import unicodedata
from asyncio import IncompleteReadError, LimitOverrunError, StreamReader
from typing import Any

from referee import wirejson

#: the longest line in bytes; longer ones end the connection
LIMIT = 512 * 1024
#: the longest name, in characters
NAME_LIMIT = 40


class ProtocolError(Exception):
    """The other side does not speak this protocol.  `code` names what was wrong."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def packed(message: dict[str, Any]) -> bytes:
    """One line.  Lone surrogates, which no UTF-8 can carry, become question marks."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace") + b"\n"


async def unpacked(reader: StreamReader) -> dict[str, Any] | None:
    """The next object, or None at the end; raises `ProtocolError`."""
    try:
        line = await reader.readuntil(b"\n")
    except IncompleteReadError:
        return None
    except LimitOverrunError as error:
        raise ProtocolError("too-long") from error
    try:
        message = wirejson.loads(line)
    except (ValueError, RecursionError) as error:
        raise ProtocolError("not-json") from error
    if not isinstance(message, dict):
        raise ProtocolError("not-an-object")
    return message


def as_name(raw: object) -> str | None:
    """A name as an address: NFC, one line, 1 to 40 printable characters; None if it can't be one."""
    if not isinstance(raw, str):
        return None
    name = unicodedata.normalize("NFC", raw).strip()
    return name if 0 < len(name) <= NAME_LIMIT and name.isprintable() else None
