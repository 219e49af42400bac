"""The loop that works the inbox off: a message is one transaction, whatever comes of it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Any

from referee.ids import InboxId
from referee.ports import Inbound
from referee.rules import Refusal, SetupError
from referee.states import InboxState
from referee.store import Inbox, StoreFull, Tx
from referee.text.meter import spent_ms

from ..core.unit_of_work import Context, Readings, StateCache, UnitOfWork
from ..people.replies import alert
from ..play import freeze
from . import dispatch, read_ahead
from .admission import Admission, listens_again
from .crashes import CrashGuard
from .inbox_row import FixedRow, Outcome, RowSource, UnreadableMessage, decode_body, take, take_next
from .parking import Parking
from .rate_limiter import DroppedMessages

log = logging.getLogger(__name__)
_BATCH = 64
#: with this many messages in hand whatever can wait a moment does
_CROWD = 16
#: why a message is parked that was in hand when processes died
DEADLY = "the process died over it, twice"
_LOOK_S = 3.0


class InboxWorker:
    """Handles what waits in the inbox, oldest first, and what a reception hands it as it comes.

    `first` comes before each message: it looks whether we have been asleep.
    """

    def __init__(
        self,
        context: Context,
        admission: Admission,
        parking: Parking,
        crashes: CrashGuard,
        first: Callable[[], Awaitable[None]],
    ) -> None:
        self._context, self._store, self._clock_ms = context, context.store, context.clock_ms
        self._first = first
        self._admission, self._parking, self._crashes = admission, parking, crashes
        self._bell = asyncio.Event()
        #: what is still to be told: who may write again, how many newcomers were turned away, what was parked
        self._again: list[DroppedMessages] = []
        self._crowd, self._parked = 0, dict[str, Any]()
        #: how many messages are on their way through the writer, and an event that is set while they are few
        self.in_hand, self.calm = 0, asyncio.Event()
        self.calm.set()

    def wake(self) -> None:
        """Look into the inbox."""
        self._bell.set()

    async def run(self) -> None:
        """Work the inbox off for ever, oldest first.

        It is looked into now and then also when nobody rings: an admin may have put a message back.
        """
        self._bell.set()
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(_LOOK_S):
                    await self._bell.wait()
            self._bell.clear()
            try:
                await self._admission.refresh()
                while await self.round():
                    pass
            except StoreFull as full:
                self._context.alarm.disk_full(full)
                await asyncio.sleep(1)
                self._bell.set()

    async def round(self) -> int:
        """Handle up to 64 waiting messages, on a shared database one that nobody else has in hand.

        Returns how many there were.
        """
        await self._tend()
        if self._store.shared:
            return int(await self.handle(take_next, pinned=True) > 0)
        rows = await self._store.read(lambda tx: tx.inbox_new(_BATCH))
        done = await asyncio.gather(*(self._waited(row) for row in rows), return_exceptions=True)
        for outcome in done:
            if isinstance(outcome, BaseException):
                raise outcome
        return len(rows)

    async def _tend(self) -> None:
        """Look after the gate: who may write again and is told so, whether a crowd stands before it; and
        whether something was parked.
        """
        now, gate = self._clock_ms(), self._admission.gate
        self._again += gate.reopened(now)
        self._crowd += gate.turned_away(now)
        self._parked = self._parking.news(now) or self._parked
        again, crowd, parked = self._again, self._crowd, self._parked

        def say(tx: Tx) -> UnitOfWork:
            uow = self._context.uow(tx)
            for one in again:
                listens_again(uow, one)
            if crowd:
                alert(uow, "newcomers", count=crowd)
            if parked:
                alert(uow, "parked", **parked)
            return uow

        if again or crowd or parked:
            self._context.woke(await self._store.write(say))
            self._again, self._crowd, self._parked = [], 0, {}

    async def _waited(self, row: Inbox) -> int:
        """Handle a message that waited in the inbox."""
        number, ahead = row.id, None
        with suppress(UnreadableMessage):  # handling it will find that, too
            ahead = await self.ahead(decode_body(number, row.body))
        return await self.handle(partial(take, number), ahead)

    async def ahead(self, came: Inbound) -> Readings | None:
        """Read a long message before the writer is entered, where nobody waits for it; None for a short
        one.
        """
        if not read_ahead.worth_it(came):
            return None

        def look(tx: Tx) -> Readings:
            uow = self._context.uow(tx)
            uow.states = StateCache(1)  # the desk's own are the writer's
            with self._crashes.during(came.channel, f"read {came.key}") as may:
                if may:  # else: see `_settled`
                    read_ahead.read_ahead(uow, came)
            return uow.readings

        try:
            return await self._store.read(look)
        except Exception:  # ours: handling it will come to the same, and sets it aside
            log.exception("a message could not be read ahead")
            return None

    async def handle(self, begin: RowSource, ahead: Readings | None = None, *, pinned: bool = False) -> int:
        """Handle one message; `begin` brings its inbox row, `ahead` is what was read of it already.

        `pinned`: it may bring another one each time, and that of the first time is meant. Returns the row's
        number, 0 where there was nothing to do.
        """
        before_ms = 0.0 if ahead is None else ahead.spent_ms

        def work(tx: Tx) -> Outcome | None:
            begun_ms = spent_ms()
            found = self._tried(tx, FixedRow(begin) if pinned else begin, ahead)
            return None if found is None else found._replace(spent_ms=before_ms + spent_ms() - begun_ms)

        await self._first()
        self._count(1)
        try:
            outcome = await self._store.write(work)
        finally:
            self._count(-1)
        if outcome is None:
            return 0
        if outcome.came is not None:
            self._admission.spent(outcome.came, outcome.spent_ms)
        if outcome.broken is not None:
            log.error("message %s could not be handled", outcome.number, exc_info=outcome.broken)
            self._bell.set()  # it will be tried again, before anything younger
        log.info("message handled", extra={"inbox": outcome.number, **outcome.uow.about})
        self._context.woke(outcome.uow)
        if "gate" in outcome.uow.wakes:
            await self._admission.learn()
        return outcome.number

    def _count(self, more: int) -> None:
        self.in_hand += more
        (self.calm.clear if self.in_hand >= _CROWD else self.calm.set)()

    def _tried(self, tx: Tx, begin: RowSource, ahead: Readings | None) -> Outcome | None:
        """Do what a message asks for, or say why not; where either breaks, undo it and count that."""
        try:
            return self._answered(tx, begin, ahead)
        except StoreFull:
            raise
        except Exception as broken:  # ours, not the player's: undone, counted, set aside in the end
            tx.forget()
            return self._counted(tx, begin, broken)

    def _answered(self, tx: Tx, begin: RowSource, ahead: Readings | None) -> Outcome | None:
        """Do what a message asks for; where that is refused, or the game is a newer referee's, undo it and
        say so instead. What breaks is raised, also while that is said: else it would end the whole desk, and
        again after each start.
        """
        try:
            return self._settled(tx, begin, dispatch.handle, ahead)
        except (Refusal, SetupError) as no:
            instead = partial(dispatch.decline, no=no)
        except Exception as broken:  # whatever it is, it goes on as it came, but for a newer referee's game
            if not (game_id := freeze.of_later(broken)):
                raise
            instead = partial(dispatch.out_of_time, game_id=game_id)
        tx.forget()
        return self._settled(tx, begin, instead)

    def _settled(
        self,
        tx: Tx,
        begin: RowSource,
        act: Callable[[UnitOfWork, InboxId, Inbound], None],
        ahead: Readings | None = None,
    ) -> Outcome | None:
        """Mark the row done and do what it asks for."""
        uow = self._context.uow(tx)
        uow.readings = ahead or uow.readings
        row = begin(tx, done_ms=uow.now_ms)
        if row is None:
            return None
        number, came = row
        with self._crashes.during(came.channel, came.key) as may:
            if may:
                act(uow, number, came)
                return Outcome(number, uow, came=came)
        tx.set(Inbox, number, state=InboxState.PARKED, error=DEADLY, done_ms=uow.now_ms)
        self._parking.park(came, DEADLY, uow.now_ms, kind="row", ref=f"inbox {number}")
        return Outcome(number, uow)

    def _counted(self, tx: Tx, begin: RowSource, broken: Exception) -> Outcome | None:
        """The row stays new, one failure the richer; one that can't be read is set aside at once."""
        try:
            row = begin(tx, done_ms=0)
        except UnreadableMessage as unread:
            uow = self._context.uow(tx)
            dispatch.set_aside(uow, unread.number, str(unread.__cause__))
            return Outcome(unread.number, uow, broken)
        if row is None:
            return None
        uow = self._context.uow(tx)
        dispatch.failed(uow, row[0], f"{type(broken).__name__}: {broken}", broken)
        return Outcome(row[0], uow, broken, row[1])
