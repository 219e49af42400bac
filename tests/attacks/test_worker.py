"""A process that reads what strangers wrote dies alone: of time, of memory, of itself; and the next question
is answered.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator

import pytest

from referee.isolated.worker import Worker, WorkerBusy, WorkerDied
from tests.adapters.conformance import until
from tests.house.files import ROOT
from tests.processes import alive

CODE = "from tests.attacks.hostile_work import serve; serve()"


@pytest.fixture
async def one() -> AsyncIterator[Worker]:
    made = Worker(CODE, largest=1_000_000)
    yield made
    made.close()


@pytest.mark.parametrize(
    ("question", "why"),
    [
        (b"pattern", "cpu"),
        (b"hungry", "memory"),
        (b"crumbs", "memory"),
        (b"gone", "died"),
        (b"wrong", "died"),
        (b"large", "answer"),
    ],
)
async def test_what_kills_it_is_named_and_the_next_question_is_answered(
    one: Worker, question: bytes, why: str
) -> None:
    pid = int(await one.ask(b"whose", 60))
    began = time.thread_time()
    with pytest.raises(WorkerDied) as died:
        await one.ask(question, 60)
    assert died.value.why == why
    assert time.thread_time() - began < 0.2  # whatever it did, it was not done here
    await until(lambda: not alive(pid))
    assert int(await one.ask(b"whose", 60)) != pid
    assert one.process is not None  # kept warm


async def test_what_sleeps_is_killed_by_the_clock(one: Worker) -> None:
    pid = int(await one.ask(b"whose", 60))
    with pytest.raises(TimeoutError):
        await one.ask(b"asleep", 0.1)
    await until(lambda: not alive(pid))
    assert await one.ask(b"x", 60) == b"x"


async def test_whoever_waits_for_others_is_told_that_it_was_not_their_turn(one: Worker) -> None:
    await one.ask(b"x", 60)
    first = asyncio.create_task(one.ask(b"asleep", 60))
    await asyncio.sleep(0)
    with pytest.raises(WorkerBusy):
        await one.ask(b"x", 0.05)
    one.close()
    with pytest.raises(WorkerDied, match="was ended"):
        await first


async def test_whoever_stands_in_the_queue_when_it_is_closed_is_told_so(one: Worker) -> None:
    first, second = (asyncio.create_task(one.ask(question, 60)) for question in (b"asleep", b"whose"))
    await until(lambda: one.process is not None)
    one.close()
    for asked in (first, second):
        with pytest.raises(WorkerDied, match="was ended"):
            await asked
    assert one.process is None


async def test_it_is_told_no_secret(one: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFEREE_MAIL__PASSWORD", "wrong-horse")
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", "/run/wrong-horse")
    assert b"wrong-horse" not in await one.ask(b"environment", 60)
    assert one.process is not None
    assert not [
        fd
        for fd in os.listdir(f"/proc/{one.process.pid}/fd")
        if os.readlink(f"/proc/{one.process.pid}/fd/{fd}").endswith(".db")
    ]


GONE = f"""
import asyncio, os, signal
from referee.isolated.worker import Worker

async def main():
    one = Worker({CODE!r})
    print(int(await one.ask(b"whose", 60)), flush=True)
    asked = asyncio.ensure_future(one.ask(QUESTION, 60))
    await asyncio.sleep(0.05)
    os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(main())
"""


@pytest.mark.parametrize("question", [b"asleep", b"pattern", b"whose"])
async def test_it_goes_with_a_referee_that_was_killed(question: bytes) -> None:
    done = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-c", GONE.replace("QUESTION", repr(question))],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        timeout=60,
    )
    assert done.returncode == -signal.SIGKILL
    await until(lambda: not alive(int(done.stdout)))
