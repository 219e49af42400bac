"""The whole referee: a loop that ends is not sat out in silence."""

from __future__ import annotations

import asyncio

import pytest

from referee.store import Store
from tests.service.rig import House


async def test_a_loop_that_dies_is_told(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken() -> None:
        raise RuntimeError("a bug of ours")

    monkeypatch.setattr(house.referee.outbox_worker, "run", broken)
    await house.referee.start()
    async with asyncio.timeout(5):
        await house.referee.broken.wait()
    assert "the post loop ended" in caplog.text
    await house.referee.stop()


async def test_started_and_stopped_it_leaves_nothing_running(house: House) -> None:
    before = len(asyncio.all_tasks())
    await house.referee.start()
    assert len(asyncio.all_tasks()) > before
    await house.referee.stop()
    assert len(asyncio.all_tasks()) == before
    assert not house.referee.broken.is_set()
    assert isinstance(house.store, Store)
