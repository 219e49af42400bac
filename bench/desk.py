"""How fast the desk is: orders from the inbox to the commit, beside a bare sqlite3 loop that writes the same
rows.

    python -m bench.desk [orders] [--profile] [--bots]

The real path: `Reception.receive` (one commit: it arrived), then the desk reads, plays and writes inbox,
journal, events, snapshot, deadline and letters (one commit), on disk with synchronous=FULL, from a channel
that only remembers. The bare loop writes the very statements that the desk wrote, recorded beforehand, one
FULL commit an order and nothing else. The letters written are thrown away as if they had been sent; a last
row has the real post running beside it. Rounds alternate and each has its own ratio; only those mean
something on a shared machine. The last figure (alone with `--bots`) is what people's orders lose by a strong
bot that thinks all the time, its answers included.
"""

from __future__ import annotations

import asyncio
import cProfile
import io
import os
import pstats
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from bench._goals import Sheet
from bench.house import CHANNEL, Counter, Told, closed, futures, opened
from referee.main import settled_in
from referee.processors import let_go
from referee.store import Deadline, Game, Outbox, Store
from referee.store.connection import SqliteTx, connect

ORDERS, ROUNDS, PACE = 800, 5, 100
#: beside bots: orders a second, at how many tables, seconds of a round, pairs of rounds
CALM, GAMES, ROUND_S, PAIRS = 60, 80, 4, 12
#: and tables of bots: so many that they have always somebody to think about; how many at each
BOT_TABLES, BOTS = 60, 6
GOALS, P99_MS = {"the desk, 32 at once": 0.5, "the desk, 32 at once, the post at work too": 0.3}, 25.0

Statement = tuple[str, Sequence[Sequence[Any]]]  # the same words with these values, once or several times


async def serve(desk: Counter, told: Sequence[Sequence[Told]], callers: int) -> tuple[float, list[float]]:
    """(orders a second, seconds each took) with `callers` messages under way at any time, each game one after
    the other.
    """
    took: list[float] = []
    piles = [[one for game in told[n::callers] for one in game] for n in range(callers)]

    async def caller(pile: list[Told]) -> None:
        for one in pile:
            at = time.perf_counter()
            await desk.order(one.who, one.text)
            took.append(time.perf_counter() - at)

    begun = time.perf_counter()
    await asyncio.gather(*(caller(pile) for pile in piles if pile))
    return len(took) / (time.perf_counter() - begun), took


async def paced(desk: Counter, told: Sequence[Sequence[Told]], rate: int) -> list[float]:
    """Seconds each order took when they come at a steady rate, whether or not the last ones are done."""
    took: list[float] = []
    order = [one for step in zip(*told, strict=False) for one in step]
    begun = time.perf_counter()

    async def one_order(one: Told, due: float) -> None:
        await desk.order(one.who, one.text)
        took.append(time.perf_counter() - due)

    tasks = []
    for number, one in enumerate(order):
        due = begun + number / rate
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        tasks.append(asyncio.create_task(one_order(one, due)))
    await asyncio.gather(*tasks)
    return took


def recorded(games: int, orders: int) -> list[list[Statement]]:
    """What the desk writes for each order, arrival and all, in a run of its own, one at a time."""
    written: list[Statement] = []
    once, often = SqliteTx._run, SqliteTx._many

    def listening(self: SqliteTx, prepared: Any, values: Sequence[Any]) -> sqlite3.Cursor:
        if threading.current_thread().name == "store-writer":
            written.append((prepared.sql, [(*values, *prepared.tail)]))
        return once(self, prepared, values)

    def listening_often(self: SqliteTx, prepared: Any, rows: Sequence[Sequence[Any]]) -> int:
        written.append((prepared.sql, [(*values, *prepared.tail) for values in rows]))
        return often(self, prepared, rows)

    async def run(folder: Path) -> list[list[Statement]]:
        store, desk, tasks = await opened(folder, games)
        tasks.pop().cancel()  # no drain: its statements would be counted
        await store.write(lambda tx: tx.change(Outbox, {"state": "queued"}, state="sent"))
        found = []
        for one in (one for game in futures(store, games, orders) for one in game):
            written.clear()
            await desk.order(one.who, one.text)
            found.append(list(written))
            await store.write(lambda tx: tx.change(Outbox, {"state": "queued"}, state="sent"))
        await closed(store, desk, tasks)
        return found

    SqliteTx._run, SqliteTx._many = listening, listening_often  # type: ignore[method-assign]  # the recording is taken off again below
    try:
        with tempfile.TemporaryDirectory() as folder:
            return asyncio.run(run(Path(folder)))
    finally:
        SqliteTx._run, SqliteTx._many = once, often  # type: ignore[method-assign]  # as above


