"""The outbox worker: letters leave in order, each frozen before it is first sent, each with a known fate.

    queued -> sending -> sent | failed | unknown | queued again (later) | dropped (pointless by now)

How a letter gets its words is told in wording.py, what follows from its fate in receipts.py.  After a crash a
letter found in `sending` is sent again word for word where the wire recognises it (Matrix, mail), and counts
as unknown where it does not (Telegram).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from referee.ids import LetterId
from referee.ports import Adapter, Fate, Receipt
from referee.states import OutboxState
from referee.store import Outbox, Store, StoreFull, Tx
from referee.text import Words

from ..core import tokens
from ..core.alarms import Alarm
from ..core.letters import traits
from ..core.settings import ServiceSettings
from ..core.unit_of_work import StateCache, UnitOfWork
from ..people.replies import alert
from ..pictures.png import PictureRenderer
from . import channel_queue, receipts
from .channel_queue import ChannelPause, ChannelQueue, Chat, QueueScan, chat, scan_queue
from .open_channels import OpenChannels
from .outbox_rows import drop_expired, requeue
from .wording import Wording

log = logging.getLogger(__name__)
# until the next look at everything; between two steps through a crowded queue
_IDLE_MS, _STEP_MS = (
    5_000,
    200,
)
_STRAY_MS = 300_000  # between two looks at what waits for channels that are off
_GATHER = 0.01  # seconds in which bells count as one: a burst of letters is looked through once
_YIELDED = 1.0  # seconds that letters leave to orders, while many are in hand
_HELD = 5.0  # seconds for which the worker may be held, see `OutboxWorker.hold`
_ASIDE = 60.0  # seconds until a letter that can be neither made nor set aside is tried again
#: of a letter that was claimed while its channel was given up
_NOT_OURS = Receipt(Fate.LATER, detail="the channel was given up")


class OutboxWorker:
    """Takes what is due out of the outbox and hands it to the adapters.

    `calm` is set unless many orders are in hand: letters leave the processor to these for a second, and fold
    meanwhile.
    """

    def __init__(
        self,
        store: Store,
        words: Words,
        adapters: Sequence[Adapter],
        settings: ServiceSettings,
        clock_ms: Callable[[], int],
        alarm: Alarm,
        doors: OpenChannels,
        calm: asyncio.Event,
    ) -> None:
        self._calm = calm
        self._store, self._words, self._settings, self._clock_ms, self._doors = (
            store,
            words,
            settings,
            clock_ms,
            doors,
        )
        self._adapters = {adapter.name: adapter for adapter in adapters}
        self._alarm = alarm
        self._states = StateCache()  # a reader's own copies: the desk's belong to the writer's thread
        self._bell = asyncio.Event()
        self._free = asyncio.Event()  # set: nothing that is more urgent than letters is under way
        self._free.set()
        self._queues = {adapter.name: ChannelQueue(adapter) for adapter in adapters}
        self._stray_ms = 0
        self._stray_at: tuple[str, int, LetterId] | None = None
        # rows that are on the wire, or were and could not be written down yet
        self._sending: set[LetterId] = set()
        self._running: set[asyncio.Task[None]] = set()
        self._key = b""
        self._renderer = PictureRenderer()

    def wake(self) -> None:
        """Something was queued."""
        self._bell.set()

    def hold(self, urgent: bool) -> None:
        """Leave the machine to a backlog of deadlines, for five seconds at most; letters that wait meanwhile
        fold.
        """
        if urgent:
            self._free.clear()
        else:
            self._free.set()

    async def recover(self) -> None:
        """Be ready to send; settle what a crash left half sent in channels that need no lease."""
        self._key = await self._store.write(tokens.secret)
        for channel in self._doors.here if self._doors.shared else (None,):
            await self.settle(channel)

    async def settle(self, channel: str | None) -> None:
        """Settle what a crash left half sent in a channel (None: in any), no matter who had it then."""
        again = tuple(name for name, a in self._adapters.items() if a.idempotent)
        names = list(self._queues) if channel is None else [channel]

        def settle(tx: Tx) -> dict[str, ChannelPause]:
            for row in (
                tx.all(Outbox, state=OutboxState.SENDING)
                if channel is None
                else tx.all(Outbox, state=OutboxState.SENDING, channel=channel)
            ):
                if row.id in self._sending:
                    continue  # what becomes of it we shall know ourselves
                if row.channel in again:
                    requeue(tx, row)
                else:
                    tx.set(Outbox, row.id, state=OutboxState.UNKNOWN)
                    receipts.second_chance(self._uow(tx), row)
            return channel_queue.rests(tx, names)

        found = await self._store.write(settle)
        for name in names:
            if name in self._queues:
                self._queues[name].again(found.get(name))

    async def run(self) -> None:
        """Send for ever."""
        while True:
            await _patiently(self._free, _HELD)
            await _patiently(self._calm, _YIELDED)
            self._bell.clear()
            try:
                pause = await self.round()
            except StoreFull as full:  # a server that is away can't be read from, either
                self._alarm.disk_full(full)
                pause = 1.0
            try:
                async with asyncio.timeout(pause):
                    await self._bell.wait()
            except TimeoutError:
                continue
            await asyncio.sleep(_GATHER)

    def rests(self) -> dict[str, ChannelPause]:
        """The channels that take nothing now."""
        return {name: queue.rest for name, queue in self._queues.items() if queue.rest is not None}

    @property
    def in_hand(self) -> tuple[asyncio.Task[None], ...]:
        """The letters that are being made and sent at this moment."""
        return tuple(self._running)

    async def round(self) -> float:
        """Start sending everything that may go now.  Returns seconds until there is more to do."""
        now = self._clock_ms()
        ours = self._doors.channels()
        here = [queue for name, queue in self._queues.items() if ours is None or name in ours]
        pause, free = _IDLE_MS, []
        for queue in here:
            wait = queue.wait_ms(now)
            pause = min(pause, wait or _IDLE_MS)
            if not wait and not queue.full:
                free.append(queue)
        looks = await self._store.read(
            partial(_looked, now_ms=now, free=[(one.name, one.end, one.held(now)) for one in free], ours=ours)
        )
        for queue, found in zip(free, looks.found, strict=True):
            pause = min(pause, await self._begin(queue, found, now))
        pause = min(pause, await self._strays(now))
        if looks.coming_ms is not None:
            pause = min(pause, looks.coming_ms - now)
        return max(pause / 1000, 0.01)

    async def _begin(self, queue: ChannelQueue, found: QueueScan, now: int) -> int:
        """Start what may go of one channel's letters; for how long there is nothing more to do for it, ms."""
        old = [
            row
            for row in found.rows
            if row.expires_ms and row.expires_ms < now and chat(row) not in queue.busy
        ]
        if old:
            await self._store.write(partial(drop_expired, rows=old))
        before = queue.end
        rows, wait = queue.chosen(
            found._replace(rows=[row for row in found.rows if row not in old]) if old else found, now
        )
        for row in rows:
            task = asyncio.create_task(self._deliver(queue, row))
            self._running.add(task)
            task.add_done_callback(self._running.discard)
        if before is not None or queue.end is not None or old:
            return _STEP_MS  # there is more than was looked at
        return wait or _IDLE_MS

    async def _strays(self, now: int) -> int:
        """What waits for a channel that is off is looked at now and then, some of it at a time, whether its
        time has run out. For how long there is nothing more to do, ms.
        """
        if now < self._stray_ms:
            return _IDLE_MS
        found = await self._store.read(
            partial(_stray, now_ms=now, known=frozenset(self._queues), after=self._stray_at)
        )
        if found.old:
            await self._store.write(partial(drop_expired, rows=found.old))
        self._stray_at = found.at
        if found.at is None:
            self._stray_ms = now + _STRAY_MS
        return _IDLE_MS if found.at is None else _STEP_MS

    async def stop(self) -> None:
        """Let what is under way end, for at most two seconds."""
        if self._running:
            await asyncio.wait(self._running, timeout=2)
        for task in self._running:
            task.cancel()
        self._renderer.close()

    async def _deliver(self, queue: ChannelQueue, row: Outbox) -> None:
        taken = row
        try:
            async with queue.making:  # one channel's letters leave the store to others, too
                resting = queue.resting(self._clock_ms())
                claimed = None if resting else await self._wording().letter(queue.adapter, row)
            if claimed is None:
                return
            taken, letter = claimed
            if self._doors.held(row.channel):
                self._sending.add(row.id)
                await self._recorded(queue, taken, await queue.adapter.send(letter))
            else:  # who has the channel by now may have settled what it found before our claim, or after it
                await self._written(partial(self.record, row=taken, receipt=_NOT_OURS))
                self._store.ring(("post",))
        except StoreFull as full:
            self._alarm.disk_full(full)
            await asyncio.sleep(1)
        except Exception as error:  # a letter that can't be written must not stop the post: it is set aside
            log.exception("letter %s could not be made or sent", row.id)
            await self._set_aside(taken, error)
        finally:
            self._sending.discard(row.id)
            queue.busy.discard(chat(row))
            self._bell.set()

    async def _set_aside(self, row: Outbox, error: Exception) -> None:
        """Write down that a letter can't be made; where that breaks, too, its chat alone waits a while."""
        try:
            await self._written(lambda tx: receipts.broken(self._uow(tx), row, error))
        except Exception:  # ours again: it is told, and the letter is tried anew, but not at once for ever
            log.exception("letter %s could not be set aside", row.id)
            await asyncio.sleep(_ASIDE)

    async def _recorded(self, queue: ChannelQueue, row: Outbox, receipt: Receipt) -> None:
        """Write down what became of a letter; it has happened, so a full disk only delays this."""
        now, before, receipt = self._clock_ms(), queue.rest, receipts.waiting(receipt)
        queue.judge(row, receipt, now)
        alarming, rest, shared = queue.alarming(now), queue.rest, queue.shared(row)
        if rest is not None and before is None:
            log.warning("channel %s takes nothing now", row.channel, extra={"reason": rest.why})
        elif rest is None and before is not None:
            log.info("channel %s is back", row.channel)

        def settle(tx: Tx) -> None:
            self.record(tx, row, receipt, resting=rest is not None, shared=shared)
            if rest != before:
                channel_queue.save_pause(tx, row.channel, rest)
            if alarming and rest is not None:
                alert(
                    self._uow(tx),
                    "channel-paused",
                    channel=row.channel,
                    minutes=(now - rest.since_ms) // 60_000,
                    why=rest.why,
                )

        await self._written(settle)
        self._alarm.tally.letter(row.channel, receipt.fate)
        log.info(
            "letter %s %s",
            row.id,
            receipt.fate,
            extra={
                "game": row.game_id,
                "seat": row.seat,
                "channel": row.channel,
                # nor does anyone who reads the log learn by it what somebody plans
                "kind": "" if traits(row.kind).private else row.kind,
                "reason": receipt.reason,
                "wire": tokens.wire(self._key, row.id),
            },
        )  # as adapters' lines name it

    async def _written(self, job: Callable[[Tx], None]) -> None:
        """Write down what has happened, however long that takes."""
        await self._alarm.until_written(partial(self._store.write, job))

    def _wording(self) -> Wording:
        return Wording(
            self._store,
            self._words,
            self._settings,
            self._states,
            self._key,
            self._renderer,
            self._clock_ms,
            self._doors.held,
        )

    def _uow(self, tx: Tx) -> UnitOfWork:
        return UnitOfWork(tx, self._clock_ms(), self._words, self._settings, self._states)

    def record(
        self, tx: Tx, row: Outbox, receipt: Receipt, *, resting: bool = False, shared: bool = False
    ) -> None:
        """What became of it, and what follows from that (see `receipts.Wire`)."""
        adapter = self._adapters.get(row.channel)
        again = adapter is not None and adapter.idempotent
        receipts.record(self._uow(tx), row, receipt, receipts.ChannelHealth(resting, shared, again))


