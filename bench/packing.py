"""The book after years: what a game takes at rest, what all of them take, and how long an order waits beside
the packing of old games.

    python -m bench.packing [part]       part of 36,000 finished and 10,000 live games: 0.02, or 1 for all

Where the games come from: two dozen are played by greedy players through the real desk and post, every letter
worded: half of them to the end, half to a point by chance. Those that are over are packed by the referee's
own chores. All others of the book are copies of theirs, with numbers and people of their own. 1,000 games a
month and 10,000 that are live mean that a game lasts ten months: a live one is of an age by chance up to
that, has got as far as a real one had by then, and its rows are spread over that time. Then the chores that
serve at a referee (letters, messages, deadlines, room) go over the whole book. Nothing is vacuumed: the size
is that of the file.

Orders come at a steady pace, with packing beside them and without in turns: ten pieces each second, where a
referee does thirty in half a minute. On a machine that others use the clock says little: so it is told, too,
how long a piece holds the writer, in processor time.
"""

from __future__ import annotations

import asyncio
import random
import sqlite3
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from bench._goals import Sheet
from bench.desk import paced
from bench.house import closed, futures, names, opened
from bench.weight import play
from referee.main import settled_in
from referee.policy import DAY_MS
from referee.service.upkeep import packing, retention
from referee.store import Game, Inbox, Outbox, Store, Tx
from tests.adapters.conformance import until

MODELS, FINISHED, LIVE, PEOPLE = 24, 36_000, 10_000, 5_000
DAYS, LASTS_DAYS = 30, 300
ORDERS, PACE, ROUNDS = 120, 30, 6
KB, GB, SLOWER, HELD_MS = 12.0, 1.0, 1.5, 10.0
#: tables whose rows are copied with their game; those whose rows are in the order of time
_OF_GAME = ("seat", "journal", "game_event", "deadline", "packed_game")
Rows = dict[str, list[dict[str, Any]]]


async def models(folder: Path) -> None:
    """Real games, half of them over and half of them on the way."""
    dice = random.Random(1)
    store, desk, tasks = await opened(folder, MODELS, post=True)
    for number in range(MODELS):
        await play(
            desk,
            store,
            number + 1,
            names(number),
            10_000 if number < MODELS // 2 else dice.randrange(20, 180),
        )
    await until(lambda: store.read(lambda tx: not tx.count(Outbox, state="queued")), 60)
    await closed(store, desk, tasks)


def read(path: Path) -> dict[int, Rows]:
    """The rows of each game, with the messages in which its orders came, and its letters."""
    conn = sqlite3.connect(path)
    conn.row_factory = sqlite3.Row
    found: dict[int, Rows] = {}
    for (game,) in conn.execute("SELECT id FROM game ORDER BY id").fetchall():
        mine = {
            name: [dict(row) for row in conn.execute(f"SELECT * FROM {name} WHERE game_id = ?", (game,))]
            for name in (*_OF_GAME, "outbox")
        }
        mine["game"] = [dict(row) for row in conn.execute("SELECT * FROM game WHERE id = ?", (game,))]
        first, last = (
            MODELS * 9 + 1,
            f"P{game - 1}x%",
        )  # what was said before belongs to the table's beginning
        mine["inbox"] = [
            dict(row)
            for row in conn.execute("SELECT * FROM inbox WHERE id > ? AND lane LIKE ?", (first, f"%{last}"))
        ]
        found[game] = mine
    conn.close()
    return found


