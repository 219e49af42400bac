"""Three workers at one database, one killed again and again while people play: no order lost, none doubled,
none out of turn.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import sys
from pathlib import Path

import pytest

from referee.store import Game, Inbox, Journal, Store

servers = pytest.importorskip(
    "tests.servers.postgres", reason="psycopg is not installed", exc_type=ImportError
)
pytestmark = pytest.mark.skipif(bool(servers.missing()), reason=servers.missing() or "-")

from bench.house import Told, futures  # noqa: E402 - only where psycopg is installed
from bench.postgres import begin  # noqa: E402 - as above

ROOT = Path(__file__).parents[2]


class Workers:
    """Three processes; an order goes to the game's own one, and to its successor when it was killed before it
    answered.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self._running: list[asyncio.subprocess.Process | None] = [None] * 3
        self._unanswered: list[dict[str, bytes]] = [{} for _ in range(3)]
        self._answers: dict[str, asyncio.Event] = {}
        self._keepers: list[asyncio.Task[None]] = []
        self.killed = 0

    async def start(self) -> None:
        self._keepers = [asyncio.create_task(self._keep(n)) for n in range(3)]

    async def order(self, key: str, one: Told) -> None:
        """Returns when a worker has said that it is on disk."""
        answered = self._answers[key] = asyncio.Event()
        line = json.dumps([key, one.who, one.text]).encode() + b"\n"
        worker = one.game % 3
        self._unanswered[worker][key] = line
        self._send(worker, line)
        await answered.wait()

    def kill(self, worker: int) -> None:
        process = self._running[worker]
        if process is not None:
            process.kill()
            self.killed += 1

    async def stop(self) -> None:
        for keeper in self._keepers:
            keeper.cancel()
        await asyncio.gather(*self._keepers, return_exceptions=True)

    def _send(self, worker: int, line: bytes) -> None:
        process = self._running[worker]
        if process is not None and process.stdin is not None and not process.stdin.is_closing():
            process.stdin.write(line)

    async def _keep(self, worker: int) -> None:
        """Start it, hear what it says, and start the next one when it is dead."""
        while True:
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "tests.e2e.postgres_worker",
                self._url,
                cwd=ROOT,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                env={**os.environ, "PYTHONPATH": str(ROOT)},
            )
            try:
                assert process.stdout is not None
                async for said in process.stdout:
                    key = said.decode().strip()
                    if key == "open":
                        self._running[worker] = process
                        for line in self._unanswered[worker].values():
                            self._send(worker, line)
                    elif said.endswith(b"\n"):
                        self._unanswered[worker].pop(key, None)
                        self._answers[key].set()
                self._running[worker] = None
            finally:
                if process.returncode is None:
                    process.kill()
                await process.wait()


@pytest.mark.parametrize(
    ("games", "orders", "every"), [(9, 40, 60), pytest.param(90, 120, 400, marks=pytest.mark.soak)]
)
async def test_no_order_is_lost_or_doubled(url: str, games: int, orders: int, every: int) -> None:
    """So many orders for each of some games; somebody is killed after about `every` answers."""
    await begin(url, games)
    store = Store.open(url, read_only=True)
    told = await asyncio.to_thread(futures, store, games, orders)
    before = store.read_now(lambda tx: tx.column(Game, "move_no", order="id"))
    workers, dice, answered = Workers(url), random.Random(9), 0
    await workers.start()

    async def play(game: list[Told]) -> None:
        nonlocal answered
        for number, one in enumerate(game):
            await workers.order(f"{one.game}.{number}", one)
            answered += 1
            if dice.random() < 1 / every:
                asyncio.get_running_loop().call_later(dice.uniform(0, 0.02), workers.kill, dice.randrange(3))

    try:
        async with asyncio.timeout(40 + games * orders / 20):
            await asyncio.gather(*map(play, told))
    finally:
        await workers.stop()

    moves = store.read_now(lambda tx: tx.column(Game, "move_no", order="id"))
    assert answered == sum(map(len, told))
    assert workers.killed > 2
    assert [after - was for after, was in zip(moves, before, strict=True)] == list(map(len, told))
    for game, mine in enumerate(told, 1):
        lines = store.read_now(lambda tx, game=game: tx.all(Journal, game_id=game, order="no"))  # type: ignore[misc]  # bound
        assert [line.no for line in lines] == list(range(1, len(mine) + 1))
        assert [line.order for line in lines] == [one.text.removesuffix("!") for one in mine]
    assert store.read_now(lambda tx: tx.count(Inbox, state="new")) == 0
    store.close_now()