def bare(folder: Path, written: Sequence[Sequence[Statement]]) -> float:
    """Orders a second of a loop that only writes: the statements of each order in one FULL commit.

    Rows that the statements update were not there before, so they are made first.
    """
    Store.open(f"sqlite:///{folder}/bench.db").close_now()
    conn = connect(folder / "bench.db", writes=True, checkpoints=True)
    conn.execute("PRAGMA foreign_keys = OFF")  # the people and seats are not written here
    games = {
        values[-1]
        for order in written
        for sql, rows in order
        for values in rows
        if sql.startswith("UPDATE game SET")
    }
    for game in games:
        conn.execute(
            "INSERT INTO game (id, status, edition, settings, creator_id, seed, seed_hash, snapshot, "
            "question, asked, move_no, event_no, round, "
            "created_ms, started_ms, ended_ms) VALUES (?, 'running', 'classic', '{}', 1, '', '', ?, 0, '', "
            "0, 0, 0, 0, 0, 0)",
            (game, bytes(5000)),
        )
    spent = 0.0
    for order in written:
        begun = time.perf_counter()
        conn.execute("BEGIN IMMEDIATE")
        for sql, rows in order:
            if len(rows) == 1:
                conn.execute(sql, rows[0])
            else:
                conn.executemany(sql, rows)
        conn.execute("COMMIT")
        spent += time.perf_counter() - begun
        conn.execute(
            "UPDATE outbox SET state = 'sent' WHERE state = 'queued'"
        )  # as when it was recorded, and not counted
    conn.close()
    return len(written) / spent