class Book:
    """A file that is filled with copies."""

    def __init__(self, path: Path, now_ms: int, people: int) -> None:
        Store.open(f"sqlite:///{path}").close_now()
        self.conn, self.now, self.dice = sqlite3.connect(path), now_ms, random.Random(2)
        self.conn.execute("PRAGMA synchronous = OFF")
        self.conn.executemany(
            "INSERT INTO person(id, name, language, zone, prefer, admin, created_ms) "
            "VALUES (?, ?, 'en', 'UTC', '', 0, 0)",
            [(number, f"Player {number}") for number in range(1, people + 1)],
        )
        self.games, self.people = 0, people
        #: letters and messages wait until all are known: their numbers follow the hour
        self.mail: list[tuple[int, str, dict[str, Any], int, int]] = []

    def add(self, model: Rows, began_ms: int, ended_ms: int) -> None:
        """A copy of a game that began then, and is over since or has got to where it is."""
        self.games += 1
        number, people = self.games, self.dice.sample(range(1, self.people + 1), 8)
        [game] = model["game"]
        over = game["status"] == "over"
        times = {"created_ms": began_ms, "started_ms": began_ms, "ended_ms": ended_ms if over else 0}
        self.put("game", [{**game, **times, "id": number, "creator_id": people[0]}])
        for name in _OF_GAME:
            rows = model[name]
            self.put(
                name,
                [
                    self.row(name, row, n / len(rows), number, people, began_ms, ended_ms)
                    for n, row in enumerate(rows)
                ],
            )
        for name in ("outbox", "inbox"):
            rows = model[name]
            for n, row in enumerate(rows):
                at = began_ms + round((ended_ms - began_ms) * n / len(rows))
                self.mail.append((at, name, row, number, n))

    def row(
        self,
        name: str,
        row: dict[str, Any],
        share: float,
        number: int,
        people: list[int],
        began: int,
        ended: int,
    ) -> dict[str, Any]:
        """One row, at its share of the time that the game took."""
        at = began + round((ended - began) * share)
        more: dict[str, Any] = {"game_id": number}
        if name == "seat":
            more["person_id"] = None if row["person_id"] is None else people[row["no"]]
        if name == "deadline" and row["done_ms"]:
            more["done_ms"] = at
        if "at_ms" in row:
            more["at_ms"] = at
        return {key: value for key, value in (row | more).items() if key != "id"}

    def put(self, name: str, rows: list[dict[str, Any]]) -> None:
        if rows:
            columns = ", ".join(f'"{key}"' for key in rows[0])
            marks = ", ".join("?" * len(rows[0]))
            self.conn.executemany(
                f"INSERT INTO {name} ({columns}) VALUES ({marks})", [tuple(row.values()) for row in rows]
            )

    def close(self) -> None:
        """Letters and messages in the order of their hours, and an end."""
        self.mail.sort(key=lambda one: one[0])
        for name in ("outbox", "inbox"):
            for some in batches(self.letter(*one) for one in self.mail if one[1] == name):
                self.put(name, some)
        self.conn.commit()
        self.conn.close()

    @staticmethod
    def letter(at: int, name: str, row: dict[str, Any], number: int, n: int) -> dict[str, Any]:
        """One letter or message, as of that hour."""
        more: dict[str, Any] = {"at_ms": at, "done_ms": at, "key": f"k{number}-{n}"}
        if name == "outbox":
            more = {"created_ms": at, "sent_ms": at, "not_before_ms": at, "game_id": number}
        return {key: value for key, value in (row | more).items() if key != "id"}


def batches(rows: Iterator[dict[str, Any]], size: int = 5_000) -> Iterator[list[dict[str, Any]]]:
    held: list[dict[str, Any]] = []
    for row in rows:
        held.append(row)
        if len(held) == size:
            yield held
            held = []
    yield held


def chores(store: Store, now_ms: int, *, pack: bool) -> int:
    """What a referee does at its sweeps, until nothing is left; pieces."""
    before, pieces = now_ms - DAYS * DAY_MS, 0
    while store.write_now(partial(retention.drop, before_ms=before)):
        pieces += 1
    while store.write_now(partial(packing.rung, before_ms=before)):
        pieces += 1
    while pack and (found := store.read_now(partial(packing.ahead, before_ms=before))) is not None:
        store.write_now(lambda tx, found=found: packing.work(_Desk(tx, now_ms), found))  # type: ignore[arg-type,misc]  # all that it needs
        pieces += 1
    while store.read_now(lambda tx: tx.spare_pages())[0] > 500:
        store.write_now(lambda tx: tx.give_back(500))
    return pieces


class _Desk:
    """What packing takes of a unit of work."""

    def __init__(self, tx: Any, now_ms: int) -> None:
        self.tx, self.now_ms = tx, now_ms

    def seats(self, game: int) -> list[Any]:
        from referee.store import Seat

        found: list[Any] = self.tx.all(Seat, game_id=game, order="no")
        return found


def weighed(path: Path) -> dict[str, int]:
    """Bytes of each table with its indexes."""
    conn = sqlite3.connect(path)
    owner = dict(conn.execute("SELECT name, tbl_name FROM sqlite_master"))
    parts: dict[str, int] = {}
    for name, size in conn.execute("SELECT name, SUM(pgsize) FROM dbstat GROUP BY name"):
        parts[owner.get(name, name)] = parts.get(owner.get(name, name), 0) + size
    conn.close()
    return parts


