"""Whether the referee is there, and may be believed: its signs of life, what is given back for the time
without them, and clocks that jump.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from referee.policy import jumped
from referee.store import Heartbeat, Tx

from ..core.alerts import alert
from ..core.due import give_back, set_right
from ..core.unit_of_work import Context, UnitOfWork
from ..deadlines import hold
from ..outbound.open_channels import OpenChannels

log = logging.getLogger(__name__)
#: less than this is no outage
_OUTAGE_SECONDS = 90.0


class Presence:
    """`steady_ms`: a clock that nobody sets, to find out when the other one jumps; None: it is not looked
    for.
    """

    def __init__(self, context: Context, channels: OpenChannels, steady_ms: Callable[[], int] | None) -> None:
        self._context, self._channels, self._steady_ms = context, channels, steady_ms
        settings = context.settings
        self._away_ms = round(max(_OUTAGE_SECONDS, 3 * settings.sweep_seconds) * 1000)
        self._seen: tuple[int, int] | None = None
        self._failed = self._beat_ms = 0

    async def credit(self) -> None:
        """Give back the time since the last sign of life, where that was too long ago."""
        failed, now = self._context.alarm.tally.full, self._context.clock_ms()
        await self._context.store.write(self._credit)
        self._failed, self._beat_ms = failed, now

    async def doubt(self) -> None:
        """The same where nobody may have been heard for a while: something could not be written down, or we
        were asleep.
        """
        if self._asleep() or self._failed != self._context.alarm.tally.full:
            await self.credit()

    async def awake(self) -> None:
        """Before a message is handled: where we were asleep, or the clock was put forward, that time is given
        back, or held, first.  Else who answers as we wake would pay for it from their bank.
        """
        if self._asleep():
            await self.going()
            await self.doubt()

    def _asleep(self) -> bool:
        """Whether the last sign of life is too old for somebody who is there."""
        return (
            self._context.settings.testing.bell
            and self._channels.alive
            and self._context.clock_ms() - self._beat_ms > self._away_ms
        )

    async def going(self) -> bool:
        """Whether deadlines may be acted upon: not where nobody can be heard.

        All are held when the clock has jumped.
        """
        context = self._context
        if self._steady_ms is not None:
            wall, steady = context.clock_ms(), self._steady_ms()
            was, self._seen = self._seen, (wall, steady)
            if was is not None and jumped(wall - was[0], steady - was[1]):
                since = min(was[0], wall)
                away = (wall - was[0] - steady + was[1]) // 1000
                log.error("the clock jumped by %s s", away)
                await context.store.write(
                    lambda tx: hold.hold(context.uow(tx), since, "clock-jumped", seconds=away)
                )
        return self._channels.served() and not await context.store.read(hold.held_since)

    async def report(self, missed: int) -> None:
        """A sign of life, and an alarm where the bell missed that many deadlines."""
        if missed or self._channels.alive:
            now = self._context.clock_ms()
            await self._context.store.write(lambda tx: self.beat(tx, missed))
            self._beat_ms = now

    def beat(self, tx: Tx, missed: int = 0) -> None:
        """The same in a job of the store's writer."""
        uow = self._context.uow(tx)
        if self._channels.alive:
            if self._context.settings.testing.bell:
                self._given_back(uow, self._away_ms)
            tx.put(Heartbeat, name="referee", at_ms=uow.now_ms)
        if missed:
            alert(uow, "bell-missed", count=missed)

    def _credit(self, tx: Tx) -> None:
        uow = self._context.uow(tx)
        self._given_back(uow, round(_OUTAGE_SECONDS * 1000))
        tx.put(Heartbeat, name="referee", at_ms=uow.now_ms)

    def _given_back(self, uow: UnitOfWork, most_ms: int) -> None:
        """Our outage costs nobody anything: what was to fall due after the last sign of life falls due that
        much later.  Not where clocks are held: who lets them go on gives back that time, too.
        """
        last = uow.tx.get(Heartbeat, "referee")
        away = 0 if last is None else uow.now_ms - last.at_ms
        if away < -most_ms:
            set_right(uow)
        if last is None or away <= most_ms or hold.held_since(uow.tx):
            return
        moved = give_back(uow, last.at_ms)
        if moved:
            alert(uow, "outage", seconds=away // 1000, deadlines=moved)
            log.warning("away for %s s: %s deadlines moved by as much", away // 1000, moved)
