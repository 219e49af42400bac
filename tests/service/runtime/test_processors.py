"""The threads of a process that serves keep to one processor; what helps them, or is begun, runs anywhere.

Each in a process of its own: where it may run stays with a process to its end.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[3]
pytestmark = pytest.mark.skipif(
    not hasattr(os, "sched_setaffinity") or (os.cpu_count() or 1) < 2,
    reason="left out: this system puts threads where it likes, or has one processor",
)

BEGIN = """
import asyncio, json, os, sys, tempfile, threading, time
from referee import processors
from referee.main import settled_in
from referee.store import Person, Store
os.sched_setaffinity(0, range(os.cpu_count()))
GIVEN = os.sched_getaffinity(0)

def where(who=0):
    return sorted(os.sched_getaffinity(who))

def threads():
    return {name: where(int(name)) for name in os.listdir("/proc/self/task")}
"""


def done(code: str) -> Any:
    """What that says, in a process that was given all processors."""
    told = subprocess.run(
        [sys.executable, "-c", BEGIN + code],
        input="",
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert told.returncode == 0, told.stderr
    return json.loads(told.stdout)


def test_all_threads_share_one_and_so_do_those_that_come() -> None:
    found = done("""
with tempfile.TemporaryDirectory() as folder:
    store = Store.open(f"sqlite:///{folder}/r.db")
    store.write_now(lambda tx: tx.add(Person, name="Ann"))
    settled_in()
    before = threads()
    settled_in()  # again: nothing to do
    stop = threading.Event()
    threading.Thread(target=stop.wait).start()
    print(json.dumps([before, threads(), len(GIVEN)]), flush=True)
    stop.set()
    store.close_now()
""")
    before, after, given = found
    assert given >= 2
    assert len(before) >= 2
    assert len(after) > len(before)
    places = {tuple(each) for each in (*before.values(), *after.values())}
    assert len(places) == 1
    assert len(places.pop()) == 1


def test_what_is_begun_runs_anywhere_and_so_do_threads_that_help() -> None:
    found = done("""
from referee.isolated.worker import Worker
settled_in()

async def main():
    following = asyncio.create_task(processors.follow())
    await asyncio.sleep(0)
    worker = Worker("from referee.isolated.inside import serve; serve(bytes.upper, cpu_s=9, memory=1 << 30)")
    answer = await worker.ask(b"gold", 20)
    helps = await asyncio.to_thread(where)
    print(json.dumps([answer.decode(), where(worker.process.pid), helps, where(), sorted(GIVEN)]))
    worker.close()
    following.cancel()

asyncio.run(main())
""")
    answer, worker, helping, loop, given = found
    assert answer == "GOLD"
    assert worker == helping == given
    assert len(loop) == 1


def test_they_go_along_to_where_the_loop_is_put() -> None:
    found = done("""
processors.EVERY_S, processors.LOOK_S = 0.1, 0.1
stop = threading.Event()
threading.Thread(target=stop.wait).start()
settled_in()

async def until(many):
    end = time.monotonic() + 20
    while len(where()) != many and time.monotonic() < end:
        await asyncio.sleep(0.005)

async def main():
    following = asyncio.create_task(processors.follow())
    await asyncio.sleep(0)
    await asyncio.to_thread(time.sleep, 0)  # a thread that helps, and stays let go
    await until(len(GIVEN))
    await until(1)
    # what the system chose, whatever it was, holds for all but the one that helps
    print(json.dumps([sorted(threads().values()), sorted(GIVEN)]))
    following.cancel()
    stop.set()

asyncio.run(main())
""")
    everybody, given = found
    assert len(everybody) == 3
    assert everybody.count(given) == 1
    kept = {tuple(each) for each in everybody if each != given}
    assert len(kept) == 1
    assert len(kept.pop()) == 1


#: begins them for commands that end, not where we serve
FROM_ELSEWHERE = {"referee/service/upkeep/workers.py"}


def test_who_begins_a_process_lets_it_go() -> None:
    begins = re.compile(r"Popen\(|create_subprocess_\w+\(|\.Process\(|ProcessPoolExecutor\(")
    code = {
        path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
        for folder in ("referee/service", "referee/isolated", "adapters")
        for path in (ROOT / folder).rglob("*.py")
    }
    found = {name for name, text in code.items() if begins.search(text)}
    assert len(found) >= 4
    assert {name for name in found if "let_go(" not in code[name]} == FROM_ELSEWHERE


@pytest.mark.parametrize(
    "because",
    ["os.sched_setaffinity = forbidden", "del os.sched_setaffinity", "sys._is_gil_enabled = lambda: False"],
    ids=("a unit forbids it", "another system", "threads run at the same time"),
)
def test_where_it_can_not_be_or_brings_nothing_all_stays(because: str) -> None:
    found = done(f"""
def forbidden(*_):
    raise PermissionError
{because}
settled_in()
processors.let_go()
asyncio.run(processors.follow())
print(json.dumps([where(), sorted(GIVEN), sorted(processors._given)]))
""")
    assert found[0] == found[1]
    assert found[2] == []