async def _patiently(clear: asyncio.Event, seconds: float) -> None:
    """Wait until the event stays set, for so long at most."""
    if not clear.is_set():
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while not clear.is_set():  # it may be unset again before we have our turn
                    await clear.wait()


class OutboxScan(NamedTuple):
    """What was found in one look: by channel, and when the next letter may go that may not go yet."""

    found: list[QueueScan]
    coming_ms: int | None


class ClosedChannelLetters(NamedTuple):
    """Letters to channels that are off: those whose time has run out, and how far was looked (channel and
    place in its queue).
    """

    old: list[Outbox]
    at: tuple[str, int, LetterId] | None


def _looked(
    tx: Tx,
    now_ms: int,
    free: Sequence[tuple[str, tuple[int, LetterId] | None, frozenset[Chat]]],
    ours: Sequence[str] | None,
) -> OutboxScan:
    found = [scan_queue(tx, name, now_ms, end, held) for name, end, held in free]
    return OutboxScan(found, tx.outbox_coming_ms(now_ms, ours))


def _stray(
    tx: Tx, now_ms: int, known: frozenset[str], after: tuple[str, int, LetterId] | None
) -> ClosedChannelLetters:
    """A step through letters to channels that are off."""
    for name in sorted(set(tx.outbox_channels()) - known):
        if after is not None and name < after[0]:
            continue
        rows = tx.outbox_of(
            name, now_ms, channel_queue.HEAD, after[1:] if after is not None and name == after[0] else None
        )
        old = [row for row in rows if row.expires_ms and row.expires_ms < now_ms]
        if rows:
            return ClosedChannelLetters(old, (name, rows[-1].not_before_ms, rows[-1].id))
    return ClosedChannelLetters([], None)
