"""The referee's diary: one line an event, for a person or for a machine, without secrets.

Nobody can fill it: see `referee.throttle`. Which game and which seat a line is about is told by context
variables, so that nobody has to pass them down: ``with about(game=17, seat=2): …``. Facts of an event come as
`extra`.
"""

from __future__ import annotations

import json
import logging
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from typing import Any, Literal, TextIO

from .throttle import Throttle

_game: ContextVar[int | None] = ContextVar("game", default=None)
_seat: ContextVar[int | None] = ContextVar("seat", default=None)

#: what every record carries by itself; the rest is what `extra` brought
_PLAIN = frozenset(vars(logging.LogRecord("", 0, "", 0, "", (), None))) | {"message", "asctime", "taskName"}
#: libraries that tell of every request at "info", with addresses that hold tokens
_CHATTY = (
    "alembic",
    "httpx",
    "httpcore",
    "apscheduler",
    "nio",
    "telegram",
    "aiohttp.access",
    "peewee",
    "asyncio",
)


@contextmanager
def about(*, game: int | None = None, seat: int | None = None) -> Iterator[None]:
    """Lines written inside are about that game and seat."""
    kept = _game.set(game), _seat.set(seat)
    try:
        yield
    finally:
        _game.reset(kept[0])
        _seat.reset(kept[1])


def facts_of(record: logging.LogRecord) -> dict[str, Any]:
    """What a line tells besides its words: game, seat, and what `extra` brought."""
    facts: dict[str, Any] = {
        name: value for name, value in (("game", _game.get()), ("seat", _seat.get())) if value is not None
    }
    facts.update((name, value) for name, value in vars(record).items() if name not in _PLAIN)
    return facts


class Redacting(logging.Formatter):
    """A format after which no secret known at the start is left in the line."""

    def __init__(self, secrets: Iterable[str]) -> None:
        super().__init__()
        # a short one would tear holes into innocent words, and a longer one may contain a shorter one
        known = [one for one in secrets if len(one) >= 4]
        written = {
            form
            for one in known
            for form in (one, json.dumps(one, ensure_ascii=False)[1:-1], repr(one)[1:-1])
        }
        self.secrets = sorted(written, key=len, reverse=True)
        self.converter = time.gmtime

    def format(self, record: logging.LogRecord) -> str:
        line = self.line(record)
        for secret in self.secrets:
            line = line.replace(secret, "***")
        return line

    def line(self, record: logging.LogRecord) -> str:
        """The line before the secrets are taken out."""
        raise NotImplementedError

    def when(self, record: logging.LogRecord) -> str:
        """UTC to the millisecond."""
        return f"{self.formatTime(record, '%Y-%m-%dT%H:%M:%S')}.{int(record.msecs):03d}Z"


class Readable(Redacting):
    """For a person: time, level, who, what, and the facts as name=value."""

    def line(self, record: logging.LogRecord) -> str:
        facts = " ".join(f"{name}={value!r}" for name, value in facts_of(record).items())
        begun = f"{self.when(record)} {record.levelname.lower():7} {record.name}"
        line = f"{begun}: {record.getMessage()} {facts}".rstrip()
        if record.exc_info:
            line += "\n" + self.formatException(record.exc_info)
        return line


class Json(Redacting):
    """For a machine: one object a line, a traceback inside of it."""

    def line(self, record: logging.LogRecord) -> str:
        told = {
            "at": self.when(record),
            "level": record.levelname.lower(),
            "by": record.name,
            "what": record.getMessage(),
            **facts_of(record),
        }
        if record.exc_info:
            told["error"] = self.formatException(record.exc_info)
        return json.dumps(told, ensure_ascii=False, default=str)


def _past(handler: logging.Handler, record: logging.LogRecord) -> None:
    """Write a line past the handler's filters."""
    handler.acquire()
    try:
        handler.emit(record)
    finally:
        handler.release()


def begin(
    style: Literal["readable", "json"] = "readable",
    level: str = "info",
    secrets: Iterable[str] = (),
    stream: TextIO | None = None,
) -> None:
    """Write the log to `stream` (standard error by default); replaces what an earlier call set."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter((Json if style == "json" else Readable)(secrets))
    handler.addFilter(Throttle(partial(_past, handler)))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    for name in _CHATTY:
        logging.getLogger(name).setLevel(max(logging.WARNING, root.level))
