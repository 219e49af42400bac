"""Several referee processes at one PostgreSQL, as an admin has them: one configuration, one database, real
commands.

To the person who kills and restarts it looks like one installation (`tests.e2e.installation`): each kill
strikes one of those that serve.
"""

from __future__ import annotations

import asyncio
import copy
import random
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from referee.store import Store, Tx, leases
from tests.e2e.installation import Installation

T = TypeVar("T")


class Several:
    """So many `referee serve`, and so many `referee work` beside them.

    What is given goes to `Installation`.
    """

    def __init__(
        self, home: Path, url: str, *, serve: int, work: int = 0, seed: int = 1, **channels: Any
    ) -> None:
        first = Installation(home, url=url, **channels)
        self.workers = [first]
        for number in range(1, serve + work):
            other = copy.copy(first)
            other.log, other.begun = home / f"log{number}.jsonl", []
            self.workers.append(other)
        for worker in self.workers[serve:]:
            worker.command = "work"
        self.serving_ones = self.workers[:serve]
        self.socket, self.address, self.url = first.socket, first.address, url
        self.kills = 0
        self._dice = random.Random(seed)
        self._down: Installation | None = None
        self._store: Store | None = None

    @property
    def begun(self) -> list[int]:
        return sorted(at for worker in self.workers for at in worker.begun)

    def warm(self) -> None:
        for worker in self.workers:
            worker.warm()

    async def start(self) -> float:
        at = time.monotonic()
        for worker in self.workers:
            worker.spawn()
        for worker in self.workers:
            await worker.serving()
        return time.monotonic() - at

    async def serving(self, seconds: float = 30) -> float:
        return max([await worker.serving(seconds) for worker in self.workers])

    def kill(self) -> None:
        """SIGKILL for one of those that serve."""
        self.kills += 1
        self._down = self._dice.choice(self.serving_ones)
        self._down.kill()

    def spawn(self) -> None:
        """Start it again."""
        assert self._down is not None
        self._down.spawn()

    def stop(self) -> int:
        """All of them, one after the other; the worst exit code."""
        codes = [worker.stop() for worker in self.workers]
        if self._store is not None:
            self._store.close_now()
            self._store = None
        return max(codes, key=abs)

    def close(self) -> None:
        if self._store is not None:
            self._store.close_now()
            self._store = None
        for worker in self.workers:
            worker.close()

    def look(self, job: Callable[[Tx], T]) -> T:
        if self._store is None:
            self._store = Store.open(self.url, read_only=True)
        return self._store.read_now(job)

    def told(self, *, whole: bool = False) -> list[dict[str, Any]]:
        return [line for worker in self.workers for line in worker.told(whole=whole)]

    def complaints(self) -> list[Any]:
        return [one for worker in self.workers for one in worker.complaints()]

    def tail(self) -> str:
        return "\n".join(worker.tail() for worker in self.workers)

    def holder(self, channel: str) -> Installation | None:
        """Which of them has a channel open."""
        name = self.look(leases.holders).get(f"channel {channel}")
        return (
            None
            if name is None
            else next((one for one in self.workers if pid(one) == int(name.split(":")[1])), None)
        )

    async def held(self, *channels: str, seconds: float = 20) -> None:
        """Wait until somebody has each of these."""
        async with asyncio.timeout(seconds):
            while not all(self.holder(channel) for channel in channels):
                await asyncio.sleep(0.02)


def pid(one: Installation) -> int:
    return one.child or (one.process.pid if one.process is not None else 0)


def signalled(one: Installation, number: signal.Signals) -> None:
    import os

    os.kill(pid(one), number)
