"""A process of its own in which pictures are drawn: begun when the first one is wanted, ended when none was wanted for a while, killed when
one takes too long, begun anew when it broke."""
from __future__ import annotations

import asyncio
import pickle
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import BrokenExecutor
from typing import Any

from referee.png import HEAD

#: seconds that one picture may take, and after which a process that draws nothing is ended (it holds some 60 MB)
PATIENCE, IDLE = 20.0, 60.0
#: not `-m`, which would look for modules where the referee was started; and not multiprocessing, which would read the whole referee there
#: again and leaves words in the log when it is killed half-way
BEGIN = "import sys; sys.path[:] = sys.argv[1:]; from referee.png import serve; serve()"


class Studio:
    """Runs one function at a time elsewhere.  Whoever uses it does so from one event loop."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes] | None = None
        self._line: socket.socket | None = None
        self._one = asyncio.Lock()
        self._closing: asyncio.TimerHandle | None = None
        self._over = False                            # closed while somebody waited for a picture

    async def run(self, work: Callable[..., bytes], *given: Any, patience: float | None = None) -> bytes:
        """What `work(*given)` returns there.  Raises what it raises, TimeoutError when its turn did not come in time or it took too long,
        BrokenExecutor when its process died, twice, or was closed."""
        patience = PATIENCE if patience is None else patience
        async with asyncio.timeout(patience):         # those before it may take as long each: nobody waits for all of them
            await self._one.acquire()
        try:
            self._keep()
            try:
                asked = pickle.dumps((work, given))
                try:
                    made, came = await self._tried(asked, patience)
                except (ConnectionError, EOFError):   # killed between two pictures, or by this one: once more, in a new one
                    self._end()
                    if self._over:
                        raise
                    made, came = await self._tried(asked, patience)
            except (ConnectionError, EOFError) as trouble:
                self._end()
                raise BrokenExecutor("the process that draws was ended" if self._over else "the process that draws died, twice") from trouble
            except (OSError, asyncio.CancelledError):     # a timeout among them
                self._end()
                raise
            finally:
                if self.process is not None:
                    self._closing = asyncio.get_running_loop().call_later(IDLE, self._end)
        finally:
            self._over = False
            self._one.release()
        if isinstance(came, BaseException):
            raise came
        return made

    async def _tried(self, asked: bytes, patience: float) -> tuple[bytes, BaseException | None]:
        """What was made, or nothing and what was raised.  Raises ConnectionError or EOFError when the process died."""
        line = self._line or self._begun()
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(patience):
            await loop.sock_sendall(line, HEAD.pack(len(asked)) + asked)
            (size,) = HEAD.unpack(await _read(line, HEAD.size))
            made, trouble = pickle.loads(await _read(line, size))  # noqa: S301 - by our own process
        return made, trouble

    def _begun(self) -> socket.socket:
        self._line, theirs = socket.socketpair()
        self._line.setblocking(False)
        with theirs:
            # a group of its own: Ctrl-C is the referee's affair
            self.process = subprocess.Popen([sys.executable, "-P", "-c", BEGIN, *sys.path],  # noqa: S603 - ourselves
                                            stdin=theirs.fileno(), stdout=theirs.fileno(), process_group=0)
        return self._line

    def close(self) -> None:
        """End the process, whatever it does; who waits for a picture gets BrokenExecutor."""
        if self._one.locked():
            self._over = True
            if self.process is not None:
                self.process.kill()                   # whoever waits hears it, and ends the rest: nobody closes what another reads
        else:
            self._end()

    def _end(self) -> None:
        self._keep()
        process, self.process, line, self._line = self.process, None, self._line, None
        if line is not None:
            line.close()
        if process is not None:
            process.kill()
            threading.Thread(target=process.wait, daemon=True).start()   # its end takes a moment, for which nobody here waits

    def _keep(self) -> None:
        if self._closing is not None:
            self._closing.cancel()
            self._closing = None


async def _read(line: socket.socket, size: int) -> bytes:
    """So many bytes; raises EOFError when there are no more."""
    loop, got = asyncio.get_running_loop(), bytearray()
    while len(got) < size:
        more = await loop.sock_recv(line, min(size - len(got), 1 << 18))
        if not more:
            raise EOFError
        got += more
    return bytes(got)
