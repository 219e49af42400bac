"""On which of the machine's processors this process runs.

Python runs one of its threads at a time. Where they lie on several processors, each hand-over wakes another
processor up, which takes longer than most of what is handed over: on one processor the event loop and the
store's threads play a quarter to two fifths more orders a second (`bench.desk`). So the threads of a process
that serves keep to one. What it begins may run on all that it was given: processes that draw or think, and
threads that help the loop, as with a page that takes long.

Where the system knows no such thing (macOS), a unit forbids it, or this is a Python whose threads run at the
same time, nothing is changed.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

#: seconds between two looks where there is room, and for how long the system may choose
EVERY_S, LOOK_S = 60.0, 0.1
#: the processors that this process was given; none where its threads are not kept together
_given: set[int] = set()


def keep_together() -> None:
    """Let all threads of this process, and those that they begin, share the processor of the calling one."""
    one_at_a_time = getattr(sys, "_is_gil_enabled", lambda: True)()  # there is none to ask before 3.13
    if one_at_a_time and hasattr(os, "sched_setaffinity") and not _given:
        given = os.sched_getaffinity(0)
        with suppress(OSError):  # forbidden
            _gather(_threads())
            _given.update(given)


def let_go(process: int = 0) -> None:
    """Let a process that we began (0: the thread that calls) run on all processors that we were given."""
    if _given:
        with suppress(OSError):  # it has ended
            os.sched_setaffinity(process, _given)


async def follow() -> None:
    """Keep the threads where there is room: from time to time the system may put this one, the event loop's,
    where it likes, and the others go along. Threads that help the loop are let go from now on.
    """
    if not _given:
        return
    helping = ThreadPoolExecutor(thread_name_prefix="asyncio", initializer=let_go)
    asyncio.get_running_loop().set_default_executor(helping)
    while True:
        await asyncio.sleep(EVERY_S)
        kept = [thread for thread, places in _threads().items() if places != _given]
        let_go()
        await asyncio.sleep(LOOK_S)
        _gather(kept)


def _threads() -> dict[int, set[int]]:
    """Of each thread of this process where it may run."""
    found = {}
    for name in os.listdir("/proc/self/task"):
        with suppress(ProcessLookupError):  # it has ended
            found[int(name)] = os.sched_getaffinity(int(name))
    return found


def _gather(threads: Iterable[int]) -> None:
    """Raises OSError where that is not allowed."""
    stat = Path("/proc/thread-self/stat").read_text(encoding="ascii")
    here = {int(stat.rpartition(")")[2].split()[36])}
    for thread in threads:
        with suppress(ProcessLookupError):  # it has ended
            os.sched_setaffinity(thread, here)
