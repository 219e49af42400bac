"""An event loop whose time is virtual: where nothing is ready it jumps to the next timer, and nothing real is
ever waited for.

Whatever runs on it belongs to a `Life`: to the referee's process as it is now, or (None) to the world around
it, which is never killed. A life is inherited as context is: by tasks, callbacks and timers. When it ends,
nothing of it runs any more, not even a `finally`, as with SIGKILL.
"""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import heapq
import time
from collections.abc import Callable
from typing import Any

#: processor seconds that one step of the referee may take
SLOW_S = 1.0
_work = time.thread_time


class Life:
    """One process, from its start to its kill.

    `left` steps more are granted; None: as many as it likes. `ended` is called once, in the world.
    """

    def __init__(self, number: int, ended: Callable[[Life, str], None]) -> None:
        self.number = number
        self.dead = False
        self.left: int | None = None
        self.steps = 0
        self.tasks: list[asyncio.Task[Any]] = []
        self._ended = ended

    def end(self, why: str) -> None:
        """Kill it, now."""
        if not self.dead:
            self.dead = True
            self._ended(self, why)

    def step(self) -> bool:
        """Whether it may do one thing more."""
        if self.dead:
            return False
        self.steps += 1
        if self.left is not None:
            self.left -= 1
            if self.left < 0:
                self.end("killed")
                return False
        return True


LIFE: contextvars.ContextVar[Life | None] = contextvars.ContextVar("life", default=None)


class _Step(asyncio.Handle):
    def _run(self) -> None:
        life = self._context.get(LIFE)
        if life is None:
            super()._run()
        elif life.step():
            begun = _work()
            super()._run()
            took = _work() - begun
            if took > SLOW_S:
                self._loop.slow.append(f"{self._callback!r:.200} took {took:.1f} s")


class _Timed(asyncio.TimerHandle):
    def _run(self) -> None:
        life = self._context.get(LIFE)
        if life is None:
            super()._run()
        elif life.step():
            begun = _work()
            super()._run()
            took = _work() - begun
            if took > SLOW_S:
                self._loop.slow.append(f"{self._callback!r:.200} took {took:.1f} s")


#: no world lasts a year: what goes on for longer waits for something that never comes
LONGEST_S = 365 * 86_400.0


class Stalled(Exception):
    """Nothing is ready and no timer is set, or nothing but timers for a year: nothing will ever happen
    again.
    """


class _Nothing:
    """What the loop takes for its selector: no file ever has news, and waiting is moving the clock."""

    def __init__(self, loop: VirtualLoop) -> None:
        self._loop = loop

    def select(self, timeout: float | None) -> list[Any]:
        if timeout is None or self._loop.now > LONGEST_S:
            raise Stalled
        self._loop.now += timeout
        return []


class VirtualLoop(asyncio.BaseEventLoop):
    """`now` is virtual seconds; `turns` counts the loop's rounds."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 1_000.0
        self._selector = _Nothing(self)
        # after 97 days the next float is further away than a nanosecond, and a timer that is due now would
        # not be
        self._clock_resolution = 1e-6
        #: what ended badly and nobody looked at
        self.unhandled: list[str] = []
        #: steps that took long on the processor
        self.slow: list[str] = []
        self.set_exception_handler(self._noted)

    def time(self) -> float:
        return self.now

    def run_in_executor(self, executor: Any, func: Callable[..., Any], *args: Any) -> asyncio.Future[Any]:
        """At once and here: what a thread would do while others go on is one step."""
        future = self.create_future()
        try:
            future.set_result(func(*args))
        except Exception as error:
            future.set_exception(error)
        return future

    def create_task(
        self, coro: Any, *, name: str | None = None, context: contextvars.Context | None = None
    ) -> Any:
        task = super().create_task(coro, name=name, context=context)
        life = LIFE.get() if context is None else context.get(LIFE)
        if life is not None:
            life.tasks.append(task)
            if len(life.tasks) > 2_000:
                life.tasks = [one for one in life.tasks if not one.done()]
        return task

    def call_at(
        self,
        when: float,
        callback: Callable[..., Any],
        *args: Any,
        context: contextvars.Context | None = None,
    ) -> asyncio.TimerHandle:
        if when is None:
            raise TypeError("when cannot be None")
        timer = _Timed(when, callback, args, self, context)
        heapq.heappush(self._scheduled, timer)
        timer._scheduled = True
        return timer

    def _call_soon(
        self, callback: Callable[..., Any], args: Any, context: contextvars.Context | None
    ) -> asyncio.Handle:
        handle = _Step(callback, args, self, context)
        self._ready.append(handle)
        return handle

    def _process_events(self, events: Any) -> None:
        pass

    def _write_to_self(self) -> None:
        pass

    def _noted(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        self.unhandled.append(f"{context.get('message')}: {type(error).__name__}: {error}")


def forgotten(lives: list[Life]) -> list[str]:
    """What ended badly in the last life, which was stopped in good order, and nobody looked at.

    (Those of lives that were killed had no time to.)
    """
    return [
        f"{task.get_name()}: {task.exception()!r}"
        for task in lives[-1].tasks
        if task.done() and not task.cancelled() and task._log_traceback
    ]


def bury(lives: list[Life]) -> None:
    """Close what dead lives left behind; afterwards nothing of them is reported as forgotten.

    Only when the run is over.
    """
    for life in lives:
        for task in life.tasks:
            if not task.done():
                task._log_destroy_pending = False  # it was killed: nobody awaits it
                with contextlib.suppress(
                    RuntimeError, ValueError
                ):  # a `finally` that awaits, or one that is being run
                    task.get_coro().close()
