"""What a game weighs in the book: orders, letters, rows and bytes from the first to the last, and how much of
it a live one is.

    python -m bench.weight [games]

Classic tables of four, played to their end by greedy players through the real desk and post; on SQLite,
vacuumed before it is weighed.
"""

from __future__ import annotations

import asyncio
import json
import random
import sqlite3
import sys
import tempfile
from pathlib import Path

from bench._goals import Sheet
from bench.house import SEATS, Counter, closed, names, opened
from referee import rules
from referee.bots import BOTS
from referee.rules.notation import order_text
from referee.store import Game, GameEvent, Journal, Outbox, Store
from tests.adapters.conformance import until

GAMES = 12


async def play(desk: Counter, store: Store, number: int, called: list[str], most: int = 10_000) -> None:
    """So many orders of one game, no matter who is asked."""
    dice = random.Random(number)
    for _ in range(most):
        game = await store.read(lambda tx: tx.get(Game, number))
        if game is None or game.status != "running":
            return
        state = rules.load(json.loads(game.snapshot))
        ask = rules.asks(state)[0]
        said = order_text(BOTS["greedy"].choose(rules.view(state, ask.seat), dice), called)
        await desk.order(called[ask.seat], f"{said}!" if said == "end" else said)


def weighed(file: Path) -> tuple[int, dict[str, int]]:
    """Bytes in all, and of each table with its indexes, once everything is folded into the file."""
    conn = sqlite3.connect(file)
    conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    conn.execute("VACUUM")
    whole = conn.execute("PRAGMA page_count").fetchone()[0] * conn.execute("PRAGMA page_size").fetchone()[0]
    owner = dict(conn.execute("SELECT name, tbl_name FROM sqlite_master"))
    parts: dict[str, int] = {}
    for name, size in conn.execute("SELECT name, SUM(pgsize) FROM dbstat GROUP BY name"):
        parts[owner.get(name, name)] = parts.get(owner.get(name, name), 0) + size
    conn.close()
    return whole, parts


async def measured(sheet: Sheet, games: int, most: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store, desk, tasks = await opened(Path(folder), games, post=True)
        before = await store.read(lambda tx: tx.count(Journal))
        await asyncio.gather(*(play(desk, store, number + 1, names(number), most) for number in range(games)))
        await until(lambda: store.read(lambda tx: not tx.count(Outbox, state="queued")), 60)
        orders, letters, events = await store.read(
            lambda tx: (tx.count(Journal) - before, tx.count(Outbox, state="sent"), tx.count(GameEvent))
        )
        assert orders, "nobody was understood"
        over = await store.read(lambda tx: tx.count(Game, status="over"))
        await closed(store, desk, tasks)
        whole, parts = weighed(Path(folder) / "bench.db")
    print(
        f"{games} tables of {SEATS}, {over} of them over: {orders / games:.0f} orders,"
        f" {letters / games:.0f} letters, {events / games:.0f} events, {whole / games / 1000:.0f} "
        f"kB each"
    )
    for name, size in sorted(parts.items(), key=lambda one: -one[1])[:6]:
        print(f"    {name:12} {size / games / 1000:7.1f} kB a table")
    sheet.say(f"a table after {'40 orders' if most == 40 else 'its end'}", whole / games / 1000, "kB")


if __name__ == "__main__":
    count = int(sys.argv[1]) if sys.argv[1:] else GAMES
    with Sheet("weight") as figures:
        asyncio.run(measured(figures, count, 40))
        asyncio.run(measured(figures, count, 10_000))
