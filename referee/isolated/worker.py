"""A process that answers questions, and may die of one: begun when it is wanted, killed when it takes too
long, begun anew when it broke.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import threading
from concurrent.futures import BrokenExecutor
from contextlib import suppress

from referee.processors import let_go

from .inside import HEAD, NO_MEMORY

#: not `-m`, which would look for modules where the referee was started; and not multiprocessing, which would
#: read the whole referee there again and leaves words in the log when it is killed half-way
PATH = "import sys; sys.path[:] = sys.argv[1:]; "
#: what the process may know of how we were started: no password that stands in the environment, nor where
#: secrets lie
_ENVIRONMENT = (
    "PATH",
    "PYTHONPATH",
    "PYTHONHOME",
    "PYTHONDONTWRITEBYTECODE",
    "LD_LIBRARY_PATH",
    "LANG",
    "LC_ALL",
    "TZ",
    "TMPDIR",
    "HOME",
)


def environment() -> dict[str, str]:
    """What a process of ours may know of the environment."""
    return {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}


#: seconds that we wait for the kernel to say what a process died of
_OBITUARY_S = 1.0


class WorkerDied(BrokenExecutor):
    """The process did not live to answer.

    `why`: cpu (the question took too much processor time), memory, ended (closed while it worked), answer
    (longer than an answer may be), died (anything else, twice).
    """

    def __init__(self, why: str) -> None:
        super().__init__(f"the worker process {'was ended' if why == 'ended' else 'died: ' + why}")
        self.why = why


class WorkerBusy(TimeoutError):
    """Its turn did not come in time: others were before."""


class Worker:
    """One process and one question at a time.  Anyone who uses it does so from one event loop.

    `code` is what the process runs, once it finds our modules: it ends in a call of `inside.serve`. `idle`:
    seconds after which a process that was asked nothing is ended; None: it is kept, and a new one is begun at
    once for one that died. `largest`: bytes of an answer.
    """

    def __init__(self, code: str, *, idle: float | None = None, largest: int = 1 << 28) -> None:
        self.code, self.idle, self._largest = code, idle, largest
        self.process: subprocess.Popen[bytes] | None = None
        self._line: socket.socket | None = None
        self._one = asyncio.Lock()
        self._closing: asyncio.TimerHandle | None = None
        self._closed = 0  # how often: who waited then, for an answer or their turn, gets none

    def warm(self) -> None:
        """Begin the process now, so that the first question need not wait for it."""
        if self._line is None:
            self._begun()

    async def ask(self, question: bytes, patience: float) -> bytes:
        """The answer.

        Raises WorkerBusy when its turn did not come within `patience` seconds, TimeoutError when it took
        longer, WorkerDied when the process died of it: at once for want of time or memory, else after a
        second trial in a new one. OSError where no process can be begun.
        """
        closed = self._closed
        try:
            async with asyncio.timeout(
                patience
            ):  # those before it may take as long each: nobody waits for all of them
                await self._one.acquire()
        except TimeoutError:
            raise WorkerBusy from None
        if closed != self._closed:
            self._one.release()
            raise WorkerDied("ended")
        try:
            self._keep()
            try:
                return await self._answered(question, patience, closed)
            except (ConnectionError, EOFError) as trouble:
                why = "died" if closed == self._closed else "ended"
                self._end()
                raise WorkerDied(why) from trouble
            except (OSError, WorkerDied, asyncio.CancelledError):  # a timeout among them
                self._end()
                raise
            finally:
                if closed != self._closed:
                    self._end()
                elif self.idle is None:
                    with suppress(OSError):  # anyone who asks next hears of it
                        self.warm()
                elif self.process is not None:
                    self._closing = asyncio.get_running_loop().call_later(self.idle, self._end)
        finally:
            self._one.release()

    async def _answered(self, question: bytes, patience: float, closed: int) -> bytes:
        """`closed`: how often it had been closed when the question came."""
        try:
            return await self._tried(question, patience)
        # killed between two questions, or by this one: once more, in a new one
        except (
            ConnectionError,
            EOFError,
        ):
            why = await self._obituary()
            if closed != self._closed:
                raise
            if why:
                raise WorkerDied(why) from None
            self._end()
            return await self._tried(question, patience)

    async def _tried(self, question: bytes, patience: float) -> bytes:
        """Raises ConnectionError or EOFError when the process died."""
        line = self._line or self._begun()
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(patience):
            await loop.sock_sendall(line, HEAD.pack(len(question)) + question)
            (size,) = HEAD.unpack(await _read(line, HEAD.size))
            if size > self._largest:
                raise WorkerDied("answer")
            return await _read(line, size)

    async def _obituary(self) -> str:
        """What the process died of, where that was the question's own doing; else ""."""
        process = self.process
        if process is None:
            return ""
        with suppress(subprocess.TimeoutExpired):
            await asyncio.to_thread(process.wait, _OBITUARY_S)
        return {-signal.SIGPROF: "cpu", -signal.SIGXCPU: "cpu", NO_MEMORY: "memory"}.get(
            process.returncode, ""
        )

    def _begun(self) -> socket.socket:
        self._line, theirs = socket.socketpair()
        self._line.setblocking(False)
        with theirs:
            # a group of its own: Ctrl-C is the referee's affair
            self.process = subprocess.Popen(  # noqa: S603 - ourselves
                [sys.executable, "-P", "-c", PATH + self.code, *sys.path],
                stdin=theirs.fileno(),
                stdout=theirs.fileno(),
                process_group=0,
                env=environment(),
            )
        let_go(self.process.pid)
        return self._line

    def close(self) -> None:
        """End the process, whatever it does; who waits for an answer gets WorkerDied."""
        self._closed += 1
        if self._one.locked():
            if self.process is not None:
                # anyone who waits hears it, and ends the rest: nobody closes what another reads
                self.process.kill()
        else:
            self._end()

    def _end(self) -> None:
        self._keep()
        process, self.process, line, self._line = self.process, None, self._line, None
        if line is not None:
            line.close()
        if process is not None:
            process.kill()
            threading.Thread(
                target=process.wait, daemon=True
            ).start()  # its end takes a moment, for which nobody here waits

    def _keep(self) -> None:
        if self._closing is not None:
            self._closing.cancel()
            self._closing = None


async def _read(line: socket.socket, size: int) -> bytes:
    """That number of bytes; raises EOFError when there are no more."""
    loop, got = asyncio.get_running_loop(), bytearray()
    while len(got) < size:
        more = await loop.sock_recv(line, min(size - len(got), 1 << 18))
        if not more:
            raise EOFError
        got += more
    return bytes(got)
