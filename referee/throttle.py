"""A log that nobody can fill: of lines of one kind that many in a while, then one that says how many were
left out.

What is told at warning or above often tells of what strangers do, and they may do it ten thousand times a
second. A line's kind is who writes it, and its words before anything is put into them.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable

#: this many lines of a kind in this many seconds; this many kinds are remembered
MOST, WITHIN_S, KINDS = 20, 10.0, 500
Kind = tuple[str, int, str, str]


def kind_of(record: logging.LogRecord) -> Kind:
    """What makes two lines the same: their logger, level, words (a library's own up to where they differ) and
    what broke.
    """
    broke = record.exc_info[0].__name__ if record.exc_info and record.exc_info[0] is not None else ""
    return record.name, record.levelno, str(record.msg).partition("\n")[0][:80], broke


class Throttle(logging.Filter):
    """On a handler.  `say` writes a line of our own past the filter."""

    def __init__(
        self, say: Callable[[logging.LogRecord], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__()
        self._say, self._clock, self._lock = say, clock, threading.Lock()
        self._kinds: OrderedDict[Kind, list[float]] = OrderedDict()  # since when, how many since then
        self._looked = 0.0

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether this line is written."""
        now = self._clock()
        with self._lock:
            over = self._over(now)
            written = record.levelno < logging.WARNING or self._counted(kind_of(record), now)
            while len(self._kinds) > KINDS:
                over.append(self._kinds.popitem(last=False))
        for kind, (_, count) in over:
            if count > MOST:
                self._say(_told(kind, int(count) - MOST))
        return written

    def _counted(self, kind: Kind, now: float) -> bool:
        entry = self._kinds.setdefault(kind, [now, 0])
        entry[1] += 1
        return entry[1] <= MOST

    def _over(self, now: float) -> list[tuple[Kind, list[float]]]:
        """Those whose time is over, forgotten; looked for once a second."""
        if now - self._looked < 1.0:
            return []
        self._looked = now
        over = [(kind, entry) for kind, entry in self._kinds.items() if now - entry[0] >= WITHIN_S]
        for kind, _ in over:
            del self._kinds[kind]
        return over


def _told(kind: Kind, count: int) -> logging.LogRecord:
    name, level, words, broke = kind
    line = logging.LogRecord(
        name, level, "", 0, "%d more lines like this: %s", (count, f"{words} {broke}".strip()), None
    )
    line.throttled = count
    return line
