"""How much of the processor's time reading may take: a meter around it, and `spend` in every loop over what
somebody typed.

What is loaded once for everybody (a lexicon, the names of a deck) is nobody's expense: loaders are
`unmetered`. Nor is the search for garbage, which takes as long as the whole process is large: anyone whose
turn it falls into is not to blame for it.
"""

from __future__ import annotations

import functools
import gc
import threading
import time
from collections.abc import Callable
from contextvars import ContextVar
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")
#: until when (`_now_ns`) what is read now may go on, 0: for ever; and how much of this thread's time was
#: nobody's expense
_END_NS: ContextVar[int] = ContextVar("reading until", default=0)
_FREE_NS: ContextVar[int] = ContextVar("time that does not count", default=0)


class TooCostly(Exception):
    """Reading a message took all of its time."""


def spent_ms() -> float:
    """This thread's processor time without what does not count; only differences of it mean something."""
    return _now_ns() / 1_000_000


class metered:  # used as the context manager that it is; a generator costs each order twice as much
    """What is read within may cost so much processor time; then `spend` raises TooCostly.

    Within another one, the stricter of both counts. `then` is told at the end how many milliseconds it took.
    """

    def __init__(self, milliseconds: float, then: Callable[[float], None] | None = None) -> None:
        self._most_ns, self._then = round(milliseconds * 1_000_000), then

    def __enter__(self) -> None:
        self._begun_ns, outer = _now_ns(), _END_NS.get()
        end = self._begun_ns + self._most_ns
        self._token = _END_NS.set(min(end, outer) if outer else end)

    def __exit__(self, *_: object) -> None:
        _END_NS.reset(self._token)
        if self._then is not None:
            self._then((_now_ns() - self._begun_ns) / 1_000_000)


def spend() -> None:
    """Called where a reader loops over what somebody typed.  Raises TooCostly when its time is over."""
    end = _END_NS.get()
    if end and _now_ns() > end:
        raise TooCostly


def unmetered(load: Callable[P, R]) -> Callable[P, R]:
    """A function whose time does not count: it loads what is remembered from then on."""

    @functools.wraps(load)
    def loading(*args: P.args, **more: P.kwargs) -> R:
        begun = _now_ns()
        try:
            return load(*args, **more)
        finally:
            _FREE_NS.set(_FREE_NS.get() + max(0, _now_ns() - begun))

    return loading


def _collected(phase: str, _: dict[str, int]) -> None:
    """Called by the collector before and after it looks, in the thread whose work it interrupts."""
    if phase == "start":
        _COLLECTOR.begun_ns = time.thread_time_ns()
    else:
        _COLLECTOR.took_ns += time.thread_time_ns() - _COLLECTOR.begun_ns


class _Collector(threading.local):
    """Of one thread.

    No context variable: one that is set while another is being set breaks the interpreter.
    """

    begun_ns = took_ns = 0


_COLLECTOR = _Collector()
gc.callbacks.append(_collected)


def _now_ns() -> int:
    return time.thread_time_ns() - _COLLECTOR.took_ns - _FREE_NS.get()
