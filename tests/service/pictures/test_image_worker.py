"""The process in which pictures are drawn: begun late, begun anew, ended."""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from concurrent.futures import BrokenExecutor

import pytest

from referee.ports import Letter, Picture
from referee.service.pictures import image_worker
from referee.service.pictures.image_worker import ImageWorker
from referee.service.pictures.png import PictureRenderer
from tests.adapters.conformance import until
from tests.house.files import ROOT
from tests.processes import alive
from tests.service.pictures.worker_tasks import deadly, loud, slow, whose, wrong


@pytest.fixture
async def one() -> AsyncIterator[ImageWorker]:
    made = ImageWorker()
    yield made
    made.close()


async def test_one_process_for_all_and_none_before_the_first(one: ImageWorker) -> None:
    assert one.process is None
    made = {await one.run(whose) for _ in range(3)}
    assert len(made) == 1
    assert int(made.pop()) != os.getpid()
    assert (await one.run(whose, "x")).endswith(b"x")


async def test_it_ends_when_nothing_is_drawn() -> None:
    one = ImageWorker(idle=0.05)
    pid = int(await one.run(whose))
    await until(lambda: not alive(pid))
    assert int(await one.run(whose)) != pid
    one.close()


async def test_a_process_that_was_killed_is_begun_anew(one: ImageWorker) -> None:
    pid = int(await one.run(whose))
    os.kill(pid, signal.SIGKILL)
    assert int(await one.run(whose)) != pid


async def test_what_kills_it_twice_is_given_up_and_the_next_one_is_drawn(one: ImageWorker) -> None:
    with pytest.raises(BrokenExecutor):
        await one.run(deadly)
    assert await one.run(whose)


async def test_what_takes_too_long_is_killed_and_what_is_wrong_is_told(one: ImageWorker) -> None:
    pid = int(await one.run(whose))
    with pytest.raises(TimeoutError):
        await one.run(slow, patience=0.05)
    await until(lambda: not alive(pid))
    with pytest.raises(ValueError, match="no picture"):
        await one.run(wrong)
    assert await one.run(whose)


async def test_whoever_stops_waiting_ends_it(one: ImageWorker) -> None:
    pid = int(await one.run(whose))
    task = asyncio.create_task(one.run(slow))
    await asyncio.sleep(0.05)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await until(lambda: not alive(pid))


async def test_who_waits_when_it_is_closed_hears_so_at_once_and_no_other_is_begun(one: ImageWorker) -> None:
    pid = int(await one.run(whose))
    task = asyncio.create_task(one.run(slow))
    await asyncio.sleep(0.05)
    one.close()
    with pytest.raises(BrokenExecutor, match="was ended"):
        await asyncio.wait_for(task, 5)
    assert one.process is None
    await until(lambda: not alive(pid))
    assert int(await one.run(whose)) != pid


async def test_nobody_waits_for_all_who_are_before(one: ImageWorker) -> None:
    pid = int(await one.run(whose))
    first = asyncio.create_task(one.run(slow))
    await asyncio.sleep(0)
    with pytest.raises(TimeoutError):
        await one.run(whose, patience=0.05)
    assert alive(pid)  # it draws for somebody else
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    assert await one.run(whose)


async def test_a_process_that_may_not_be_gentler_draws_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    # as where a list of system calls (SystemCallFilter=~@resources) refuses setpriority
    refused = "import os; from tests.service.pictures.worker_tasks import refused; os.nice = refused; "
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    one = ImageWorker(refused + image_worker.BEGIN)
    assert int(await one.run(whose)) != os.getpid()
    one.close()


async def test_what_it_prints_is_no_picture_and_what_is_large_comes_whole(one: ImageWorker) -> None:
    assert await one.run(loud, 3_000_000) == b"x" * 3_000_000
    assert await one.run(whose)


async def test_what_cannot_be_told_there_is_told_here(one: ImageWorker) -> None:
    assert await one.run(whose)
    process = one.process
    with pytest.raises((pickle.PicklingError, AttributeError)):
        await one.run(lambda: b"")  # nobody could find it there
    assert await one.run(whose)
    assert one.process is process


async def test_a_machine_that_begins_no_process_says_so(
    one: ImageWorker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", str(ROOT / "nothing"))
    with pytest.raises(FileNotFoundError):
        await one.run(whose)
    monkeypatch.undo()
    assert await one.run(whose)


async def test_after_a_process_hung_letters_go_without_pictures_for_a_while(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tried: list[str] = []

    async def hangs(_: object, svg: str, *__: object, patience: float | None = None) -> bytes:
        tried.append(svg)
        raise TimeoutError

    one = PictureRenderer()
    letters = [
        Letter(
            id=str(n),
            channel="mail",
            text="x",
            picture=Picture("a.svg", "image/svg+xml", f"<svg>{n}</svg>".encode()),
        )
        for n in range(5)
    ]
    monkeypatch.setattr("referee.service.pictures.png.there", lambda: True)
    monkeypatch.setattr(one._worker, "run", hangs)
    assert [(await one.drawn(letter)).picture for letter in letters] == [None] * 5
    assert len(tried) == 1
    monkeypatch.setattr("referee.service.pictures.png.REST", 0.0)
    one._rested = 0.0
    await one.drawn(letters[1])
    await one.drawn(letters[2])
    assert len(tried) == 3  # tried again when that is over


GONE = """
import asyncio, os, signal
from referee.service.pictures.image_worker import ImageWorker
from tests.house.files import ROOT
from tests.service.pictures.worker_tasks import slow, whose

async def main():
    one = ImageWorker()
    print(int(await one.run(whose)), flush=True)
    drawing = asyncio.ensure_future(one.run(slow))
    await asyncio.sleep(0.05)
    os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(main())
"""


async def test_it_goes_with_a_referee_that_was_killed() -> None:
    done = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-c", GONE],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        timeout=60,
    )
    assert done.returncode == -signal.SIGKILL
    await until(lambda: not alive(int(done.stdout)))
