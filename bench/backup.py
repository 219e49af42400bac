"""What a backup costs those who play, and how long it takes to have a book back: 10,000 live games.

    python -m bench.backup [games] [sqlite|postgresql] [seconds]

Orders come at a steady pace, of which the longest wait is told: before a backup, while one is made (`referee
backup --no-verify`, a process of its own), and while one is made and proven. Then restore with its audit, and
the audit alone. Seconds of work are processor time: they hold on a busy machine too.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from bench._goals import Sheet
from bench.house import SEATS, Told, closed, futures, opened
from referee.store import Inbox, Store

GAMES, SECONDS, PACE = 10_000, 6.0, 20.0  # orders a second
WAIT_MS, RESTORE_S = 100.0, 60.0
MODELS, PLAYED = 40, 60  # real games, and how many orders of theirs were played


async def model(folder: Path) -> list[list[Told]]:
    """A book with a few games that were really played for a while; what their players will say next."""
    store, desk, tasks = await opened(folder, MODELS)
    ahead = futures(store, MODELS, PLAYED + 400)
    dice = random.Random(1)
    for said in ahead:
        for told in said[: PLAYED // 2 + dice.randrange(PLAYED)]:
            await desk.order(told.who, told.text)
    await asyncio.sleep(0.2)
    rest = futures(store, MODELS, 400)
    await closed(store, desk, tasks)
    return rest


def copies(path: Path, games: int) -> None:
    """Fill the book with copies of those games, each with people of its own."""
    from referee.store.connection import connect

    conn = connect(path, writes=True, checkpoints=True)
    conn.execute("PRAGMA synchronous = OFF")
    conn.execute("BEGIN")
    conn.execute("DELETE FROM outbox")
    first: dict[str, Any] = {
        table: conn.execute(
            f"SELECT * FROM {table} WHERE {'id' if table == 'game' else 'game_id'} <= ?", (MODELS,)
        ).fetchall()
        for table in ("game", "seat", "journal", "game_event", "deadline", "undo")
    }
    columns = {
        table: [row[1] for row in conn.execute(f"PRAGMA table_info({table})")]
        for table in (*first, "person", "address")
    }

    def put(table: str, rows: list[dict[str, Any]]) -> None:
        if rows:
            conn.executemany(
                (
                    f"INSERT INTO {table} ({', '.join(chr(34) + name + chr(34) for name in rows[0])}) "
                    f"VALUES ({', '.join('?' * len(rows[0]))})"
                ),
                [tuple(row.values()) for row in rows],
            )

    given = {
        table: [dict(zip(columns[table], row, strict=True)) for row in rows] for table, rows in first.items()
    }
    whole = {
        number: {
            table: [row for row in rows if row["id" if table == "game" else "game_id"] == number]
            for table, rows in given.items()
        }
        for number in range(1, MODELS + 1)
    }
    now = time.time_ns() // 1_000_000
    people = conn.execute("SELECT max(id) FROM person").fetchone()[0]
    for number in range(MODELS + 1, games + 1):
        copy = whole[number % MODELS + 1]
        base = people + (number - MODELS) * SEATS
        put(
            "person",
            [
                {
                    "id": base + no,
                    "name": f"C{number}x{no}",
                    "language": "en",
                    "zone": "UTC",
                    "prefer": "",
                    "admin": 0,
                    "created_ms": now,
                }
                for no in range(SEATS)
            ],
        )
        put(
            "address",
            [
                {
                    "person_id": base + no,
                    "channel": "bench",
                    "address": f"c{number}x{no}",
                    "state": "green",
                    "proven_ms": now,
                    "seen_ms": now,
                }
                for no in range(SEATS)
            ],
        )
        put("game", [{**row, "id": number, "creator_id": base} for row in copy["game"]])
        put(
            "seat",
            [{**row, "id": None, "game_id": number, "person_id": base + row["no"]} for row in copy["seat"]],
        )
        for table in ("journal", "game_event", "deadline", "undo"):
            put(table, [{**row, "id": None, "game_id": number} for row in copy[table]])
    conn.execute("COMMIT")
    conn.close()


async def waits(
    url: str, ahead: list[list[Told]], seconds: float, beside: list[str] | None
) -> tuple[list[float], float, int]:
    """Orders at a steady pace while a command runs (None: for so many seconds); how long each waited, how
    long it all lasted, and the exit code.
    """
    from bench.house import Counter

    store = Store.open(url)
    desk = Counter(store)
    rows = store.read_now(lambda tx: tx.column(Inbox, "id", order="-id", limit=1))
    desk.next_id = (rows[0] if rows else 0) + 1
    tasks = [asyncio.create_task(desk.referee.reception.worker.run())]
    await asyncio.sleep(0.5)
    found: list[float] = []
    began = time.perf_counter()
    process = (
        None if beside is None else await asyncio.create_subprocess_exec(*beside, stdout=subprocess.DEVNULL)
    )

    async def one(told: Told) -> None:
        at = time.perf_counter()
        await desk.order(told.who, told.text)
        found.append((time.perf_counter() - at) * 1000)

    turn = 0
    while (process.returncode is None) if process is not None else time.perf_counter() - began < seconds:
        game = turn % len(ahead)
        turn += 1
        if ahead[game]:
            await one(ahead[game].pop(0))
        await asyncio.sleep(1 / PACE)
    lasted, code = time.perf_counter() - began, 0 if process is None else int(process.returncode or 0)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await store.close()
    return found, lasted, code


def told(name: str, found: tuple[list[float], float, int]) -> None:
    took, lasted, code = found
    took = sorted(took)
    print(
        f"backup  {name:<28} longest wait {took[-1]:7.1f} ms  {took[-1] / WAIT_MS:5.2f} x what is allowed "
        f"({WAIT_MS:.0f} ms); median {took[len(took) // 2]:5.1f} ms, "
        f"{len(took)} orders in {lasted:.1f} s" + (f"; it FAILED with {code}" if code else "")
    )


def ran(name: str, *words: str) -> float:
    began, worked = time.perf_counter(), os.times()
    done = subprocess.run([sys.executable, "-m", "referee", *words], capture_output=True, text=True)
    lasted, ended = time.perf_counter() - began, os.times()
    cpu = ended.children_user + ended.children_system - worked.children_user - worked.children_system
    print(
        (
            f"backup  {name:<28} {lasted:6.1f} s  {lasted / RESTORE_S:5.2f} x what is allowed "
            f"({RESTORE_S:.0f} s); {cpu:.1f} s of work"
        )
        + ("" if not done.returncode else f"; it FAILED: {done.stderr.strip()[-300:]}")
    )
    return cpu


def main(games: int = GAMES, kind: str = "sqlite", seconds: float = SECONDS) -> None:
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_FOLDER")) as name:
        folder, server = Path(name), None
        ahead = asyncio.run(model(folder))
        copies(folder / "bench.db", games)
        url = f"sqlite:///{folder}/bench.db"
        try:
            if kind == "postgresql":
                from referee.store import moved
                from tests.servers.postgres import Postgres

                server = Postgres()
                url = server.url(server.empty())
                moved(f"sqlite:///{folder}/bench.db", url)
                server.ask("ANALYZE", url.rpartition("/")[2])
            (folder / "r.toml").write_text(
                f"[store]\nurl = {json.dumps(url)}\n[backup]\ndirectory "
                f"= {json.dumps(str(folder / 'kept'))}\n"
            )
            config, command = ("-c", str(folder / "r.toml")), [sys.executable, "-m", "referee"]
            size = (folder / "bench.db").stat().st_size >> 20
            print(
                f"backup  {games} games on {kind}, {size} MB as a file; {os.cpu_count()} cores;"
                f" {PACE:.0f} orders a second are asked for"
            )
            told("nothing beside", asyncio.run(waits(url, ahead, seconds, None)))
            told(
                "while a backup is made",
                asyncio.run(waits(url, ahead, seconds, [*command, "backup", "--no-verify", *config])),
            )
            told(
                "while it is made and proven",
                asyncio.run(waits(url, ahead, seconds, [*command, "backup", *config])),
            )
            newest = sorted((folder / "kept").glob("citadels-*.zst"))[-1]
            worked = {
                "audit": ran("audit", "store", "audit", *config),
                "restore": ran("restore and audit", "restore", str(newest), "--aside", *config),
                "rehearsal": ran("rehearsal (1000 to the end)", "rehearse", str(newest), *config),
            }
            with Sheet("backup") as sheet:
                for what, spent in worked.items():
                    sheet.say(f"{what} of {games} games, work", spent, "s")
            print(
                f"backup  its size {newest.stat().st_size >> 20} MB; free on the "
                f"disk {shutil.disk_usage(folder).free >> 30} GB"
            )
        finally:
            if server is not None:
                server.end()


if __name__ == "__main__":
    arguments = sys.argv[1:]
    main(*(int(one) for one in arguments[:1]), *arguments[1:2], *(float(one) for one in arguments[2:3]))
