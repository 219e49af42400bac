"""Several referees at one book, a PostgreSQL's: what would be processes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from referee.ports import Reception
from referee.service import ForTesting, Referee, ServiceSettings
from referee.store import Store
from referee.text import Words
from tests.service.rig import Wire

servers = pytest.importorskip(
    "tests.servers.postgres", reason="psycopg is not installed", exc_type=ImportError
)
# CI has both; whose machine has no PostgreSQL plays the other tests
needs_postgres = pytest.mark.skipif(bool(servers.missing()), reason=servers.missing() or "-")


class Watched(Wire):
    """A channel that counts how often it was opened; `broken`: it can't be."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.open = 0
        self.broken = False

    async def start(self, reception: Reception) -> None:
        if self.broken:
            raise OSError("the port is taken")
        await super().start(reception)
        self.open += 1

    async def stop(self) -> None:
        self.open = 0


class Process:
    """What would be a process: a store of its own, channels, and a clock that a hung process would find
    ahead.
    """

    def __init__(self, url: str, *channels: str, served: bool = False, **settings: Any) -> None:
        self.store = Store.open(url)
        self.wires = {name: Watched(name) for name in channels}
        self.ahead_ms = 0
        self.referee = Referee(
            self.store,
            Words(()),
            list(self.wires.values()),
            clock_ms=now_ms,  # type: ignore[arg-type]  # mypy sees the limits of a Wire as a Wire
            steady_ms=lambda: time.monotonic_ns() // 1_000_000 + self.ahead_ms,
            served=served,
            settings=ServiceSettings(
                **{"shy": (), "testing": ForTesting(bell=False, breaker=False), **settings}
            ),
        )

    def open(self) -> list[str]:
        return [name for name, wire in self.wires.items() if wire.open]

    async def end(self) -> None:
        await self.referee.stop()
        await self.store.close()

    async def give_up(self) -> None:
        """Its channels are anybody's from now on; what it has in hand goes on."""
        await self.referee.leases.shut()
        (doors,) = [task for task in self.referee._tasks if task.get_name() == "doors"]
        doors.cancel()
        await asyncio.gather(doors, return_exceptions=True)
        await self.referee.leases.leave()

    async def die(self) -> None:
        """As a killed process does: nothing is given back."""
        for task in (*self.referee._tasks, *self.referee.leases._tenants.values()):
            task.cancel()
        await asyncio.gather(*self.referee._tasks, return_exceptions=True)
        self.referee._tasks.clear()
        await self.store.close()


def now_ms() -> int:
    return time.time_ns() // 1_000_000


@asynccontextmanager
async def two_processes(url: str) -> AsyncIterator[tuple[Process, Process]]:
    first, second = Process(url, "telegram", "terminal"), Process(url, "telegram", "terminal")
    yield first, second
    for one in (first, second):
        if one.referee._tasks:
            await one.end()
