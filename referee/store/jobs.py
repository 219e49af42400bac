"""Errands: a job on its way to a thread of the store, and its answer on the way back.

A thread takes errands in the order in which they came, up to `most` of those that wait.  The
answers of one round are handed to an event loop in one call: waking it once is most of the cost.
Who stops waiting (a cancelled task) does not stop the job: it is done whole or not at all.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import logging
import threading
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple

from referee.store.errors import StoreClosed

log = logging.getLogger(__name__)

Waiting = asyncio.Future[Any] | concurrent.futures.Future[Any]


class Job(NamedTuple):
    """A job, and who waits for it."""

    job: Callable[[Any], Any]
    waiting: Waiting
    loop: asyncio.AbstractEventLoop | None


class JobResult(NamedTuple):
    """What became of it."""

    errand: Job
    result: Any = None
    error: BaseException | None = None


class JobThread(ABC):
    """A thread that does errands, up to `most` in one go."""

    def __init__(self, name: str, most: int) -> None:
        self._most = most
        self._queue: SimpleQueue[Job | None] = SimpleQueue()
        self._gate = threading.Lock()  # nothing may enter the queue behind the None that ends it
        self._open = True  # for those who ask
        self._open_ended = True  # for the thread: the None has not come yet
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)
        self._thread.start()

    @abstractmethod
    def _serve(self, errands: list[Job]) -> list[JobResult]:
        """Do the first, and as many of the next as is good; their answers in order, at least one.

        Must not raise.
        """

    @abstractmethod
    def _leave(self) -> None:
        """Called last, in the thread."""

    async def ask(self, job: Callable[[Any], Any]) -> Any:
        """Have it done and wait for the answer."""
        loop = asyncio.get_running_loop()
        waiting = loop.create_future()
        self._enter(Job(job, waiting, loop))
        return await waiting

    def ask_now(self, job: Callable[[Any], Any]) -> Any:
        """The same, blocking this thread."""
        if threading.current_thread() is self._thread:
            raise RuntimeError("a job must not wait for the thread that runs it")
        waiting: concurrent.futures.Future[Any] = concurrent.futures.Future()
        self._enter(Job(job, waiting, None))
        return waiting.result()

    def end(self) -> None:
        """Do what was asked so far, then stop.  Blocks; a second time does nothing."""
        with self._gate:
            if self._open:
                self._open = False
                self._queue.put(None)
        self._thread.join()

    def _enter(self, errand: Job) -> None:
        with self._gate:
            if not self._open:
                raise StoreClosed("the store is closed")
            self._queue.put(errand)

    def _work(self) -> None:
        waiting: deque[Job] = deque()
        while True:
            while self._open_ended and len(waiting) < self._most:
                try:
                    another = self._queue.get(block=not waiting)
                except Empty:
                    break
                if another is None:
                    self._open_ended = False
                else:
                    waiting.append(another)
            if not waiting:
                break
            answers = self._serve(list(waiting))
            for _ in answers:
                waiting.popleft()
            _deliver(answers)
        self._leave()


def attempt(job: Callable[[Any], Any], given: Any, errand: Job) -> JobResult:
    """Run a job; what it raises becomes its answer."""
    try:
        return JobResult(errand, job(given))
    except StopIteration as error:  # a future can't carry it
        told = RuntimeError("the job raised StopIteration")
        told.__cause__ = error
        return JobResult(errand, None, told)
    except BaseException as error:  # whatever it is belongs to the one who asked; this thread goes on
        return JobResult(errand, None, error)


def _deliver(answers: list[JobResult]) -> None:
    loops: dict[asyncio.AbstractEventLoop, list[JobResult]] = {}
    for answer in answers:
        if answer.errand.loop is None:
            _settle([answer])
        else:
            loops.setdefault(answer.errand.loop, []).append(answer)
    for loop, mine in loops.items():
        try:
            loop.call_soon_threadsafe(_settle, mine)
        except RuntimeError:  # that loop is closed: nobody waits any more, and what was committed stays
            log.warning("nobody waits for %d answers of the store", len(mine))


def _settle(answers: list[JobResult]) -> None:
    for errand, result, error in answers:
        if errand.waiting.done():  # cancelled
            if error is not None:
                log.warning("a job failed after its caller had gone: %r", error)
        elif error is not None:
            errand.waiting.set_exception(error)
        else:
            errand.waiting.set_result(result)
