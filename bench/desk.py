"""How fast the desk is: orders from the inbox to the commit, beside a bare sqlite3 loop that writes the same rows.

    python -m bench.desk [orders] [--profile]

The real path: `Reception.receive` (one commit: it arrived), then the desk reads, plays and writes inbox, journal, events,
snapshot, deadline and letters (one commit), on disk with synchronous=FULL, from a channel that
only remembers.  The bare loop writes the very statements that the desk wrote, recorded
beforehand, one FULL commit an order and nothing else.  The letters written are thrown away as if they had been
sent; a last row has the real post running beside it.  Rounds alternate and each has its own
ratio; only those mean something on a shared machine.
"""
from __future__ import annotations

import asyncio
import cProfile
import io
import json
import pstats
import random
import sqlite3
import statistics
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from referee import rules
from referee.ports import Fate, Finding, Inbound, Letter, Limits, Receipt
from referee.ports import Reception as Arrivals
from referee.rules.notation import order_text
from referee.service import Referee, ServiceSettings
from referee.store import Game, Outbox, Seat, Store, Tx
from referee.store.connection import SqliteTx, connect
from referee.text import Words

SEATS, ORDERS, ROUNDS, PACE = 4, 800, 5, 100
CHANNEL = "bench"
SETTINGS = ServiceSettings(bell=False, move_hours=1000)
GOAL, AIM, P99_MS = 0.5, 1.0, 25.0
SWITCH_S = 0.001                 # as `referee.main` sets it for a serving referee

Statement = tuple[str, tuple[Any, ...]]


class Told(NamedTuple):
    """One order to come: who says it, and what; `game` counts from 0."""

    game: int
    who: str
    text: str


class Wire:
    """A channel that only remembers."""

    name, markup, can_edit, idempotent, rewrites = CHANNEL, "text", True, True, True

    def __init__(self) -> None:
        self.limits: Limits = self
        self.sent = 0

    def delay_ms(self, letter: Letter, now_ms: int) -> int:
        return 0

    async def start(self, reception: Arrivals) -> None:
        """Nothing arrives by itself."""

    async def send(self, letter: Letter) -> Receipt:
        self.sent += 1
        return Receipt(Fate.SENT, wire_id=letter.edits or f"w{self.sent}")

    async def stop(self) -> None:
        """Nothing is open."""

    async def check(self) -> list[Finding]:
        return []

    def healthy(self) -> bool:
        return True


class Counter:
    """Where messages are handed in, one or many at once; tells when each is done: rows are numbered in the order of `receive`."""

    def __init__(self, store: Store) -> None:
        self.referee = Referee(store, Words(()), [Wire()], clock_ms=now_ms, settings=SETTINGS)
        self.waiting: dict[int, asyncio.Future[None]] = {}
        self.next_id = 1
        self._handle = self.referee.reception._handle
        self.referee.reception._handle = self._told  # type: ignore[method-assign]  # the bench looks over the desk's shoulder

    async def order(self, who: str, text: str) -> None:
        """Bring one message; returns when what it asked for is on disk."""
        number, self.next_id = self.next_id, self.next_id + 1
        done = self.waiting[number] = asyncio.get_running_loop().create_future()
        await self.referee.reception.receive([Inbound(CHANNEL, f"k{number}", who, text=text, name=who, at_ms=now_ms())], channel=CHANNEL)
        await done

    async def _told(self, inbox_id: int) -> None:
        await self._handle(inbox_id)
        self.waiting.pop(inbox_id).set_result(None)


def now_ms() -> int:
    return time.time_ns() // 1_000_000


def names(game: int) -> list[str]:
    return [f"P{game}x{seat}" for seat in range(SEATS)]


async def opened(folder: Path, games: int, *, post: bool = False) -> tuple[Store, Counter, list[asyncio.Task[None]]]:
    """A store with so many running games, and a reception at work on it."""
    store = Store.open(f"sqlite:///{folder}/bench.db")
    desk = Counter(store)
    tasks = [asyncio.create_task(desk.referee.reception.run()), asyncio.create_task(desk.referee.post.run() if post else drain(store))]
    if post:
        await desk.referee.post.recover()
    for game in range(games):
        first, *rest = names(game)
        await desk.order(first, f"new classic {SEATS} players")
        for who in rest:
            await desk.order(who, f"join #{game + 1}")
        for who in (first, *rest):
            await desk.order(who, f"ready #{game + 1}")
    running = await store.read(lambda tx: tx.count(Game, status="running"))
    assert running == games, f"{running} of {games} games began"
    return store, desk, tasks


async def drain(store: Store) -> None:
    """Throw the letters away every so often: a queue that nobody serves would fold them into ever longer ones."""
    while True:
        await asyncio.sleep(0.05)
        await store.write(lambda tx: tx.change(Outbox, {"state": "queued"}, state="sent"))


