"""A whole world around one referee: wires, a disk, clocks, people and what goes wrong; run to its end from a
script, and judged.

The referee itself is the real one: reception, desk, clock with its scheduler, post, alarm. Only its polls are
stretched (see `STRETCHED` in surroundings.py): on virtual time nobody minds if a net that catches what a bell
missed is drawn in every ten minutes instead of every three seconds; but a bell that is missed shows, as
somebody who waits.
"""

from __future__ import annotations

import asyncio
import gc
import hashlib
import random
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable
from contextvars import copy_context
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from referee.ports import Letter
from referee.service import ForTesting, Referee, ServiceSettings
from referee.service.deadlines import hold
from referee.store import Game, Inbox, Outbox, Tx
from referee.text import Words
from tests.e2e.sight import Shown
from tests.sim import chance, inner, laws
from tests.sim.disk import Book
from tests.sim.loop import LIFE, Life, Stalled, VirtualLoop, bury
from tests.sim.outsiders import Group, Outsiders, Prober
from tests.sim.people import Person, Table
from tests.sim.script import CHANNELS, Script
from tests.sim.surroundings import happen, listening, stretched
from tests.sim.wires import Server

#: 1 June 2027, 08:00 UTC
BEGIN_S = 1_811_836_800.0
SWEEP_S = 4 * 3600.0
#: the longest that a world lasts, virtual seconds
LONGEST_S = 200 * 86_400.0
BOSS = "boss"
#: what somebody may write, and how many strangers may turn up (`ServiceSettings`)
MEASURE: dict[str, Any] = {"messages_per_minute": 20, "messages_per_hour": 200, "newcomers_per_hour": 60}


@dataclass
class Outcome:
    """What came of a run: breaches of the laws (none: all hold), a digest of everything that happened, and
    figures.
    """

    faults: list[str]
    digest: str
    days: float
    lives: int
    orders: int
    games: int
    struck: Counter[str] = field(default_factory=Counter)
    transcript: list[str] = field(default_factory=list)


@cache
def words() -> Words:
    return Words()


