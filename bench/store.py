"""How fast the book is: one move's rows through the store, beside a bare sqlite3 loop that writes the same
rows.

A move here is: the game's snapshot (5 kB) changed, one event (300 bytes) and three letters added. The bare
loop commits each on its own (synchronous=FULL); the store groups what waits together. Rounds alternate,
medians are shown: on a shared machine only the ratios mean something. `python -m bench.store`
"""

from __future__ import annotations

import asyncio
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from bench._goals import Sheet
from referee.store import Deadline, Game, GameEvent, Outbox, Person, Store, Tx
from referee.store.connection import connect

SNAPSHOT = bytes(range(256)) * 20
FACTS = "x" * 300
MOVES, ROUNDS = 2000, 3


class Row(NamedTuple):
    """One line of the table: what was measured, moves a second, factor to the bare loop, latencies in ms."""

    what: str
    rate: float
    ratio: float
    p50_ms: float
    p99_ms: float


def _start(folder: Path) -> tuple[Store, int]:
    store = Store.open(f"sqlite:///{folder}/bench.db")
    person = store.write_now(lambda tx: tx.add(Person, name="Ann"))
    return store, store.write_now(lambda tx: tx.add(Game, creator_id=person))


def _bare(folder: Path) -> tuple[float, list[float]]:
    store, game = _start(folder)
    store.close_now()
    conn = connect(store.path, writes=True, checkpoints=True)
    took = []
    outbox = (
        "INSERT INTO outbox (channel, address, place, question, kind, data, letter, upto, collapse, "
        "state, tries, not_before_ms, expires_ms, wire_id, error, created_ms, sent_ms) VALUES ('mail', "
        "'ann', '', 0, 'prompt', '{}', '', 0, '', 'queued', 0, 0, 0, '', '', 0, 0)"
    )
    begun = time.perf_counter()
    for no in range(MOVES):
        at = time.perf_counter()
        conn.execute("BEGIN IMMEDIATE")
        conn.execute("UPDATE game SET snapshot = ?, event_no = ? WHERE id = ?", (SNAPSHOT, no, game))
        conn.execute(
            (
                "INSERT INTO game_event (game_id, no, to_seat, name, facts, at_ms) VALUES (?, ?, NULL, "
                "'take', ?, 0)"
            ),
            (game, no, FACTS),
        )
        for _ in range(3):
            conn.execute(outbox)
        conn.execute("COMMIT")
        took.append(time.perf_counter() - at)
    rate = MOVES / (time.perf_counter() - begun)
    conn.close()
    return rate, took


def _move(game: int, no: int) -> Callable[[Tx], None]:
    def job(tx: Tx) -> None:
        tx.set(Game, game, snapshot=SNAPSHOT, event_no=no)
        tx.add(GameEvent, game_id=game, no=no, name="take", facts=FACTS, at_ms=0)
        for _ in range(3):
            tx.add(Outbox, channel="mail", address="ann", kind="prompt")

    return job


def _store(folder: Path, callers: int) -> tuple[float, list[float]]:
    store, game = _start(folder)
    took: list[float] = []
    numbers = iter(range(MOVES))

    async def caller() -> None:
        for no in numbers:
            at = time.perf_counter()
            await store.write(_move(game, no))
            took.append(time.perf_counter() - at)

    async def crowd() -> None:
        await asyncio.gather(*(caller() for _ in range(callers)))

    begun = time.perf_counter()
    asyncio.run(crowd())
    rate = MOVES / (time.perf_counter() - begun)
    store.close_now()
    return rate, took