def years(folder: Path, part: float, sheet: Sheet) -> None:
    """A book of three years, weighed."""
    now = time.time_ns() // 1_000_000
    fresh = read(folder / "bench.db")
    store = Store.open(f"sqlite:///{folder}/bench.db")
    later = now + (DAYS + 1) * DAY_MS
    chores(store, later, pack=True)
    store.close_now()
    at_rest = read(folder / "bench.db")
    over, live = [n for n, rows in fresh.items() if rows["game"][0]["status"] == "over"], []
    live = [n for n in fresh if n not in over]
    assert all(at_rest[n]["packed_game"] and not at_rest[n]["journal"] for n in over)
    people = round(PEOPLE * part)
    finished, running = round(FINISHED * part), round(LIVE * part)
    alone = Book(folder / "alone.db", now, people)
    for number in range(finished):
        alone.add(at_rest[over[number % len(over)]], 1, 2)
    alone.close()
    kb = (folder / "alone.db").stat().st_size / finished / 1000
    sheet.say("a finished game at rest", kb, "kB", most=KB)
    (folder / "alone.db").unlink()
    book = Book(folder / "years.db", now, people)
    lately = round(1_000 * part)
    for number in range(finished):
        old = number < finished - lately
        ended = now - (0 if old else round(book.dice.random() * DAYS * DAY_MS)) - (40 * DAY_MS if old else 0)
        book.add((at_rest if old else fresh)[over[number % len(over)]], ended - LASTS_DAYS * DAY_MS, ended)
    for number in range(running):
        age = book.dice.random()  # of what a game lasts: so far it has got, as far as a real one had by then
        whole, now_at = fresh[over[number % len(over)]], fresh[live[number % len(live)]]
        done = {name: rows[: round(len(rows) * age)] for name, rows in whole.items()}
        rings = [row for row in now_at["deadline"] if not row["done_ms"]]
        copy = (
            done | {name: now_at[name] for name in ("game", "seat")} | {"deadline": done["deadline"] + rings}
        )
        book.add(copy, now - round(age * LASTS_DAYS * DAY_MS), now)
    book.close()
    path = folder / "years.db"
    made = path.stat().st_size
    store = Store.open(f"sqlite:///{path}")
    spent = time.process_time()
    pieces = chores(store, now, pack=False)
    spent = time.process_time() - spent
    store.close_now()
    size = path.stat().st_size
    sheet.say("the whole book of three years", size / part / 1e9, "GB", most=GB)
    print(
        f"    {finished} finished, {lately} of them in the last month, {running} live: {size / 1e6:.0f} MB;"
    )
    print(
        f"    before letters and deadlines went {made / 1e6:.0f} MB; {pieces} pieces, {spent:.0f} s of work"
    )
    for name, taken in sorted(weighed(path).items(), key=lambda one: -one[1])[:8]:
        print(f"    {name:12} {taken / part / 1e6:7.0f} MB")


async def beside(folder: Path, sheet: Sheet) -> None:
    """Orders with packing beside them, and without, in turns."""
    now = time.time_ns() // 1_000_000
    source = read(folder / "bench.db")
    over = [n for n, rows in source.items() if rows["game"][0]["status"] == "over"]
    (folder / "orders").mkdir()
    store, desk, tasks = await opened(folder / "orders", 24)
    told = futures(store, 24, 2 * ROUNDS * ORDERS // 24)
    path = folder / "orders" / "bench.db"
    book = Book.__new__(Book)
    book.conn, book.now, book.dice, book.mail = sqlite3.connect(path, timeout=30), now, random.Random(3), []
    book.games, book.people = 1_000, 90
    for number in range(400):
        book.add(source[over[number % len(over)]], now - 90 * DAY_MS, now - 60 * DAY_MS)
    book.close()
    desk.next_id = (await store.read(lambda tx: tx.column(Inbox, "id", order="-id", limit=1)))[0] + 1
    waits: dict[bool, list[float]] = {True: [], False: []}
    holds: list[float] = []
    for turn in range(ROUNDS * 2):
        with_it = bool(turn % 2)
        task = asyncio.create_task(packs(store, now, holds)) if with_it else None
        some = [game[turn * ORDERS // 24 : (turn + 1) * ORDERS // 24] for game in told]
        waits[with_it] += await paced(desk, some, PACE)
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
    packed = await store.read(lambda tx: len([one for one in tx.column(Game, "packed_ms") if one]))
    await closed(store, desk, tasks)
    p99 = {how: sorted(each)[round(len(each) * 0.99) - 1] * 1000 for how, each in waits.items()}
    print(f"    {packed} games packed beside {len(waits[True])} orders in {len(holds)} pieces;")
    print(f"    p99 {p99[True]:.1f} ms, without {p99[False]:.1f} ms")
    longest = sorted(holds)[round(len(holds) * 0.99) - 1] * 1000
    sheet.say("a piece holds the writer, 99 of 100", longest, "ms", most=HELD_MS)
    sheet.say("p99 of an order beside packing / without", p99[True] / p99[False], "x", most=SLOWER)


async def packs(store: Store, now_ms: int, holds: list[float]) -> None:
    """Ten pieces each second: ten times as many as a referee does."""
    before = now_ms - DAYS * DAY_MS

    def work(tx: Tx, found: Any) -> None:
        began = time.thread_time()
        packing.work(_Desk(tx, now_ms), found)  # type: ignore[arg-type]  # all that it needs
        holds.append(time.thread_time() - began)

    while True:
        for _ in range(10):
            found = await store.read(partial(packing.ahead, before_ms=before), patient=True)
            await store.write(partial(work, found=found))
        await asyncio.sleep(1)


def main(part: float) -> None:
    settled_in()
    with Sheet("packing") as sheet, tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        asyncio.run(models(folder))
        asyncio.run(beside(folder, sheet))
        years(folder, part, sheet)


if __name__ == "__main__":
    main(float(sys.argv[1]) if sys.argv[1:] else 0.02)
