"""The bell rings at the deadline by itself; what it should have rung for and did not, the sweep finds, and
says so.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from referee.service import ForTesting
from referee.service.schedule.scheduler import DeadlineScheduler
from referee.store import Alert, Deadline, Journal
from tests.service.playing import running, table
from tests.service.rig import Clock, House

PEOPLE = ["telegram:ana", "matrix:@bea:hs"]


class WallClock(Clock):
    """Real time: APScheduler knows no other."""

    def __call__(self) -> int:
        return time.time_ns() // 1_000_000


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    one = await House(tmp_path / "referee.db", WallClock()).open()
    yield one
    await one.close()


async def due_in(house: House, game: int, ms: int) -> None:
    """Let the open question fall due so soon."""
    moved = house.store.write_now(
        lambda tx: tx.change(
            Deadline, {"game_id": game, "done_ms": 0, "kind": "answer"}, due_ms=house.clock() + ms
        )
    )
    assert moved == 1


async def acted(house: House, game: int) -> None:
    """Wait until somebody's clock has answered."""
    async with asyncio.timeout(10):
        while not house.store.read_now(lambda tx: tx.all(Journal, game_id=game, by="clock")):
            await asyncio.sleep(0.02)


async def ringing(
    house: House, monkeypatch: pytest.MonkeyPatch, sweep_seconds: float
) -> tuple[DeadlineScheduler, asyncio.Task[None]]:
    """The referee's clock with a bell of its own."""
    clocks = house.referee.scheduler
    context = replace(
        house.referee.context,
        settings=replace(house.settings, testing=ForTesting(), sweep_seconds=sweep_seconds),
    )
    for one in (clocks, clocks.presence, clocks._ringing):
        monkeypatch.setattr(one, "_context", context)
    await clocks.start()
    return clocks, asyncio.create_task(clocks.run())


async def test_the_bell_rings_for_the_earliest_deadline(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await table(house, PEOPLE)
    before = running(house, game).move_no
    await due_in(house, game, 300)
    clocks, run = await ringing(house, monkeypatch, 3600)  # no sweep would come in time
    await acted(house, game)
    assert running(house, game).move_no > before
    assert house.store.read_now(lambda tx: tx.count(Alert, code="bell-missed")) == 0
    run.cancel()
    await clocks.stop()
    clocks._scheduler = None


async def test_the_sweep_finds_what_the_bell_missed(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    game = await table(house, PEOPLE)

    async def deaf() -> None:
        return

    monkeypatch.setattr(house.referee.scheduler, "_arm", deaf)
    clocks, run = await ringing(house, monkeypatch, 0.3)
    await asyncio.sleep(0.1)
    await due_in(house, game, -6_000)
    await acted(house, game)
    # where the machine is busy, the next sweep may come before the first has led to anything
    assert house.store.read_now(lambda tx: tx.count(Alert, code="bell-missed"))
    run.cancel()
    await clocks.stop()
    clocks._scheduler = None


async def test_who_stops_in_the_midst_of_a_sweep_reads_of_no_fault(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    sweeps = asyncio.Event()

    async def look() -> None:
        sweeps.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(house.referee.scheduler._machine, "look", look)
    clocks, run = await ringing(house, monkeypatch, 0.05)
    await asyncio.wait_for(sweeps.wait(), 10)
    run.cancel()
    await clocks.stop()
    clocks._scheduler = None
    await asyncio.sleep(0)
    assert not [line for line in caplog.records if line.levelname in ("ERROR", "WARNING")]
