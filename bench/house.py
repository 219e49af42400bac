"""A referee for the benches: the real one on a real disk, with a channel that only remembers, and people who
never sleep.
"""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from referee import rules
from referee.ports import Fate, Finding, Inbound, Letter, Limits, Receipt
from referee.ports import Reception as Arrivals
from referee.rules.notation import order_text
from referee.service import ForTesting, Referee, ServiceSettings
from referee.service.core.unit_of_work import Readings
from referee.service.inbound.inbox_row import RowSource
from referee.store import Game, Outbox, Seat, Store, Tx
from referee.text import Words

SEATS = 4
CHANNEL = "bench"
PATIENCE_S = 30
#: everything is weighed at the gate, and nothing is too much
SETTINGS = ServiceSettings(
    testing=ForTesting(bell=False), messages_per_minute=100_000, messages_per_hour=1_000_000
)


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
    """Where messages are handed in, one or many at once; tells when each is done: rows are numbered in the
    order of `receive`.
    """

    def __init__(self, store: Store) -> None:
        self.referee = Referee(store, Words(()), [Wire()], clock_ms=now_ms, settings=SETTINGS)
        self.waiting: dict[int, asyncio.Future[None]] = {}
        self.next_id = 1
        self._handle = self.referee.reception.worker.handle
        self.referee.reception.worker.handle = self._told  # type: ignore[method-assign]  # the bench looks over the desk's shoulder

    async def order(self, who: str, text: str) -> None:
        """Bring one message; returns when what it asked for is on disk."""
        number, self.next_id = self.next_id, self.next_id + 1
        done = self.waiting[number] = asyncio.get_running_loop().create_future()
        await self.referee.reception.receive(
            [Inbound(CHANNEL, f"k{number}", who, text=text, name=who, at_ms=now_ms())], channel=CHANNEL
        )
        await asyncio.wait_for(
            done, PATIENCE_S
        )  # a message that breaks is never done: say so instead of waiting

    async def _told(self, begin: RowSource, ahead: Readings | None = None, *, pinned: bool = False) -> int:
        number = await self._handle(begin, ahead, pinned=pinned)
        done = self.waiting.pop(number, None)
        if done is not None:
            done.set_result(None)
        return number


def now_ms() -> int:
    return time.time_ns() // 1_000_000


def names(game: int) -> list[str]:
    return [f"P{game}x{seat}" for seat in range(SEATS)]


async def opened(
    folder: Path, games: int, *, post: bool = False
) -> tuple[Store, Counter, list[asyncio.Task[None]]]:
    """A store with so many running games, and a reception at work on it."""
    store = Store.open(f"sqlite:///{folder}/bench.db")
    desk = Counter(store)
    tasks = [
        asyncio.create_task(desk.referee.reception.worker.run()),
        asyncio.create_task(desk.referee.outbox_worker.run() if post else drain(store)),
    ]
    if post:
        await desk.referee.outbox_worker.recover()
    for game in range(games):
        first, *rest = names(game)
        await desk.order(first, f"new classic {SEATS} players no restart")
        for who in rest:
            await desk.order(who, f"join #{game + 1}")
        for who in (first, *rest):
            await desk.order(who, f"ready #{game + 1}")
    running = await store.read(lambda tx: tx.count(Game, status="running"))
    assert running == games, f"{running} of {games} games began"
    return store, desk, tasks


async def drain(store: Store) -> None:
    """Throw the letters away every so often: a queue that nobody serves would fold them into ever longer
    ones.
    """
    while True:
        await asyncio.sleep(0.05)
        await store.write(lambda tx: tx.change(Outbox, {"state": "queued"}, state="sent"))


async def closed(store: Store, desk: Counter, tasks: Sequence[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await desk.referee.outbox_worker.stop()
    await store.close()


def futures(store: Store, games: int, orders: int) -> list[list[Told]]:
    """For each game what its players will say: random legal orders, played ahead on a copy."""

    def read(tx: Tx) -> list[tuple[bytes, list[str]]]:
        return [
            (game.snapshot, [s.name for s in tx.all(Seat, game_id=game.id, order="no")])
            for game in tx.all(Game, order="id", limit=games)
        ]

    found: list[list[Told]] = []
    for number, (snapshot, called) in enumerate(store.read_now(read)):
        dice, state, told = random.Random(number), rules.load(json.loads(snapshot)), list[Told]()
        while len(told) < orders and rules.asks(state):
            ask = rules.asks(state)[0]
            move = dice.choice(ask.moves)
            said = order_text(move, called)
            told.append(
                Told(number, called[ask.seat], f"{said}!" if said == "end" else said)
            )  # without what was forgotten
            state = rules.play(state, ask.seat, move).state
        found.append(told)
    return found
