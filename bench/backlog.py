"""What letters that wait on one channel cost the players of another.

    python -m bench.backlog [letters] [answers]

Two referees in one process, each on a real disk with its real post running: at one nothing waits, at the
other so many mails wait for a server that is away (30,000 unless said otherwise). Somebody at a terminal asks
both in turn; the ratio of how long they wait is what counts, its aim is below 1.1. Beside it the rows that
the post changes and reads in a second in which nobody asks anything, and the bytes that it writes.
"""

from __future__ import annotations

import asyncio
import itertools
import resource
import statistics
import sys
import tempfile
import time
from dataclasses import fields
from pathlib import Path
from typing import Any

from bench._goals import Sheet
from bench.house import SETTINGS, Wire, now_ms
from referee.ports import Fate, Inbound, Letter, Receipt
from referee.service import Referee
from referee.store import Outbox, Store
from referee.store.connection import SqliteTx
from referee.text import Words

LETTERS, ANSWERS, AIM = 30_000, 100, 1.1
_IDLE_S = 5.0
_TELLS = "whole" in {field.name for field in fields(Receipt)}


class Hall(Wire):
    """A terminal: what is sent there is there."""

    name = "terminal"

    def __init__(self) -> None:
        super().__init__()
        self.came = asyncio.Event()

    async def send(self, letter: Letter) -> Receipt:
        self.came.set()
        return await super().send(letter)


class Away(Wire):
    """A mail server that does not answer; `tells`: the adapter says that it is the server, as ours does."""

    name = "mail"

    async def send(self, letter: Letter) -> Receipt:
        self.sent += 1
        return Receipt(
            Fate.LATER, retry_ms=30_000, detail="connect: refused", **({"whole": True} if _TELLS else {})
        )


class House:
    """One referee with both channels."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.store = Store.open(f"sqlite:///{folder}/backlog.db")
        self.hall, self.away = Hall(), Away()
        self.referee = Referee(
            self.store, Words(()), [self.hall, self.away], clock_ms=now_ms, settings=SETTINGS
        )
        self._n = itertools.count(1)

    async def open(self, letters: int) -> House:
        now = now_ms()
        rows = [
            {
                "channel": "mail",
                "address": f"p{n}@x.test",
                "kind": "notice",
                "data": '{"notices": [{"code": "empty", "facts": {}}]}',
                "created_ms": now,
                "not_before_ms": now - letters + n,
                "expires_ms": now + 86_400_000,
            }
            for n in range(letters)
        ]
        await self.store.write(lambda tx: tx.add_all(Outbox, rows))
        await self.referee.start()
        await asyncio.sleep(3)  # it is found out that nobody is there
        return self

    async def close(self) -> None:
        await self.referee.stop()
        await self.store.close()

    async def asked(self) -> float:
        """Milliseconds from a line at the terminal to its answer."""
        self.hall.came.clear()
        began = time.perf_counter()
        await self.referee.reception.receive(
            [Inbound("terminal", f"k{next(self._n)}", "ana", text="rules thief", name="ana", at_ms=now_ms())],
            channel="terminal",
        )
        async with asyncio.timeout(60):
            await self.hall.came.wait()
        return (time.perf_counter() - began) * 1000


class Count:
    """Rows that were changed and read, by the person who did."""

    changed = read = 0


def counting() -> Count:
    count = Count()
    tell, ask = SqliteTx._tell, SqliteTx._ask

    def told(self: SqliteTx, *given: Any) -> int:
        rows = tell(self, *given)
        count.changed += max(0, rows)
        return rows

    def asked(self: SqliteTx, *given: Any) -> list[Any]:
        rows = ask(self, *given)
        count.read += len(rows)
        return rows

    SqliteTx._tell, SqliteTx._ask = told, asked  # type: ignore[method-assign]  # the bench looks over the store's shoulder
    return count


async def bench(letters: int, answers: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        count = counting()
        empty = await House(Path(name) / "empty").open(0)
        full = await House(Path(name) / "full").open(letters)
        waited: dict[House, list[float]] = {empty: [], full: []}
        for number in range(answers + 5):
            for house in (empty, full) if number % 2 else (full, empty):
                took = await house.asked()
                if number >= 5:
                    waited[house].append(took)
                await asyncio.sleep(0.02)
        before, wrote, tried = (
            (count.changed, count.read),
            resource.getrusage(resource.RUSAGE_SELF).ru_oublock,
            full.away.sent,
        )
        await asyncio.sleep(_IDLE_S)
        changed, read = count.changed - before[0], count.read - before[1]
        wrote, tried = resource.getrusage(resource.RUSAGE_SELF).ru_oublock - wrote, full.away.sent - tried
        await empty.close()
        await full.close()
    without, with_it = (statistics.median(waited[house]) for house in (empty, full))
    ratios = [b / a for a, b in zip(waited[empty], waited[full], strict=True)]
    print(
        f"backlog an answer at a terminal: {without:.1f} ms, with {letters} mails waiting {with_it:.1f} ms; "
        f"median of the pairs' ratios {statistics.median(ratios):.2f}, "
        f"worst answer {max(waited[empty]):.0f} and {max(waited[full]):.0f} ms"
    )
    print(
        f"backlog while nobody asks: {changed / _IDLE_S:.1f} rows changed and {read / _IDLE_S:.1f} read a "
        f"second, {wrote * 512 / _IDLE_S / 1000:.1f} kB written a second, "
        f"{tried / _IDLE_S:.2f} letters tried a second"
    )
    with Sheet("backlog") as sheet:
        sheet.say(f"an answer, {letters} mails waiting / none", statistics.median(ratios), most=AIM)
        sheet.say("rows read a second while nobody asks", read / _IDLE_S, "/s")


def main(letters: int = LETTERS, answers: int = ANSWERS) -> None:
    asyncio.run(bench(letters, answers))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
