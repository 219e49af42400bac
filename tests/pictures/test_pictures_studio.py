"""The process in which pictures are drawn: begun late, begun anew, ended."""
from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from concurrent.futures import BrokenExecutor

import pytest

from referee.service import studio
from referee.service.studio import Studio
from tests.adapters.conformance import until
from tests.pictures.chores import deadly, slow, whose, wrong


def alive(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


@pytest.fixture
async def one() -> AsyncIterator[Studio]:
    made = Studio()
    yield made
    made.close()


async def test_one_process_for_all_and_none_before_the_first(one: Studio) -> None:
    assert one._pool is None
    made = {await one.run(whose) for _ in range(3)}
    assert len(made) == 1
    assert int(made.pop()) != os.getpid()
    assert (await one.run(whose, "x")).endswith(b"x")


async def test_it_ends_when_nothing_is_drawn(one: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(studio, "IDLE", 0.05)
    pid = int(await one.run(whose))
    await until(lambda: not alive(pid))
    assert int(await one.run(whose)) != pid


async def test_a_process_that_was_killed_is_begun_anew(one: Studio) -> None:
    pid = int(await one.run(whose))
    os.kill(pid, signal.SIGKILL)
    assert int(await one.run(whose)) != pid


async def test_what_kills_it_twice_is_given_up_and_the_next_one_is_drawn(one: Studio) -> None:
    with pytest.raises(BrokenExecutor):
        await one.run(deadly)
    assert await one.run(whose)


async def test_what_takes_too_long_is_killed_and_what_is_wrong_is_told(one: Studio) -> None:
    pid = int(await one.run(whose))
    with pytest.raises(TimeoutError):
        await one.run(slow, patience=0.05)
    await until(lambda: not alive(pid))
    with pytest.raises(ValueError, match="no picture"):
        await one.run(wrong)
    assert await one.run(whose)


async def test_whoever_stops_waiting_ends_it(one: Studio) -> None:
    pid = int(await one.run(whose))
    task = asyncio.create_task(one.run(slow))
    await asyncio.sleep(0.05)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await until(lambda: not alive(pid))