async def real(
    callers: int, orders: int, *, post: bool = False, profile: cProfile.Profile | None = None
) -> tuple[float, list[float]]:
    games = max(callers, 8)
    with tempfile.TemporaryDirectory() as folder:
        store, desk, tasks = await opened(Path(folder), games, post=post)
        told = futures(store, games, orders // games)
        if profile is not None:
            await store.write(lambda _: profile.enable())  # the writer's thread is where the desk works
        outcome = await serve(desk, told, callers)
        if profile is not None:
            await store.write(lambda _: profile.disable())
        await closed(store, desk, tasks)
        return outcome


async def steady(orders: int, *, post: bool) -> list[float]:
    with tempfile.TemporaryDirectory() as folder:
        store, desk, tasks = await opened(Path(folder), 32, post=post)
        took = await paced(desk, futures(store, 32, orders // 32), PACE)
        await closed(store, desk, tasks)
        return took


def quantile(took: Sequence[float], part: float) -> float:
    """In milliseconds."""
    return sorted(took)[min(len(took) - 1, int(len(took) * part))] * 1000


async def thinking(store: Store, desk: Counter, tables: int) -> None:
    """So many tables where strong bots are asked, more than they can answer meanwhile."""
    for number in range(tables):
        who = f"{CHANNEL} thinker{number}"  # one person may not open as many
        await desk.order(who, f"new classic {BOTS + 1} players no restart with {BOTS} strong bots")
        game = await store.read(lambda tx: tx.all(Game, order="-id", limit=1)[0].id)
        await desk.order(who, f"ready #{game}")


async def beside_bots() -> tuple[float, float, float]:
    """(p50, p99) of people's orders while a bot thinks, to those while none does: medians of the ratios of
    rounds that follow one another; and how much of a processor the bot had.
    """
    with tempfile.TemporaryDirectory() as folder:
        store, desk, tasks = await opened(Path(folder), GAMES)
        each = CALM * ROUND_S // GAMES
        told = futures(store, GAMES, each * (2 * PAIRS + 2))
        await thinking(store, desk, BOT_TABLES)
        rounds = iter(range(2 * PAIRS + 2))

        async def one_round() -> list[float]:
            at = next(rounds) * each
            return await paced(desk, [game[at : at + each] for game in told], CALM)

        bots, ratios, had = desk.referee.bots, list[tuple[float, float]](), list[float]()
        await one_round()  # everything is warm
        for number in range(PAIRS):
            found = {}
            for thinks in (number % 2 == 0, number % 2 == 1):
                work = asyncio.create_task(bots.run()) if thinks else None
                while work is not None and bots.thinker.process is None:
                    bots.wake()
                    await asyncio.sleep(0.1)
                await asyncio.sleep(1)  # in which the process begins
                spent = _spent(bots.thinker.process)
                found[thinks] = await one_round()
                if work is not None:
                    had.append((_spent(bots.thinker.process) - spent) / ROUND_S)
                    work.cancel()
                    await asyncio.gather(work, return_exceptions=True)
                    assert await store.read(lambda tx: tx.count(Deadline, kind="think", done_ms=0)), "idle"
            ratios.append(
                (
                    quantile(found[True], 0.5) / quantile(found[False], 0.5),
                    quantile(found[True], 0.99) / quantile(found[False], 0.99),
                )
            )
            both = " / ".join(
                f"{quantile(found[way], 0.5):.1f} {quantile(found[way], 0.99):.1f}" for way in (True, False)
            )
            print(f"desk    p50 and p99 beside a bot with {had[-1]:.0%} / without: {both} ms")
        await closed(store, desk, tasks)
        bots.close()
        p50, p99 = (statistics.median(column) for column in zip(*ratios, strict=True))
        return p50, p99, statistics.median(had)


def _spent(process: subprocess.Popen[bytes] | None) -> float:
    """Seconds of processor time that it has had."""
    if process is None:
        return 0.0
    fields = Path(f"/proc/{process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def beside(sheet: Sheet) -> None:
    p50, p99, had = asyncio.run(beside_bots())
    print(f"desk    a bot thinks with {had:.0%} of a processor beside {CALM} orders a second")
    sheet.say(f"{CALM} orders a second beside a bot that thinks / without, p50", p50, "x")
    sheet.say(f"{CALM} orders a second beside a bot that thinks / without, p99", p99, "x", most=1.1)


def main(orders: int = ORDERS) -> None:
    settled_in()
    with Sheet("desk") as sheet:
        measured(sheet, orders)
        beside(sheet)


def only_bots() -> None:
    settled_in()
    with Sheet("desk") as sheet:
        beside(sheet)


def measured(sheet: Sheet, orders: int) -> None:
    written = recorded(8, orders // 8)
    mean = statistics.mean(map(len, written))
    print(
        f"desk    {len(written)} orders, {mean:.1f} statements that write each; "
        f"SQLite {sqlite3.sqlite_version}, median of {ROUNDS} rounds"
    )
    rates: dict[str, list[float]] = defaultdict(list)
    took: dict[str, list[float]] = defaultdict(list)
    for _ in range(ROUNDS):
        with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(1, initializer=let_go) as anywhere:
            base_rate = anywhere.submit(bare, Path(folder), written).result()
        rates["bare sqlite3, one FULL commit each"].append(base_rate)
        for callers, post in ((1, False), (8, False), (32, False), (32, True)):
            name = f"the desk, {callers} at once{', the post at work too' if post else ''}"
            rate, each = asyncio.run(real(callers, orders, post=post))
            rates[name].append(rate)
            took[name] += each
    base = rates["bare sqlite3, one FULL commit each"]
    for name, found in rates.items():
        rate, ratio = (
            statistics.median(found),
            statistics.median(a / b for a, b in zip(found, base, strict=True)),
        )
        times = (
            f"  p50 {quantile(took[name], 0.5):6.2f} ms  p99 {quantile(took[name], 0.99):6.2f} ms"
            if name in took
            else ""
        )
        print(f"desk    {name:42} {rate:7.0f}/s  {ratio:5.2f} x bare{times}")
        if name in GOALS:
            sheet.say(f"{name} / bare", ratio, least=GOALS[name])
    for post in (False, True):
        paces = asyncio.run(steady(5 * PACE, post=post))
        name = f"{PACE} orders a second{', the post at work too' if post else ''}"
        sheet.say(f"{name}, p50", quantile(paces, 0.5), "ms")
        sheet.say(f"{name}, p99", quantile(paces, 0.99), "ms", most=P99_MS)


def profiled(orders: int = ORDERS) -> None:
    """Where the writer's thread spends its time, 32 at once."""
    settled_in()
    profile = cProfile.Profile()
    asyncio.run(real(32, orders, profile=profile))
    out = io.StringIO()
    pstats.Stats(profile, stream=out).sort_stats("tottime").print_stats(25)
    pstats.Stats(profile, stream=out).sort_stats("cumulative").print_stats(45)
    print(out.getvalue())


if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    if "--bots" in sys.argv:
        only_bots()
    else:
        (profiled if "--profile" in sys.argv else main)(*map(int, words))
