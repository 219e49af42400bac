"""The bell rings for a daily letter by itself, also where no deadline is open."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from referee.store import DailyLetter, Outbox
from tests.service.rig import House
from tests.service.schedule.test_scheduler import WallClock, ringing


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    one = await House(tmp_path / "referee.db", WallClock()).open()
    yield one
    await one.close()


async def test_it_rings_at_the_hour(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    await house.say("telegram:ana", "notify digest 8:00")
    moved = house.store.write_now(
        lambda tx: tx.change(DailyLetter, {"person_id": 1}, due_ms=house.clock() + 200)
    )
    assert moved == 1
    clocks, run = await ringing(house, monkeypatch, 3600)  # no sweep would come in time
    try:
        async with asyncio.timeout(20):
            while not house.store.read_now(lambda tx: tx.all(Outbox, kind="digest")):
                await asyncio.sleep(0.02)
    finally:
        run.cancel()
    assert clocks is house.referee.scheduler
    row = house.store.read_now(lambda tx: tx.one(DailyLetter))
    assert row.due_ms > house.clock()
    assert row.told_ms <= house.clock()
