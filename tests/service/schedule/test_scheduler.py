"""The bell rings at the deadline by itself; what it should have rung for and did not, the sweep finds, and
says so.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import datetime, timedelta, tzinfo
from pathlib import Path

import apscheduler.schedulers.base
import apscheduler.triggers.interval
import pytest

from referee.service import ForTesting
from referee.service.schedule import scheduler
from referee.service.schedule.scheduler import DeadlineScheduler
from referee.store import Alert, Deadline, Journal
from tests.service.playing import running, table
from tests.service.rig import Clock, House

PEOPLE = ["telegram:ana", "matrix:@bea:hs"]


class WallClock(Clock):
    """Real time: APScheduler knows no other."""

    def set_back_ms(self) -> int:
        return 0

    def __call__(self) -> int:
        return time.time_ns() // 1_000_000 - self.set_back_ms()


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


async def test_a_bell_that_rings_early_is_set_again(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """A shared hour is put right by the database's now and then."""
    game, back_ms = await table(house, PEOPLE), 0
    monkeypatch.setattr(house.clock, "set_back_ms", lambda: back_ms)
    await due_in(house, game, 800)
    clocks, run = await ringing(house, monkeypatch, 3600)  # no sweep would come in time
    await asyncio.sleep(0.1)
    back_ms = 1_500
    await acted(house, game)
    run.cancel()
    await clocks.stop()
    clocks._scheduler = None


async def test_the_sweep_comes_where_the_machines_clock_is_set_back(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """APScheduler's bell waits for a day then; the deadlines are those of a shared database's hour."""
    game, back = await table(house, PEOPLE), timedelta()

    class Machine(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Machine:
            return super().now(tz) - back

    for module in (apscheduler.schedulers.base, apscheduler.triggers.interval, scheduler):
        monkeypatch.setattr(module, "datetime", Machine)
    monkeypatch.setattr(scheduler, "_LATE_MS", 200)
    await due_in(house, game, 500)
    clocks, run = await ringing(house, monkeypatch, 0.5)
    await asyncio.sleep(0.1)
    back = timedelta(days=1)
    await acted(house, game)
    run.cancel()
    await clocks.stop()
    clocks._scheduler = None


async def test_a_sweep_that_breaks_is_not_the_last_one(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    sweeps: list[int] = []

    async def look() -> None:
        sweeps.append(1)
        raise RuntimeError("broken")

    monkeypatch.setattr(house.referee.scheduler._machine, "look", look)
    clocks, run = await ringing(house, monkeypatch, 0.05)
    async with asyncio.timeout(10):
        while len(sweeps) < 3:
            await asyncio.sleep(0.02)
    run.cancel()
    await clocks.stop()
    clocks._scheduler = None
    assert "a sweep broke" in caplog.text


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
