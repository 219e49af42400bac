"""The whole referee in one process: reception, workers and scheduler around one store.

adapters -> reception -> (inbox) -> inbox worker -> (journal, events, deadlines, outbox)
                                    scheduler    ->  outbox worker -> adapters
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence

from referee.ports import Adapter
from referee.store import Store
from referee.text import Words

from ..bots.desk import BotDesk
from ..core.alarms import Alarm
from ..core.settings import ServiceSettings
from ..core.unit_of_work import Context, StateCache, UnitOfWork
from ..inbound.read_ahead import warm
from ..inbound.reception import Reception
from ..outbound.channel_leases import ChannelLeases
from ..outbound.open_channels import OpenChannels, boot_ms
from ..outbound.outbox_worker import OutboxWorker
from ..play import freeze
from ..play.rulings import RulesUpgrade
from ..schedule.scheduler import DeadlineScheduler
from ..schedule.shared_clock import SharedClock
from ..web.live import GAME, LiveUpdates
from ..web.own import OwnPages, PageChannel
from ..web.public_pages import PublicPages
from .health import HealthMonitor
from .struct_types import prepare_types

log = logging.getLogger(__name__)


class Referee:
    """Start it with the adapters of all channels; it runs until stopped.

    `clock_ms` is UTC wall time in milliseconds, `steady_ms` a clock that nobody sets (None: jumps are not
    looked for), `lent` the same database opened once more, for leases alone, `served` whether web pages are
    served by this process.
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
        served: bool = False,
    ) -> None:
        warm(words)
        settings = settings or ServiceSettings()
        prepare_types()
        self._store, self.adapters = store, tuple(adapters)
        self._tasks: list[asyncio.Task[None]] = []
        #: set when a loop has ended that never should: better to be started again than to sit there deaf
        self.broken = asyncio.Event()
        #: the games that the inbox worker has at hand; only in a job of the store's writer
        self.states, counter = StateCache(), PageChannel()
        #: which channels are open here
        self.channels = channels = OpenChannels(
            (adapter.name for adapter in adapters),
            here=(counter.name,) if served else (),
            shared=store.shared and not settings.testing.alone,
            steady_ms=steady_ms or boot_ms,
        )
        alarm = Alarm(words, adapters, settings, clock_ms, channels.is_open)
        self.context = context = Context(store, words, settings, clock_ms, self.states, self._woke, alarm)
        self.reception = Reception(context, first=lambda: self.scheduler.presence.awake())
        calm, wires = self.reception.worker.calm, [*adapters, counter]
        self.outbox_worker = OutboxWorker(store, words, wires, settings, clock_ms, alarm, channels, calm)
        self.scheduler = DeadlineScheduler(
            context, channels, freeze=freeze.freeze, backlog=self.outbox_worker.hold, steady_ms=steady_ms
        )
        self.leases = ChannelLeases(
            store,
            adapters,
            alarm,
            channels,
            settle=self.outbox_worker.settle,
            first=self.scheduler.presence.credit,
            changed=self.outbox_worker.wake,
            heard=clock_ms.heard if isinstance(clock_ms, SharedClock) else None,
            lent=lent,
        )
        #: what web pages show, for anyone who opens a door to them
        self.pages = PublicPages(store, words, settings, clock_ms, self.broken, context.uow, self._woke)
        #: telling pages that are open that their table has changed
        self.live = live = LiveUpdates(store, self.pages.demo)
        #: somebody's own pages, and what they write there
        self.own_pages = OwnPages(store, words, settings, clock_ms, self.reception, counter, live, adapters)
        #: figures, and whether all is well, for anyone who watches the machine
        self.monitor = HealthMonitor(
            context, adapters, self.broken, lambda: live.listeners, channels, self.outbox_worker.rests
        )
        #: what a newer version of the rules means for games that are being played; bots that take their time
        self.rulings = RulesUpgrade(store, context.uow, self._woke, alarm)
        self.bots = BotDesk(context)

    async def start(self) -> None:
        """Settle what a crash left, give back the time we were away, then open the channels."""
        self._store.listen(self._heard)
        self.reception.crashes.begin()
        await self.leases.look()
        await self.outbox_worker.recover()
        await self.scheduler.start()
        for name, loop in (
            ("desk", self.reception.worker.run),
            ("post", self.outbox_worker.run),
            ("clock", self.scheduler.run),
            ("bots", self.bots.run),
            ("live", self.live.run),
            ("doors", self.leases.run),
            ("guard", self.leases.watch),
            ("schema", self._overtaken),
            ("rulings", self.rulings.run),
        ):
            task = asyncio.create_task(loop(), name=name)
            task.add_done_callback(self._ended)
            self._tasks.append(task)
        await self.leases.start(self.reception)

    async def stop(self) -> None:
        """Close the channels, finish what is in hand, stop."""
        await self.leases.shut()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks.clear()
        self.bots.close()
        await self.outbox_worker.stop()
        self.pages.close()
        await self.scheduler.stop()
        await self.leases.leave()
        self.reception.crashes.end()

    def _woke(self, uow: UnitOfWork) -> None:
        """After a transaction: ring where it left work."""
        self.context.alarm.tally.handled(uow.about)
        self.live.woke(uow)
        if self._store.shared:
            game = uow.about.get("game")
            self._store.ring(uow.wakes | {f"{GAME}{game}"} if isinstance(game, int) else uow.wakes)
        if "desk" in uow.wakes:
            self.reception.worker.wake()
        if "post" in uow.wakes:
            self.outbox_worker.wake()
        if "clock" in uow.wakes:
            self.scheduler.wake()
        if "bots" in uow.wakes:
            self.bots.wake()

    def _heard(self, words: frozenset[str]) -> None:
        """Another process has written something ("*": it may have been anything)."""
        everything = "*" in words
        self.live.heard(words)
        if everything or "post" in words:
            self.outbox_worker.wake()
        if everything or "clock" in words:
            self.scheduler.heard()
        if everything or "desk" in words:
            self.reception.worker.wake()
        if everything or "gate" in words:
            self.reception.admission.stale()
        if everything or "doors" in words:
            self.leases.wake()

    async def _overtaken(self) -> None:
        why = await self._store.overtaken()
        log.critical("stopping: %s", why)
        self.broken.set()

    def _ended(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and task.exception() is not None:
            log.critical("the %s loop ended", task.get_name(), exc_info=task.exception())
            self.broken.set()
