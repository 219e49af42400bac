"""The loops of the referee end when they are told to, whatever rings at that moment."""

from __future__ import annotations

import asyncio
from operator import attrgetter

import pytest

from tests.service.rig import House


@pytest.mark.parametrize("turns", range(8))
@pytest.mark.parametrize("loop", ["outbox_worker", "reception.worker"])
async def test_a_loop_that_is_rung_while_it_is_cancelled_ends(house: House, loop: str, turns: int) -> None:
    one = attrgetter(loop)(house.referee)
    task = asyncio.create_task(one.run())
    for _ in range(200):  # until it has nothing to do and waits for its bell
        await asyncio.sleep(0.001)
        if not one._bell.is_set() and not task.done() and len(asyncio.all_tasks()) <= 3:
            break
    one.wake()
    for _ in range(turns):
        await asyncio.sleep(0)
    task.cancel()
    done, _ = await asyncio.wait({task}, timeout=5)
    assert done == {task}
    assert task.cancelled()
