"""A process of its own in which pictures are drawn: begun when the first one is wanted, ended when none was wanted for a while, killed when
one takes too long, begun anew when it broke."""
from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from typing import Any

from referee.png import begin

#: seconds that one picture may take, and after which a process that draws nothing is ended (it holds some 60 MB)
PATIENCE, IDLE = 20.0, 60.0


class Studio:
    """Runs one function at a time elsewhere.  Whoever uses it does so from one event loop."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._one = asyncio.Lock()
        self._closing: asyncio.TimerHandle | None = None

    async def run(self, work: Callable[..., bytes], *given: Any, patience: float | None = None) -> bytes:
        """What `work(*given)` returns there.  Raises what it raises, TimeoutError when its turn did not come in time or it took too long,
        BrokenExecutor when its process died, twice."""
        patience = PATIENCE if patience is None else patience
        async with asyncio.timeout(patience):         # those before it may take as long each: nobody waits for all of them
            await self._one.acquire()
        try:
            self._keep()
            try:
                try:
                    return await self._tried(work, given, patience)
                except BrokenExecutor:                # killed between two pictures, or by this one: once more, in a new one
                    self.close()
                    return await self._tried(work, given, patience)
            except (TimeoutError, asyncio.CancelledError, BrokenExecutor):
                self.close()
                raise
            finally:
                if self._pool is not None:
                    self._closing = asyncio.get_running_loop().call_later(IDLE, self.close)
        finally:
            self._one.release()

    async def _tried(self, work: Callable[..., bytes], given: tuple[Any, ...], patience: float) -> bytes:
        if self._pool is None:                        # spawned: a fork would take the store's threads and files along
            self._pool = ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"), initializer=begin)
        async with asyncio.timeout(patience):
            return await asyncio.get_running_loop().run_in_executor(self._pool, work, *given)

    def close(self) -> None:
        """End the process, whatever it does."""
        self._keep()
        pool, self._pool = self._pool, None
        if pool is None:
            return
        for worker in list((pool._processes or {}).values()):   # the pool has no word for a worker that must not go on
            worker.kill()
        pool.shutdown(wait=False, cancel_futures=True)

    def _keep(self) -> None:
        if self._closing is not None:
            self._closing.cancel()
            self._closing = None
