"""Inside the process that may die: one question after the other, each within its processor time, all within
so much memory.

The limits are the kernel's (setitimer, setrlimit), because a pattern that runs wild holds the interpreter,
and nothing written in Python would be heard. Nothing is read here beyond what is needed: anyone who begins
this process waits for it.
"""

from __future__ import annotations

import os
import resource
import select
import signal
import struct
import threading
import time
from collections.abc import Callable
from contextlib import suppress

#: before each message between the two processes: how many bytes it has
HEAD = struct.Struct("!I")
#: how the process ends when the memory was too small for a question
NO_MEMORY = 77


def serve(
    work: Callable[[bytes], bytes],
    *,
    cpu_s: float,
    memory: int,
    nice: int = 5,
    sealed: bool = False,
    idle: bool = False,
) -> None:
    """Answer questions until the other process is gone: each comes on standard input, its answer goes to
    standard output.

    `cpu_s`: seconds of processor time that one of them may take, then the process dies by SIGPROF. `memory`:
    bytes that it may need beyond what it has now, then it ends with NO_MEMORY. What `work` raises ends it,
    too. `nice`: by how much the other's work comes before ours. `sealed`: no file and no socket can be opened
    any more, so all that `work` needs is loaded before. `idle`: we get only what nobody else wants of the
    processor, where the system knows such a thing; who wakes up never waits for us then.
    """
    with suppress(OSError):  # a unit's list of system calls may forbid it: it works as well without
        os.nice(nice)
    if idle:
        _idle()
    threading.Thread(target=_leave, daemon=True).start()
    _bounded(memory)
    with suppress(OSError), os.fdopen(os.dup(0), "rb") as asked, os.fdopen(os.dup(1), "wb") as answered:
        os.dup2(2, 1)  # whatever prints, it is no answer
        if sealed:
            _sealed(answered.fileno())
        while len(head := asked.read(HEAD.size)) == HEAD.size:
            (size,) = HEAD.unpack(head)
            try:
                if len(question := asked.read(size)) < size:
                    return  # the other went while it spoke
                _timed(cpu_s)
                answer = work(question)
                signal.setitimer(signal.ITIMER_PROF, 0)
            except MemoryError:
                os._exit(NO_MEMORY)
            answered.write(HEAD.pack(len(answer)) + answer)
            answered.flush()


def _timed(cpu_s: float) -> None:
    """From now on so much processor time; SIGPROF ends the process.

    The limit by whole seconds stands behind it.
    """
    signal.setitimer(signal.ITIMER_PROF, cpu_s)
    with suppress(OSError, ValueError):  # a lower limit was set from outside: that one holds
        resource.setrlimit(
            resource.RLIMIT_CPU,
            (int(time.process_time() + cpu_s) + 2, resource.getrlimit(resource.RLIMIT_CPU)[1]),
        )


def _bounded(memory: int) -> None:
    """No more memory than that, no large file (what it prints may go to one), no dump of what was read."""
    limits = {resource.RLIMIT_CORE: 0, resource.RLIMIT_FSIZE: 1 << 24}
    # not Linux: there the memory is not limited, the time is
    with suppress(OSError, ValueError), open("/proc/self/statm", encoding="ascii") as file:
        limits[resource.RLIMIT_AS] = int(file.read().split()[0]) * resource.getpagesize() + memory
    for which, most in limits.items():
        with suppress(OSError, ValueError):  # a lower limit was set from outside: that one holds
            resource.setrlimit(which, (most, most))


def _idle() -> None:
    """To be niced is not enough: one that wakes up may still wait for the end of our slice."""
    with suppress(OSError, AttributeError):  # not Linux, or forbidden
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


def _sealed(last: int) -> None:
    """Nothing is opened behind the last file that is open: neither a file nor a socket."""
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (last + 1, last + 1))


def _leave() -> None:
    """In the midst of a question, too, when the other is gone."""
    gone = select.poll()
    gone.register(0, 0)  # nothing but its end
    gone.poll()
    os._exit(0)
