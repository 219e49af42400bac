"""How the referee starts on a full house: 10,000 games stored, 1,000 deadlines overdue.

    python -m bench.start [games] [overdue]

A child process opens the database and runs the whole referee, with one channel that only remembers. Figures:
the time from the start of the process until it serves, until every overdue deadline was dealt with, until the
letters that follow are out; how long the event loop was held at most (a task that ticks every millisecond);
memory at its highest. Seconds of work are processor time: they hold on a busy machine too.
"""

from __future__ import annotations

import asyncio
import json
import os
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from bench._goals import Sheet

GAMES, OVERDUE = 10_000, 1_000
SERVING_S, HANDLED_S, HELD_MS, RSS_MB = 2.0, 2.0, 50.0, 200.0
PLAY_S, GAMES_S = 1.0, 0.6
_MINUTE = 60_000
COMMAND = "from referee.cli import main; main()"
_EVENTS, _MOVES = 30, 15


def furnish(folder: Path, games: int, overdue: int) -> str:
    """A database with so many running games of four people, 30 events and 15 moves each; its address.

    The games are copies of a few real ones, each with people of its own.
    """
    from bench.house import closed, now_ms, opened
    from referee.store import Deadline, Store
    from referee.store.connection import connect

    async def models() -> None:
        store, desk, tasks = await opened(folder, 8)
        await closed(store, desk, tasks)

    asyncio.run(models())
    conn = connect(folder / "bench.db", writes=True, checkpoints=True)
    conn.execute("PRAGMA synchronous = OFF")  # only while furnishing
    conn.execute("BEGIN")
    originals = {
        table: conn.execute(f"SELECT * FROM {table}").fetchall() for table in ("game", "seat", "game_event")
    }
    columns = {
        table: [row[1] for row in conn.execute(f"PRAGMA table_info({table})")]
        for table in (*originals, "person", "address", "journal", "deadline")
    }
    for table in (
        "game_event",
        "journal",
        "deadline",
        "outbox",
        "undo",
        "seat",
        "game",
        "address",
        "person",
        "inbox",
    ):
        conn.execute(f"DELETE FROM {table}")

    def put(table: str, rows: list[dict[str, Any]]) -> None:
        names = list(rows[0])
        assert set(names) <= set(columns[table])
        quoted = ", ".join('"' + name + '"' for name in names)
        conn.executemany(
            f"INSERT INTO {table} ({quoted}) VALUES ({', '.join('?' * len(names))})",
            [tuple(r.values()) for r in rows],
        )

    now = now_ms()
    known = [dict(zip(columns["game"], row, strict=True)) for row in originals["game"]]
    seated = [dict(zip(columns["seat"], row, strict=True)) for row in originals["seat"]]
    told = [dict(zip(columns["game_event"], row, strict=True)) for row in originals["game_event"]]
    for start in range(0, games, 500):
        batch = range(start + 1, min(start + 500, games) + 1)
        model = {number: known[number % len(known)] for number in batch}
        put(
            "person",
            [
                {
                    "id": number * 4 + no,
                    "name": f"P{number}x{no}",
                    "language": "en",
                    "zone": "UTC",
                    "prefer": "",
                    "admin": 0,
                    "created_ms": now,
                }
                for number in batch
                for no in range(4)
            ],
        )
        put(
            "address",
            [
                {
                    "person_id": number * 4 + no,
                    "channel": "bench",
                    "address": f"p{number}x{no}",
                    "state": "green",
                    "proven_ms": now,
                    "seen_ms": now,
                }
                for number in batch
                for no in range(4)
            ],
        )
        put("game", [{**model[number], "id": number, "creator_id": number * 4} for number in batch])
        put(
            "seat",
            [
                {**seat, "id": None, "game_id": number, "person_id": number * 4 + seat["no"]}
                for number in batch
                for seat in seated
                if seat["game_id"] == model[number]["id"]
            ],
        )
        put(
            "game_event",
            [
                {**event, "id": None, "game_id": number, "no": -repeat * 100 + event["no"]}
                for number in batch
                for repeat in range(_EVENTS // 3)
                for event in told[:3]
            ],
        )
        put(
            "journal",
            [
                {
                    "game_id": number,
                    "no": -no,
                    "seat": 0,
                    "question": 0,
                    "order": "pick King",
                    "by": "person",
                    "inbox_id": None,
                    "at_ms": now,
                    "undone": 0,
                }
                for number in batch
                for no in range(1, _MOVES + 1)
            ],
        )
        put(
            "deadline",
            [
                {
                    "game_id": number,
                    "seat": int(model[number]["asked"]),
                    "question": model[number]["question"],
                    "kind": "answer",
                    "done_ms": 0,
                    "due_ms": now - 30_000 + number if number <= overdue else now + 100 * _MINUTE + number,
                }
                for number in batch
            ],
        )
        # most people answered in time today: else so many misses would be taken for a fault of ours, and
        # nothing done
        put(
            "deadline",
            [
                {
                    "game_id": number,
                    "seat": 0,
                    "question": 0,
                    "kind": "answer",
                    "due_ms": now,
                    "done_ms": now - _MINUTE,
                }
                for number in batch
            ],
        )
    conn.execute(
        "INSERT OR REPLACE INTO heartbeat (name, at_ms) VALUES ('referee', ?)", (now,)
    )  # away too shortly for any credit
    conn.execute("COMMIT")
    conn.close()
    store = Store.open(f"sqlite:///{folder}/bench.db", read_only=True)
    assert store.read_now(lambda tx: tx.count(Deadline, done_ms=0)) == games
    store.close_now()
    return f"sqlite:///{folder}/bench.db"


def child(url: str) -> None:
    """The referee, with a task that watches the loop.

    Prints a line when it serves and one with its figures when told to end.
    """
    from bench.house import Wire
    from referee import main
    from referee.config import Configuration, RefereeSettings, StoreSettings
    from referee.store import Store

    held = held_cpu = 0.0

    async def tick() -> None:
        nonlocal held, held_cpu
        while True:
            at, worked = time.perf_counter(), time.thread_time()
            await asyncio.sleep(0.001)
            held, held_cpu = (
                max(held, time.perf_counter() - at - 0.001),
                max(held_cpu, time.thread_time() - worked),
            )

    async def run() -> None:
        nonlocal held, held_cpu
        stop = asyncio.Event()
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
        ticking = asyncio.create_task(tick())
        store = Store.open(url)
        wire = Wire()
        whole = main.referee(
            store, [wire], Configuration(Path(), Path(), StoreSettings(url=url), RefereeSettings(), {})
        )
        main.settled_in()
        await whole.start()
        await asyncio.sleep(0)
        starting, held, held_cpu = held, 0.0, 0.0
        print(json.dumps({"serving": time.time(), "cpu_s": time.process_time()}), flush=True)
        await stop.wait()
        ticking.cancel()
        print(
            json.dumps(
                {
                    "held_ms": held * 1000,
                    "starting_ms": starting * 1000,
                    "held_cpu_ms": held_cpu * 1000,
                    "cpu_s": time.process_time(),
                    "rss_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
                    "sent": wire.sent,
                }
            ),
            flush=True,
        )
        await whole.stop()
        await store.close()

    asyncio.run(run())


def commands(sheet: Sheet) -> None:
    """Processor time of commands that an admin types: the median of five starts, after one that fills what is
    kept from one start to the next.
    """
    with tempfile.TemporaryDirectory() as home:
        places = {
            "XDG_DATA_HOME": home,
            "XDG_CACHE_HOME": f"{home}/kept",
            "XDG_CONFIG_HOME": home,
            "HOME": home,
        }
        env = {**os.environ, **places, "PYTHONDONTWRITEBYTECODE": ""}
        first, *later = [until_it_asks(env) for _ in range(6)]
        sheet.say("referee play, a new house", first, "s")
        sheet.say("referee play to its first prompt", statistics.median(later), "s", most=PLAY_S)
        config = Path(home, "referee.toml")
        config.write_text(f'[store]\nurl = "sqlite:///{home}/citadels-referee/play.db"\n')
        listed = statistics.median(whole(env, "games", "--config", str(config)) for _ in range(5))
        sheet.say("referee games", listed, "s", most=GAMES_S)


def whole(env: dict[str, str], *words: str) -> float:
    """Seconds of work of a command from its start to its end."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", COMMAND, *words], env=env, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def work_of(pid: int) -> float:
    """Seconds of processor time that a process has used so far."""
    times = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(times[11]) + int(times[12])) / os.sysconf("SC_CLK_TCK")


def until_it_asks(env: dict[str, str]) -> float:
    """Seconds of work of `referee play` until it has asked its first question."""
    process = subprocess.Popen(
        [sys.executable, "-c", COMMAND, "play", "--pipe"],
        env=env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith("Answer with a number"):
                return work_of(process.pid)
        raise AssertionError("it asked nothing")
    finally:
        process.kill()
        process.communicate()


def main(games: int = GAMES, overdue: int = OVERDUE) -> None:
    from bench.house import now_ms
    from referee.store import Outbox, Store

    with tempfile.TemporaryDirectory() as name:
        url = furnish(Path(name), games, overdue)
        size = os.path.getsize(Path(name) / "bench.db") >> 20
        spawned = time.time()
        process = subprocess.Popen(
            [sys.executable, "-m", "bench.start", "--child", url], stdout=subprocess.PIPE, text=True
        )
        try:
            assert process.stdout is not None
            serving = json.loads(process.stdout.readline())
            store = Store.open(url, read_only=True)
            until = now_ms()
            while store.read_now(lambda tx: len(tx.due(until, 1))):
                time.sleep(0.02)
            handled, worked = time.time(), work_of(process.pid)
            while store.read_now(
                lambda tx: tx.count(Outbox, state="queued") + tx.count(Outbox, state="sending")
            ):
                time.sleep(0.05)
            out = time.time()
            store.close_now()
            process.send_signal(signal.SIGTERM)
            figures = json.loads(process.stdout.readline())
            process.wait(10)
        finally:
            process.kill()
            process.wait()
    serve_s, handle_s = serving["serving"] - spawned, handled - serving["serving"]
    with Sheet("start") as sheet:
        sheet.say("serving after", serve_s, "s")
        sheet.say("work until it serves", serving["cpu_s"], "s", most=SERVING_S)
        sheet.say(f"{overdue} overdue of {games} handled after", handle_s, "s")
        sheet.say(f"work until all {overdue} are handled", worked - serving["cpu_s"], "s", most=HANDLED_S)
        sheet.say("loop held at most, its own work", figures["held_cpu_ms"], "ms", most=HELD_MS)
        sheet.say("memory", figures["rss_mb"], "MB", most=RSS_MB)
        commands(sheet)
    print(f"start   {games} games, {overdue} deadlines overdue, a database of {size} MB")
    print(
        f"start   letters out after  {out - serving['serving']:6.2f} s   {figures['sent']} letters,"
        f" {figures['cpu_s'] - serving['cpu_s']:.2f} s of work"
    )


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        child(sys.argv[2])
    else:
        main(*map(int, sys.argv[1:]))
