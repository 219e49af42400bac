"""After an outage: what is overdue is dealt with before letters are worded, and the letters are not
forgotten.
"""

from __future__ import annotations

import asyncio
import gc
import sys
import threading

import pytest

from referee import main
from referee.service.inbound import inbox_worker
from referee.service.outbound import outbox_worker
from referee.service.schedule import ringing
from tests.service.playing import table
from tests.service.rig import House

PEOPLE = ["telegram:ana", "matrix:@bea:hs", "terminal:cy"]


async def test_the_post_is_held_during_a_backlog_and_let_go_after_it(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ringing, "_BATCH", 1)  # one overdue row is a full batch, as 64 are in earnest
    said: list[bool] = []
    monkeypatch.setattr(house.referee.scheduler._ringing, "_backlog", said.append)
    await table(house, PEOPLE)
    assert await house.referee.scheduler.ring() == 0
    assert said == [False], "nothing was overdue"
    house.clock.pass_(hours=25)
    said.clear()
    assert await house.referee.scheduler.ring() >= 1
    assert said[0] is True
    assert said[-1] is False


async def test_a_post_that_is_held_begins_no_round_until_it_is_let_go(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    post = house.referee.outbox_worker
    rounds: list[int] = []

    async def counted() -> float:
        rounds.append(1)
        return 5.0

    monkeypatch.setattr(post, "round", counted)
    post.hold(True)
    running = asyncio.create_task(post.run())
    for _ in range(20):
        await asyncio.sleep(0)
    assert rounds == []
    post.hold(False)
    for _ in range(20):
        await asyncio.sleep(0)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    assert rounds == [1]


@pytest.mark.parametrize("patience", [60.0, 0.0])
async def test_letters_wait_for_a_crowd_of_orders_but_not_for_ever(
    house: House, monkeypatch: pytest.MonkeyPatch, patience: float
) -> None:
    monkeypatch.setattr(inbox_worker, "_CROWD", 2)
    monkeypatch.setattr(outbox_worker, "_YIELDED", patience)
    post, desk = house.referee.outbox_worker, house.referee.reception.worker
    seen: list[int] = []
    done = threading.Event()  # the orders are in hand until then, however quick the store's thread is

    async def counted() -> float:
        seen.append(desk.in_hand)
        done.set()
        return 5.0

    monkeypatch.setattr(post, "round", counted)
    orders = [asyncio.create_task(desk.handle(lambda tx, *, done_ms: done.wait(60) and None)) for _ in "abc"]
    await asyncio.sleep(0)
    assert desk.in_hand == 3
    running = asyncio.create_task(post.run())
    if patience:
        for _ in range(20):
            await asyncio.sleep(0)
        assert seen == []
        done.set()
    await asyncio.gather(*orders)
    while not seen:
        await asyncio.sleep(0)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    assert (seen[0] < 2) is (patience > 0)
    assert desk.calm.is_set()


def test_a_serving_process_takes_short_turns_and_leaves_what_is_loaded_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(main, "keep_together", lambda: None)  # for good: test_processors
    usual, frozen = sys.getswitchinterval(), gc.get_freeze_count()
    try:
        main.settled_in()
        assert sys.getswitchinterval() < usual
        assert gc.get_freeze_count() > frozen
    finally:
        gc.unfreeze()
        sys.setswitchinterval(usual)
