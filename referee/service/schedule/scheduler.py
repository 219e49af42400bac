"""The clock: one bell for the earliest deadline, and a sweep that finds what the bell missed.

Truth is the deadline rows.  APScheduler rings; it remembers nothing that matters.  It goes by the machine's
clock, which may be set; the sweep by one that nobody sets.  Time during which the
referee itself was down is given back to the person who was asked (`presence`); what rings is acted upon in
`ringing`.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import Any

from apscheduler.schedulers.asyncio import AsyncIOScheduler

from referee.ids import GameId
from referee.store import StoreFull, Tx, WrongDatabase

from ..core.due import CHORES, PeriodicTask
from ..core.unit_of_work import Context, UnitOfWork
from ..outbound.open_channels import OpenChannels
from .presence import Presence
from .ringing import DeadlineRunner
from .shared_clock import ClockDriftAlert

log = logging.getLogger(__name__)
_LATE_MS = 5_000
_HEARD_S = 1.0


class DeadlineScheduler:
    """Rings deadlines.

    `wake` must be called when the earliest one may have changed. `freeze` lets a game stand still that the
    referee broke, `backlog` is told whether many overdue ones are being worked off. `steady_ms`: a clock that
    nobody sets, to find out when the other one jumps.
    """

    def __init__(
        self,
        context: Context,
        channels: OpenChannels,
        *,
        freeze: Callable[[UnitOfWork, GameId], None],
        backlog: Callable[[bool], None],
        steady_ms: Callable[[], int] | None = None,
    ) -> None:
        self._context, self._channels = context, channels
        self._bell = asyncio.Event()
        self._armed_ms = 0
        self._machine = ClockDriftAlert(context.store, context.clock_ms, context.uow, context.woke)
        self._hearing: asyncio.TimerHandle | None = None
        self._scheduler: AsyncIOScheduler | None = None
        self._sweeps: asyncio.Task[None] | None = None
        self.presence = Presence(context, channels, steady_ms)
        self._ringing = DeadlineRunner(context, self.presence, freeze=freeze, backlog=backlog, wake=self.wake)

    async def start(self) -> None:
        """Give back the time we were away, then start the bell and the sweep."""
        if not self._channels.shared:  # else the process that opens the first channel does
            await self.presence.credit()
        if not self._context.settings.testing.bell:
            return
        self._scheduler = AsyncIOScheduler(
            timezone=UTC, job_defaults={"misfire_grace_time": None, "coalesce": True}
        )
        self._scheduler.start()
        self._sweeps = asyncio.create_task(self._sweep_for_ever(), name="sweep")
        self._bell.set()

    async def run(self) -> None:
        """Handle what is due whenever the bell rings, and set it for the next."""
        while True:
            await self._bell.wait()
            self._bell.clear()
            try:
                await self.ring()
                await self._arm()
            except StoreFull as full:
                self._context.alarm.disk_full(full)

    async def ring(self) -> int:
        """Act upon everything that is due now; on how many deadlines.  Raises StoreFull."""
        return await self._ringing.ring()

    def wake(self) -> None:
        """A deadline was set, moved or stopped."""
        self._bell.set()

    def heard(self) -> None:
        """Another process has set, moved or stopped one: it rings by itself, but it may die before.

        Looked at once in a while.
        """
        if self._hearing is None:
            self._hearing = asyncio.get_running_loop().call_later(_HEARD_S, self._look_again)

    def _look_again(self) -> None:
        self._hearing = None
        self._bell.set()

    async def stop(self) -> None:
        """Stop ringing, and leave a last sign of life so that the pause is counted from now."""
        if self._scheduler is not None:
            self._scheduler.shutdown(wait=False)
        if self._sweeps is not None:
            self._sweeps.cancel()
            await asyncio.wait([self._sweeps])
        if self._hearing is not None:
            self._hearing.cancel()
        await self._ringing.stop()
        try:
            await self._context.store.write(self.presence.beat)
        # the database is away, or a newer version's by now: the last sign of life stands
        except (StoreFull, WrongDatabase) as error:
            log.warning("no last sign of life: %s", error)

    async def _arm(self) -> None:
        """Set the one bell to what falls due first."""
        if self._scheduler is None:
            return
        upcoming = await self._ringing.upcoming_ms()
        if upcoming is None or upcoming == self._armed_ms:
            return
        self._armed_ms = upcoming
        ahead = max(0, upcoming - self._context.clock_ms()) / 1000
        when = datetime.fromtimestamp(datetime.now(UTC).timestamp() + ahead, UTC)
        self._scheduler.add_job(self._due_now, "date", run_date=when, id="bell", replace_existing=True)

    async def _due_now(self) -> None:
        """A coroutine, because the scheduler runs anything else in a thread, and an event may be set on its
        own loop only.
        """
        if self._context.clock_ms() < self._armed_ms:  # our hour was put back meanwhile: it is set anew
            self._armed_ms = 0
        self._bell.set()

    async def _sweep_for_ever(self) -> None:
        """By the loop's clock, which nobody sets.  APScheduler goes by the machine's: where that is put back
        by a day, what it was to do comes a day later.
        """
        while True:
            await asyncio.sleep(self._context.settings.sweep_seconds)
            try:
                await self._sweep()
            except Exception:  # whatever broke it, the next one is to look again
                log.exception("a sweep broke")

    async def _sweep(self) -> None:
        """The safety net: a sign of life, and an alarm when something is overdue that the bell should have
        rung for.
        """
        try:
            await self._machine.look()
            late = await self._ringing.late(self._context.clock_ms() - _LATE_MS)
            late = 0 if self._bell.is_set() else late
            await self.presence.report(late)
            if late:
                log.warning("the bell missed %s deadlines", late)
            await self.tidy()
        except StoreFull as full:
            self._context.alarm.disk_full(full)
            return
        if late:
            self._armed_ms = 0
        self._bell.set()

    async def tidy(self) -> None:
        """A little of each chore that the settings want.  Raises StoreFull."""
        for name, chore in CHORES.items():
            if not chore.wanted(self._context.settings):
                continue
            try:
                await self._chore(chore)
            except StoreFull:
                raise
            except Exception:  # whatever breaks one, the others are done, and the bell is set again
                log.exception("the chore %s broke", name)

    async def _chore(self, chore: PeriodicTask) -> None:
        store, uow, ahead = self._context.store, self._context.uow, chore.ahead

        def read(tx: Tx) -> tuple[Any, ...]:
            return () if ahead is None else (ahead(uow(tx)),)

        def work(tx: Tx, found: tuple[Any, ...]) -> bool:
            return chore.work(uow(tx), *found)

        for _ in range(chore.pieces):
            found = () if ahead is None else await store.read(read, patient=True)
            if not await store.write(partial(work, found=found)):
                return