def _median(
    measure: Callable[[Path], tuple[float, list[float]]], rounds: list[tuple[float, list[float]]]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        rounds.append(measure(Path(folder)))


def writing() -> list[Row]:
    """Moves a second: the bare loop, then the store with 1, 8 and 32 callers."""
    kinds: dict[str, Callable[[Path], tuple[float, list[float]]]] = {
        "bare sqlite3, one FULL commit each": _bare
    }
    for callers in (1, 8, 32):
        kinds[f"Store.write, {callers} callers"] = lambda folder, callers=callers: _store(folder, callers)  # type: ignore[misc]  # the default binds the number
    seen: dict[str, list[tuple[float, list[float]]]] = {what: [] for what in kinds}
    for _ in range(ROUNDS):
        for what, measure in kinds.items():
            _median(measure, seen[what])
    rows: list[Row] = []
    for what, rounds in seen.items():
        rate = statistics.median(r for r, _ in rounds)
        took = sorted(t * 1000 for _, ts in rounds for t in ts)
        rows.append(
            Row(
                what,
                rate,
                rate / rows[0].rate if rows else 1.0,
                took[len(took) // 2],
                took[len(took) * 99 // 100],
            )
        )
    return rows


def busy() -> list[tuple[str, float, float]]:
    """Latency in ms (median, p99) of one caller while the event loop's thread computes in 3 ms pieces.

    Python lets a thread that wants to run wait for the switch interval, and the writer asks at every
    statement: the interval of `serve` decides how long a move takes while letters are being written.
    """
    rows = []
    usual = sys.getswitchinterval()
    for interval in (0.005, 0.001, 0.0005):
        with tempfile.TemporaryDirectory() as folder:
            store, game = _start(Path(folder))
            took: list[float] = []

            async def compute(done: asyncio.Event) -> None:
                while not done.is_set():
                    until = time.perf_counter() + 0.003
                    while time.perf_counter() < until:
                        pass
                    await asyncio.sleep(0)

            async def caller(store: Store = store, game: int = game, took: list[float] = took) -> None:
                done = asyncio.Event()
                computing = asyncio.create_task(compute(done))
                for no in range(200):
                    at = time.perf_counter()
                    await store.write(_move(game, no))
                    took.append((time.perf_counter() - at) * 1000)
                done.set()
                await computing

            sys.setswitchinterval(interval)
            try:
                asyncio.run(caller())
            finally:
                sys.setswitchinterval(usual)
                store.close_now()
            took.sort()
            rows.append((f"switch interval {interval * 1000:g} ms", took[100], took[198]))
    return rows


def clock() -> list[tuple[str, float]]:
    """Microseconds for the clock's questions with 100,000 deadlines, 99,000 of them done or far away."""
    with tempfile.TemporaryDirectory() as folder:
        store, game = _start(Path(folder))
        for start in range(0, 100_000, 10_000):
            store.write_now(
                lambda tx, start=start: (
                    [  # type: ignore[misc]  # the default binds the number
                        tx.add(
                            Deadline, game_id=game, seat=0, question=n, kind="answer", due_ms=n, done_ms=n % 2
                        )
                        for n in range(start, start + 10_000)
                    ]
                    and None
                )
            )
        asked: dict[str, Callable[[Tx], object]] = {
            "next_due_ms": lambda tx: tx.next_due_ms(),
            "due, 200 of them": lambda tx: tx.due(100_000, 200),
            "one by number": lambda tx: tx.get(Deadline, 50_000),
        }
        found = []
        for what, question in asked.items():

            def many(tx: Tx, question: Callable[[Tx], object] = question) -> float:
                question(tx)
                at = time.perf_counter()
                for _ in range(100):
                    question(tx)
                return (time.perf_counter() - at) / 100 * 1e6

            found.append((what, store.read_now(many)))
        store.close_now()
    return found


def run() -> None:
    """Print the three tables."""
    found = writing()
    print(f"SQLite {sqlite3.sqlite_version}, {MOVES} moves, median of {ROUNDS} rounds")
    with Sheet("store") as sheet:
        for row in found:
            sheet.say(f"{row.what} / bare", row.ratio)
    for row in found:
        print(
            f"{row.what:40} {row.rate:8.0f}/s  {row.ratio:5.2f} x  p50 {row.p50_ms:6.2f} ms  "
            f"p99 {row.p99_ms:6.2f} ms"
        )
    print("one caller beside a computing event loop")
    for what, p50, p99 in busy():
        print(f"{what:40} {'':20} p50 {p50:6.2f} ms  p99 {p99:6.2f} ms")
    print("100,000 deadlines")
    for what, micros in clock():
        print(f"{what:40} {micros:8.1f} µs")


if __name__ == "__main__":
    run()
