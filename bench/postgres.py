"""How fast the desk is on PostgreSQL: orders from the inbox to the commit, with one worker and with several
at one database.

    python -m bench.postgres [orders] [workers,workers,...]

A PostgreSQL of the bench's own, with fsync on. Each worker is a process with the real reception and desk; all
play at the same database, each at its own tables (as senders are spread over workers). Measured from the
first order to the last.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench._goals import Sheet
from bench.desk import quantile
from bench.house import SETTINGS, Told, Wire, futures, now_ms
from referee.main import settled_in
from referee.ports import Inbound
from referee.service import Referee
from referee.store import Game, Inbox, Journal, Outbox, Store
from referee.store.postgres import writer as writing
from referee.text import Words

if TYPE_CHECKING:
    from tests.servers.postgres import Postgres

GAMES, CALLERS = 16, 8
_keys = itertools.count()


async def order(referee: Referee, who: str, text: str) -> None:
    """Returns when what it asked for is on disk."""
    await referee.reception.receive(
        [Inbound("bench", f"{os.getpid()}.{next(_keys)}", who, text=text, name=who, at_ms=now_ms())],
        channel="bench",
    )


async def begin(url: str, games: int) -> None:
    """So many running games of four."""
    store = Store.open(url)
    referee = Referee(store, Words(()), [Wire()], clock_ms=now_ms, settings=SETTINGS)
    for number in range(games):
        first, *rest = (f"P{number}x{seat}" for seat in range(4))
        await order(referee, first, "new classic 4 players no restart")
        (game,) = await store.read(lambda tx: tx.column(Game, "id", order="-id", limit=1))
        for who in rest:
            await order(referee, who, f"join #{game}")
        for who in (first, *rest):
            await order(referee, who, f"ready #{game}")
    assert await store.read(lambda tx: tx.count(Game, status="running")) == games
    await store.write(lambda tx: tx.change(Outbox, {"state": "queued"}, state="sent"))
    await store.close()


async def work(url: str, mine: int, workers: int, orders: int) -> None:
    """Play a worker's share; says how long it took, and each order."""
    settled_in()
    store = Store.open(url, guest=True)
    referee = Referee(store, Words(()), [Wire()], clock_ms=now_ms, settings=SETTINGS)
    referee.reception.at_once = CALLERS  # an order counts when it is done: the next of that game builds on it
    told = futures(store, GAMES, orders // GAMES)[mine::workers]
    tries = 0
    once = writing.PostgresWriter._run

    def counted(self: Any, *given: Any) -> Any:
        nonlocal tries
        tries += 1
        return once(self, *given)

    writing.PostgresWriter._run = counted  # type: ignore[method-assign]  # the bench looks over its shoulder
    reception = asyncio.create_task(referee.reception.worker.run())
    await store.read(lambda tx: tx.count(Game))
    print("ready", flush=True)
    sys.stdin.readline()
    took: list[float] = []

    async def caller(pile: list[Told]) -> None:
        for one in pile:
            at = time.perf_counter()
            await order(referee, one.who, one.text)
            took.append(time.perf_counter() - at)

    begun, busy = time.time(), time.process_time()
    callers = max(1, CALLERS // workers)
    await asyncio.gather(
        *(caller([one for game in told[n::callers] for one in game]) for n in range(callers))
    )
    print(
        begun, time.time(), tries, time.process_time() - busy, *(f"{each:.5f}" for each in took), flush=True
    )
    sys.stdin.readline()
    reception.cancel()
    await store.close()


def measured(sheet: Sheet, server: Postgres, url: str, workers: int, orders: int) -> None:
    asyncio.run(begin(url, GAMES))
    store = Store.open(url, read_only=True)
    before = store.read_now(lambda tx: tx.count(Journal))
    crowd = [
        subprocess.Popen(
            [sys.executable, "-m", "bench.postgres", "--work", url, str(n), str(workers), str(orders)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for n in range(workers)
    ]
    for one in crowd:
        assert one.stdout is not None
        assert one.stdout.readline() == "ready\n"
    spent = server_cpu(server)
    for one in crowd:
        assert one.stdin is not None
        one.stdin.write("go\n")
        one.stdin.flush()
    said = [one.stdout.readline().split() for one in crowd if one.stdout is not None]
    spent = server_cpu(server) - spent
    for one in crowd:
        one.communicate("done\n")
    took = [float(each) for words in said for each in words[4:]]
    busy = sum(float(words[3]) for words in said)
    span = max(float(words[1]) for words in said) - min(float(words[0]) for words in said)
    tries = sum(int(words[2]) for words in said)
    moves, left = store.read_now(lambda tx: (tx.count(Journal) - before, tx.count(Inbox, state="new")))
    store.close_now()
    print(
        f"postgres  {workers} worker{'s' if workers > 1 else ' '}  {len(took) / span:6.0f} orders/s  "
        f"p50 {quantile(took, 0.5):6.2f} ms  p99 {quantile(took, 0.99):6.2f} ms"
        f"  {tries / len(took):5.2f} runs an order, which takes {busy / len(took) * 1000:4.1f} ms of a core "
        f"here and {spent / len(took) * 1000:4.1f} ms in the database"
        f"  ({len(took)} orders, {moves} moves, {left} left)",
        flush=True,
    )
    sheet.say(f"{workers} at work, a core's time for an order", busy / len(took) * 1000, "ms")
    sheet.say(f"{workers} at work, the database's", spent / len(took) * 1000, "ms")


def server_cpu(server: Postgres) -> float:
    """Seconds of a core that the database's processes have used."""
    ticks = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            words = stat.read_text().rpartition(")")[2].split()
            if int(words[1]) == server.pid or stat.parent.name == str(server.pid):
                ticks += (
                    int(words[11])
                    + int(words[12])
                    + (int(words[13]) + int(words[14]) if stat.parent.name == str(server.pid) else 0)
                )
    return ticks / os.sysconf("SC_CLK_TCK")


def main(orders: int = 1600, crowds: str = "1,2,4") -> None:
    from tests.servers.postgres import Postgres, missing

    if missing():
        print(f"postgres  {missing()}")
        return
    server = Postgres()
    try:
        with Sheet("postgres") as sheet:
            for workers in map(int, crowds.split(",")):
                base = server.book()
                measured(sheet, server, server.url(base), workers, orders)
                server.drop(base)
    finally:
        server.end()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--work"]:
        asyncio.run(work(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), int(sys.argv[5])))
    else:
        main(*([int(sys.argv[1])] if len(sys.argv) > 1 else []), *sys.argv[2:3])