class World:
    """`adapters`: what stands at the referee's end of each wire; other ones plant bugs."""

    def __init__(
        self, script: Script, folder: Path, *, keep: bool = False, pipe: Callable[[Server], Any] = inner.pipe
    ) -> None:
        self.script, self.keep, self._pipe = script, keep, pipe
        self.loop = VirtualLoop()
        self.jumped_s = 0.0
        self.book = Book(self.loop, folder)
        self.lives: list[Life] = []
        self.referee: Referee | None = None
        self.people: dict[tuple[str, str], Person] = {}
        self.struck: Counter[str] = Counter()
        self.complaints: list[str] = []
        self._fell = 0.0
        self._hash = hashlib.sha256()
        self.transcript: list[str] = []
        self.down_s = 3.0
        self._over: set[int] = set()
        self._source = chance.Source(f"tables {script.seed}")
        self.servers = {
            name: Server(
                name, self.loop, random.Random(f"{script.seed} wire {name}"), self.wall_ms, self._arrived
            )
            for name in CHANNELS
        }
        self.tables = [self._table(n, **one) for n, one in enumerate(script.tables)]
        self.outsiders = Outsiders(self)
        self.boss = self.person("terminal", BOSS)
        self.probers = [Prober(self, name) for name in CHANNELS]
        self.groups = [Group(self, name) for name in script.watched]
        self._closing = False
        self.unended: list[str] = []
        self.deaf: list[str] = []
        self.troubles: list[
            tuple[float, float, str]
        ] = []  # from when to when something was wrong, and where ("": everywhere)
        self.blocking = False

    # -- time and notes

    def wall_s(self) -> float:
        return BEGIN_S + self.loop.now - 1_000.0 + self.jumped_s

    def wall_ms(self) -> int:
        return round(self.wall_s() * 1000)

    def steady_s(self) -> float:
        return self.loop.now

    def note(self, *what: object) -> None:
        """One line of the transcript."""
        line = f"{self.loop.now:.4f} {' '.join(map(str, what))}".replace(str(self.book.path), "the book")
        self._hash.update(line.encode(errors="backslashreplace") + b"\n")
        if self.keep:
            self.transcript.append(line)

    # -- people

    def person(self, channel: str, address: str) -> Person:
        found = self.people.get((channel, address))
        if found is None:
            found = self.people[channel, address] = Person(
                self, self.servers[channel], address, f"{self.script.seed}"
            )
        return found

    def _table(
        self,
        n: int,
        people: list[str],
        bots: int,
        words: str,
        slow_s: float,
        ghosts: dict[str, float],
        chatty: float,
    ) -> Table:
        uow = [self.person(*one.split(":", 1)) for one in people]
        return Table(
            self,
            uow,
            bots=bots,
            words=words,
            slow_s=slow_s,
            ghosts={one.split(":", 1)[1]: at for one, at in ghosts.items()},
            chatty=chatty,
        )

    def _arrived(self, channel: str, to: str, one: Shown, letter: Letter) -> None:
        self.note("arrives", channel, to, one.id, one.text)
        person = self.people.get((channel, to))
        if person is not None:
            person.arrived(one)

    def over(self, number: int) -> bool:
        """Whether a game is over, as somebody sees who looks at the table."""
        if number not in self._over and any(
            game.status not in ("running", "mustering", "lobby", "frozen")
            for game in self.book.look(lambda tx: tx.all(Game, id=number))
        ):
            self._over.add(number)
        return number in self._over

    # -- the referee's lives

    def start(self) -> None:
        """A process begins."""
        if self.lives and not self.lives[-1].dead:
            return
        life = Life(len(self.lives) + 1, self._ended)
        self.lives.append(life)
        self.note("life", life.number)
        self.troubles.append((self._fell, self.loop.now + 5, ""))
        context = copy_context()
        context.run(LIFE.set, life)
        self.loop.create_task(self._serve(life), name="serve", context=context)

    async def _serve(self, life: Life) -> None:
        store = self.book.opened()
        settings = ServiceSettings(
            admins=(("terminal", BOSS),),
            bot_link="",
            sweep_seconds=SWEEP_S,
            testing=ForTesting(breaker=self.script.breaker, seeds=self._source),
            **MEASURE,
        )
        whole = self.referee = Referee(
            store,
            words(),
            [self._pipe(server) for server in self.servers.values()],
            clock_ms=self.wall_ms,
            settings=settings,
            steady_ms=lambda: round(self.loop.now * 1000),
        )
        try:
            await whole.start()
        except OSError:  # the disk is full: anyone who starts us starts us again
            life.end("could not start")
            return
        await whole.broken.wait()
        self.complaints.append(f"life {life.number}: a loop ended")
        life.end("broke")

    def _ended(self, life: Life, why: str) -> None:
        """The process is gone, and is started again after a while."""
        self.note("ends", life.number, why)
        self.struck[why] += 1
        self.book.conn.life = None
        self._fell = self.loop.now
        down, self.down_s = self.down_s, 3.0
        copy = copy_context()
        copy.run(LIFE.set, None)
        if not self._closing:
            copy.run(self.loop.call_later, down, self.start)

    async def stop(self, seconds: float) -> None:
        """An admin stops it in good order, and starts it again."""
        life = self.lives[-1]
        if life.dead or self.referee is None:
            return
        context = copy_context()
        context.run(LIFE.set, life)
        stopping = self.loop.create_task(self.referee.stop(), context=context)
        done, _ = await asyncio.wait(
            {stopping}, timeout=120
        )  # not awaited itself: where it is killed meanwhile, it never ends, not even by a cancellation
        if done:
            stopping.result()
        elif not life.dead:
            self.complaints.append(f"life {life.number}: did not stop within two minutes")
        self.down_s = seconds
        life.end("stopped")

    # -- what happens

    def trouble(self, seconds: float, channel: str = "") -> None:
        """Something is wrong for so long, on that channel or (without one) everywhere."""
        self.troubles.append((self.loop.now, self.loop.now + seconds, channel))

    def fine(self, channel: str, since: float, until: float) -> bool:
        """Whether nothing was wrong that whole time on the way of that channel."""
        fallen = self.lives[-1].dead and until > self._fell
        return not fallen and not any(
            start < until and end > since for start, end, where in self.troubles if where in ("", channel)
        )

    async def _events(self) -> None:
        begun = self.loop.now
        for event in self.script.events:
            await asyncio.sleep(max(0.0, begun + event.at - self.loop.now))
            await happen(self, event)

    async def _boss(self) -> None:
        """The admin: reads the alerts, and lets the clocks go on where they are held."""
        self.boss.say("hello")
        while True:
            self.boss.news.clear()
            await self.boss.news.wait()
            if any("resume all" in one.text for one in self.boss.screen[-3:]):
                await asyncio.sleep(600)
                self.boss.say("resume all")

    async def live(self) -> None:
        """From the first word to the last letter."""
        self.start()
        tables = [asyncio.create_task(one.run()) for one in self.tables]
        boss = asyncio.create_task(self._boss())  # there until everything is well again: clocks may be held
        others = [
            asyncio.create_task(self._events()),
            *(asyncio.create_task(one.run()) for one in (*self.probers, *self.groups)),
        ]
        try:
            async with asyncio.timeout(self.script.hours * 3600 or LONGEST_S):
                await asyncio.gather(*tables, others[0])
                while any(not self.over(one.number) for one in self.tables):
                    await asyncio.sleep(1800)
        except TimeoutError:
            if not self.script.hours:
                self.unended.append(f"a game has not ended after {LONGEST_S / 86_400:.0f} days")
        for one in (*tables, *others):
            one.cancel()
        await asyncio.gather(*tables, *others, return_exceptions=True)
        await self.heal()
        boss.cancel()
        await asyncio.gather(boss, return_exceptions=True)

    async def heal(self) -> None:
        """Everything works again, and whatever waits is given the time to be done."""
        for server in self.servers.values():
            server.weather.clear()
            server.closed.clear()
        self.book.disk.full, self.book.disk.slow_s, self.book.disk.deadly = False, 0.0, None
        self.lives[-1].left = None
        await self._worked_off()
        await self._last_words()
        await self._worked_off()  # a clock that jumped may have been noticed only now
        self._closing = True
        await self.stop(0.0)

    async def _worked_off(self) -> None:
        """Until nothing waits any more, or for half a day."""
        for number in range(40):
            await asyncio.sleep(60 if number < 20 else 1800)
            if self.lives[-1].dead:
                continue
            if not self.book.look(_waits) and self.loop.now > self.outsiders.quiet_at:
                break

    async def _last_words(self) -> None:
        """Everything is well again: each channel must answer."""
        self.start()
        await asyncio.sleep(120)
        for one in self.probers:
            one.me.news.clear()
            one.ask()
            try:
                async with asyncio.timeout(120):
                    await one.me.news.wait()
            except TimeoutError:
                self.deaf.append(one.channel)
        await asyncio.sleep(120)

    def run(self) -> Outcome:
        """The whole of it."""
        begun = self.loop.now
        gc.disable()
        try:
            with chance.fixed(self.script.seed, self.wall_s, self.steady_s), stretched(), listening(self):
                try:
                    asyncio.set_event_loop(self.loop)
                    self.loop.run_until_complete(self.live())
                except Stalled:
                    self.complaints.append("everything stands still")
                faults = laws.broken(self)
                bury(self.lives)
        finally:
            self.book.close()
            asyncio.set_event_loop(None)
            self.loop.close()
            gc.enable()
        for name, server in self.servers.items():
            self.struck.update({f"{name} {kind}": count for kind, count in server.struck.items()})
        return Outcome(
            faults,
            self._hash.hexdigest(),
            (self.loop.now - begun) / 86_400,
            len(self.lives),
            sum(len(one.taken) for one in self.servers.values()),
            len(self.tables),
            self.struck,
            self.transcript,
        )


def _waits(tx: Tx) -> bool:
    """Whether anything is still to be done, by the referee or by its admin."""
    queued = tx.count(Inbox, state="new") + tx.count(Outbox, state=("queued", "sending"))
    return bool(queued or hold.held_since(tx))


def run(script: Script, **how: Any) -> Outcome:
    """Play a script to its end, in a folder of its own."""
    folder = Path(tempfile.mkdtemp(prefix="sim", dir="/dev/shm" if Path("/dev/shm").is_dir() else None))
    try:
        return World(script, folder, **how).run()
    finally:
        shutil.rmtree(folder)