async def closed(store: Store, desk: Counter, tasks: Sequence[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await desk.referee.post.stop()
    await store.close()


def futures(store: Store, games: int, orders: int) -> list[list[Told]]:
    """For each game what its players will say: random legal orders, played ahead on a copy."""

    def read(tx: Tx) -> list[tuple[bytes, list[str]]]:
        return [(game.snapshot, [s.name for s in tx.all(Seat, game_id=game.id, order="no")]) for game in tx.all(Game, order="id", limit=games)]

    found: list[list[Told]] = []
    for number, (snapshot, called) in enumerate(store.read_now(read)):
        dice, state, told = random.Random(number), rules.load(json.loads(snapshot)), list[Told]()
        while len(told) < orders and rules.asks(state):
            ask = rules.asks(state)[0]
            move = dice.choice(ask.moves)
            told.append(Told(number, called[ask.seat], order_text(move, called)))
            state = rules.play(state, ask.seat, move).state
        found.append(told)
    return found


async def serve(desk: Counter, told: Sequence[Sequence[Told]], callers: int) -> tuple[float, list[float]]:
    """(orders a second, seconds each took) with `callers` messages under way at any time, each game one after the other."""
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
    original = SqliteTx._run

    def listening(self: SqliteTx, prepared: Any, values: Sequence[Any]) -> sqlite3.Cursor:
        if threading.current_thread().name == "store-writer":
            written.append((prepared.sql, (*values, *prepared.tail)))
        return original(self, prepared, values)

    async def run(folder: Path) -> list[list[Statement]]:
        store, desk, tasks = await opened(folder, games)
        tasks.pop().cancel()                                   # no drain: its statements would be counted
        await store.write(lambda tx: tx.change(Outbox, {"state": "queued"}, state="sent"))
        found = []
        for one in (one for game in futures(store, games, orders) for one in game):
            written.clear()
            await desk.order(one.who, one.text)
            found.append(list(written))
            await store.write(lambda tx: tx.change(Outbox, {"state": "queued"}, state="sent"))
        await closed(store, desk, tasks)
        return found

    SqliteTx._run = listening  # type: ignore[method-assign]  # the recording is taken off again below
    try:
        with tempfile.TemporaryDirectory() as folder:
            return asyncio.run(run(Path(folder)))
    finally:
        SqliteTx._run = original  # type: ignore[method-assign]  # as above


def bare(folder: Path, written: Sequence[Sequence[Statement]]) -> float:
    """Orders a second of a loop that only writes: the statements of each order in one FULL commit.  Rows that the
    statements update were not there before, so they are made first."""
    Store.open(f"sqlite:///{folder}/bench.db").close_now()
    conn = connect(folder / "bench.db", writes=True, checkpoints=True)
    conn.execute("PRAGMA foreign_keys = OFF")                 # the people and seats are not written here
    games = {values[-1] for order in written for sql, values in order if sql.startswith("UPDATE game SET")}
    for game in games:
        conn.execute("INSERT INTO game (id, status, edition, settings, creator_id, seed, seed_hash, snapshot, question, asked, move_no, event_no, round, "
                     "created_ms, started_ms, ended_ms) VALUES (?, 'running', 'classic', '{}', 1, '', '', ?, 0, '', 0, 0, 0, 0, 0, 0)", (game, bytes(5000)))
    spent = 0.0
    for order in written:
        begun = time.perf_counter()
        conn.execute("BEGIN IMMEDIATE")
        for sql, values in order:
            conn.execute(sql, values)
        conn.execute("COMMIT")
        spent += time.perf_counter() - begun
        conn.execute("UPDATE outbox SET state = 'sent' WHERE state = 'queued'")   # as when it was recorded, and not counted
    conn.close()
    return len(written) / spent


async def real(callers: int, orders: int, *, post: bool = False, profile: cProfile.Profile | None = None) -> tuple[float, list[float]]:
    games = max(callers, 8)
    with tempfile.TemporaryDirectory() as folder:
        store, desk, tasks = await opened(Path(folder), games, post=post)
        told = futures(store, games, orders // games)
        if profile is not None:
            await store.write(lambda _: profile.enable())      # the writer's thread is where the desk works
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


def main(orders: int = ORDERS) -> None:
    sys.setswitchinterval(SWITCH_S)
    written = recorded(8, orders // 8)
    mean = statistics.mean(map(len, written))
    print(f"desk    {len(written)} orders, {mean:.1f} statements that write each; SQLite {sqlite3.sqlite_version}, median of {ROUNDS} rounds")
    rates: dict[str, list[float]] = defaultdict(list)
    took: dict[str, list[float]] = defaultdict(list)
    for _ in range(ROUNDS):
        with tempfile.TemporaryDirectory() as folder:
            rates["bare sqlite3, one FULL commit each"].append(bare(Path(folder), written))
        for callers, post in ((1, False), (8, False), (32, False), (32, True)):
            name = f"the desk, {callers} at once{', the post at work too' if post else ''}"
            rate, each = asyncio.run(real(callers, orders, post=post))
            rates[name].append(rate)
            took[name] += each
    base = rates["bare sqlite3, one FULL commit each"]
    for name, found in rates.items():
        rate, ratio = statistics.median(found), statistics.median(a / b for a, b in zip(found, base, strict=True))
        times = f"  p50 {quantile(took[name], 0.5):6.2f} ms  p99 {quantile(took[name], 0.99):6.2f} ms" if name in took else ""
        print(f"desk    {name:42} {rate:7.0f}/s  {ratio:5.2f} x bare{times}")
    print(f"desk    asked for at 32 at once: {GOAL} x bare, aimed at {AIM} x")
    for post in (False, True):
        paces = asyncio.run(steady(5 * PACE, post=post))
        print(f"desk    {PACE} orders a second{', the post at work too' if post else '':24} p50 {quantile(paces, 0.5):6.2f} ms  p99 {quantile(paces, 0.99):6.2f} ms  (asked for: {P99_MS:.0f} ms)")


def profiled(orders: int = ORDERS) -> None:
    """Where the writer's thread spends its time, 32 at once."""
    sys.setswitchinterval(SWITCH_S)
    profile = cProfile.Profile()
    asyncio.run(real(32, orders, profile=profile))
    out = io.StringIO()
    pstats.Stats(profile, stream=out).sort_stats("tottime").print_stats(25)
    pstats.Stats(profile, stream=out).sort_stats("cumulative").print_stats(45)
    print(out.getvalue())


if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if word != "--profile"]
    (profiled if "--profile" in sys.argv else main)(*map(int, words))
