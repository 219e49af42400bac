"""The whole referee in one process: reception, post and clock around one store.

adapters -> reception -> (inbox) -> desk -> (journal, events, deadlines, outbox) -> post -> adapters
                                     ^ clock
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence

from referee.ports import Adapter
from referee.store import Store
from referee.text import Words

from ..core.alarms import Alarm
from ..core.reading_budget import warm
from ..core.unit_of_work import ServiceSettings, Sitting, States
from ..inbound.reception import Reception
from ..outbound.channel_leases import Doors, boot_ms
from ..outbound.outbox_worker import Post
from ..play.rulings import Bringing
from ..schedule.scheduler import Clocks
from ..schedule.shared_clock import Agreed
from ..web.live import GAME, Live
from ..web.own import Counter, OwnPages
from ..web.public_pages import Pages
from .health import Watch

log = logging.getLogger(__name__)


class Referee:
    """Start it with the adapters of all channels; it runs until stopped.

    `clock_ms` is UTC wall time in milliseconds, `steady_ms` a clock that nobody sets (None: jumps are not
    looked for), `lent` the same book opened once more, for leases alone.
    """

    def __init__(
        self,
        store: Store,
        words: Words,
        adapters: Sequence[Adapter],
        *,
        clock_ms: Callable[[], int],
        settings: ServiceSettings | None = None,
        steady_ms: Callable[[], int] | None = None,
        lent: Store | None = None,
    ) -> None:
        settings = settings or ServiceSettings()
        # the games that the desk has at hand; only in a job of the store's writer
        self.states = states = States()
        self.adapters = tuple(adapters)
        self._store = store
        alarm = Alarm(words, adapters, settings, clock_ms)
        #: which channels are open here
        self.doors = Doors(
            store, adapters, alarm, alone=settings.alone, lent=lent, steady_ms=steady_ms or boot_ms
        )
        alarm.open = lambda channel: channel in self.doors.open
        warm(words)
        self.reception = Reception(store, words, settings, clock_ms, states, self._woke, alarm)
        self.counter = counter = Counter()
        self.post = Post(store, words, [*adapters, counter], settings, clock_ms, alarm, self.doors)
        self.clocks = Clocks(
            store, words, settings, clock_ms, states, self._woke, alarm, self.doors, self.post.hold, steady_ms
        )
        self.doors.settle, self.doors.first, self.doors.changed = (
            self.post.settle,
            self.clocks.credit,
            self.post.wake,
        )
        if isinstance(clock_ms, Agreed):
            self.doors.heard = clock_ms.heard
        self._tasks: list[asyncio.Task[None]] = []
        self._tally = alarm.tally
        #: set when a loop has ended that never should: better to stop and be started again than to sit there
        #: deaf
        self.broken = asyncio.Event()
        #: what web pages show, for whoever opens a door to them
        self.pages = Pages(
            store,
            words,
            settings,
            clock_ms,
            self.broken,
            lambda tx: Sitting(tx, clock_ms(), words, settings, states),
            self._woke,
        )
        #: telling pages that are open that their table has changed
        self.live = Live(store)
        #: somebody's own pages, and what they write there
        self.own = OwnPages(store, words, settings, clock_ms, self.reception, counter, self.live)

        #: figures, and whether all is well, for whoever watches the machine
        self.watch = Watch(
            store,
            adapters,
            alarm.tally,
            clock_ms,
            self.broken,
            lambda: self.live.listeners,
            self.doors,
            self.post.rests,
        )

        #: what a newer version of the rules means for games that are being played
        self.rulings = Bringing(
            store, lambda tx: Sitting(tx, clock_ms(), words, settings, states), self._woke, alarm
        )

    async def start(self) -> None:
        """Settle what a crash left, give back the time we were away, then open the channels."""
        self._store.listen(self._heard)
        self.reception.crashes.begin()
        await self.doors.look()
        await self.post.recover()
        await self.clocks.start()
        for name, loop in (
            ("desk", self.reception.worker.run),
            ("post", self.post.run),
            ("clock", self.clocks.run),
            ("live", self.live.run),
            ("doors", self.doors.run),
            ("guard", self.doors.watch),
            ("schema", self._overtaken),
            ("rulings", self.rulings.run),
        ):
            task = asyncio.create_task(loop(), name=name)
            task.add_done_callback(self._ended)
            self._tasks.append(task)
        await self.doors.start(self.reception)

    async def stop(self) -> None:
        """Close the channels, finish what is in hand, stop."""
        await self.doors.shut()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks.clear()
        await self.post.stop()
        await self.clocks.stop()
        await self.doors.leave()
        self.reception.crashes.end()

    def _woke(self, sitting: Sitting) -> None:
        """After a transaction: ring where it left work."""
        self._tally.handled(sitting.about)
        self.live.woke(sitting)
        if self._store.shared:
            game = sitting.about.get("game")
            self._store.ring(sitting.wakes | {f"{GAME}{game}"} if isinstance(game, int) else sitting.wakes)
        if "desk" in sitting.wakes:
            self.reception.worker.wake()
        if "post" in sitting.wakes:
            self.post.wake()
        if "clock" in sitting.wakes:
            self.clocks.wake()

    def _heard(self, words: frozenset[str]) -> None:
        """Another process has written something ("*": it may have been anything)."""
        everything = "*" in words
        self.live.heard(words)
        if everything or "post" in words:
            self.post.wake()
        if everything or "clock" in words:
            self.clocks.heard()
        if everything or "desk" in words:
            self.reception.worker.wake()
        if everything or "gate" in words:
            self.reception.admission.stale()
        if everything or "doors" in words:
            self.doors.wake()

    async def _overtaken(self) -> None:
        why = await self._store.overtaken()
        log.critical("stopping: %s", why)
        self.broken.set()

    def _ended(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and task.exception() is not None:
            log.critical("the %s loop ended", task.get_name(), exc_info=task.exception())
            self.broken.set()
