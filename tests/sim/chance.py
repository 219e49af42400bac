"""Everything that chance and the machine's clocks say, from a seed and a virtual clock: one seed is one run,
to the byte.

Within `fixed` the interpreter's sources of chance (`os.urandom` and with it `secrets` and `uuid`, the module
`random`) draw from the seed, and its clocks (`time`, and `datetime` where the referee and its scheduler ask
it for the hour) show virtual time.
"""

from __future__ import annotations

import datetime as calendar
import hashlib
import random
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest import mock

#: modules that ask `datetime` for the hour
_CALENDARS = (
    "apscheduler.schedulers.base",
    "apscheduler.triggers.date",
    "apscheduler.triggers.interval",
    "apscheduler.executors.base",
    "referee.service.schedule.scheduler",
)


class Source:
    """Bytes from a seed."""

    def __init__(self, seed: object) -> None:
        self._seed, self._n = str(seed).encode(), 0

    def __call__(self, size: int) -> bytes:
        found = b""
        while len(found) < size:
            self._n += 1
            found += hashlib.sha256(self._seed + self._n.to_bytes(8, "big")).digest()
        return found[:size]


@contextmanager
def fixed(seed: object, wall_s: Callable[[], float], steady_s: Callable[[], float]) -> Iterator[None]:
    """`wall_s` is UTC in seconds, `steady_s` a clock that nobody sets; both virtual."""
    source = Source(seed)

    class Hour(calendar.datetime):
        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return calendar.datetime.fromtimestamp(wall_s(), tz)

    state = random.getstate()
    with ExitStack() as stack:
        put = lambda *given: stack.enter_context(mock.patch(*given))  # noqa: E731 - said a dozen times
        put("os.urandom", source)
        put("random._urandom", source)
        put("os.getpid", lambda: 4242)
        put("time.time", wall_s)
        put("time.time_ns", lambda: round(wall_s() * 1000) * 1_000_000)
        put("time.monotonic", steady_s)
        put("time.monotonic_ns", lambda: round(steady_s() * 1e9))
        put("time.thread_time_ns", lambda: 0)
        put(
            "time.thread_time", lambda: 0.0
        )  # what a message costs is measured elsewhere: no two runs take the same time
        put("time.clock_gettime_ns", lambda which: round(steady_s() * 1e9))
        for module in _CALENDARS:
            put(f"{module}.datetime", Hour)
        random.seed(f"{seed}")
        try:
            yield
        finally:
            random.setstate(state)


def real() -> tuple[Callable[[], float], Callable[[], float]]:
    """The machine's own clocks, kept from before: (wall, processor) seconds. For figures, never for what
    happens.
    """
    return _WALL, _WORK


_WALL, _WORK = time.monotonic, time.process_time
