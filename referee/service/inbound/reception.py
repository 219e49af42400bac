"""The reception: whatever arrives is written down before anything else happens (then see inbox_worker.py)."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractContextManager
from functools import partial

import msgspec

from referee.ids import InboxId
from referee.ports import Inbound, What
from referee.states import InboxState
from referee.store import Bookmark, Inbox, StoreFull, Tx

from ..core import message_heads
from ..core.unit_of_work import Context, UnitOfWork
from ..deadlines import hold
from . import cleaning
from .admission import Admission, slow_down
from .crashes import CrashGuard
from .inbox_row import Waiting
from .inbox_worker import InboxWorker
from .parking import Parking
from .rate_limiter import LimiterVerdict

log = logging.getLogger(__name__)
#: with this many messages in hand this process only writes down what comes, so that others help (a shared
#: database only)
_IN_HAND = 8


class Reception:
    """Takes what adapters bring; `first` comes before a message is handled."""

    def __init__(self, context: Context, first: Callable[[], Awaitable[None]]) -> None:
        store, settings, tally = context.store, context.settings, context.alarm.tally
        folder = settings.parking or (
            None if store.path is None else store.path.with_name(f"{store.path.name}.parked")
        )
        self._context, self._store, self._clock_ms = context, store, context.clock_ms
        #: where what can't be read is put, and what was in hand when a process died
        self.parking, self.crashes = Parking(folder, tally), CrashGuard(folder)
        self.admission = Admission(store, settings, context.clock_ms, tally)
        #: what works off that which is only written down here
        self.worker = InboxWorker(context, self.admission, self.parking, self.crashes, first)
        #: this many messages are handled as they come (see `receive`)
        self.at_once = _IN_HAND

    async def receive(
        self, batch: Sequence[Inbound], *, channel: str, cursor: dict[str, str] | None = None
    ) -> None:
        """Write a batch and the channel's bookmarks; returning means that they are on disk.

        Whatever is in it, the bookmarks move on: what could not be read is parked, and so is what can't be
        written down; the others are written.
        """
        fit = [one for came in batch if (one := self._fit(came)) is not None]
        if batch and not fit and not cursor:
            return
        try:
            await self._received(fit, channel, cursor)
        except OSError:
            raise
        except Exception:  # whichever of them it is, it must not keep the others out
            if not fit:
                raise
            log.exception("a batch could not be written down as it came: one by one")
            await self._one_by_one(fit, channel)
            await self._received((), channel, cursor)

    async def park(self, one: Inbound) -> None:
        """Put aside what an adapter could not read."""
        self._fit(one)

    def reading(self, channel: str, ref: str) -> AbstractContextManager[bool]:
        """While an adapter reads something that may be the process's death; False: it was, twice, and is to
        be left unread.
        """
        return self.crashes.during(channel, f"read {ref}")  # that it can be read says nothing of its handling

    def _fit(self, came: Inbound) -> Inbound | None:
        """A message as it can be written down; None for what is parked instead."""
        now = self._clock_ms()
        if came.what is What.UNREAD:
            self.parking.park(came, "", now)
            return None
        try:
            return cleaning.cleaned(came, now)
        except Exception as unfit:  # whatever a wire may bring, the rest of it goes on
            self.parking.park(
                came, str(unfit) if isinstance(unfit, cleaning.UnusableMessage) else type(unfit).__name__, now
            )
            return None

    async def _one_by_one(self, batch: Sequence[Inbound], channel: str) -> None:
        """Write each alone, and park whichever can't be: but only where the store takes something else, else
        it is not the message's fault.
        """
        for one in batch:
            try:
                await self._received([one], channel, None)
            except OSError:
                raise
            except Exception as broken:  # as above
                await self._store.write(
                    lambda tx: tx.put(Bookmark, channel=channel, name="parked", value="1")
                )
                log.exception("a message can't be written down")
                self.parking.park(one, type(broken).__name__, self._clock_ms())

    async def _received(self, batch: Sequence[Inbound], channel: str, cursor: dict[str, str] | None) -> None:
        """Write messages that are clean.

        A single one is handled in the very job that writes it down, unless this process has its hands full;
        where handling it fails, what it led to is undone and it is written down all the same. What the gate
        does not let through is written down and left alone.
        """
        refused = await self.admission.refused(batch)
        busy = self._store.shared and self.worker.in_hand >= self.at_once
        mark = partial(_mark, channel, cursor or {})
        try:
            if len(batch) == 1 and not refused and not busy and await self._handled(batch[0], mark):
                return
            await self._kept(batch, refused, mark)
        except StoreFull as full:
            self._context.alarm.disk_full(full)
            raise
        if batch:
            self._call_all()

    async def _handled(self, one: Inbound, mark: Callable[[Tx], None]) -> bool:
        """Write a message down and handle it in the same job, unless something older waits (where several
        processes share the database: something of the same sender's); False where that failed, and nothing is
        written.
        """
        waits = False

        def arrive(tx: Tx, *, done_ms: int) -> Waiting | None:
            nonlocal waits
            if self._store.shared:
                waits = bool(tx.all(Inbox, state=InboxState.NEW, lane=lane(one), limit=1))
            else:
                waits = bool(tx.inbox_new(1))  # first come, first served
            number = self._add(tx, one, _body(one), done_ms=0 if waits else done_ms)
            mark(tx)
            return None if waits or number is None else (number, one)

        try:
            await self.worker.handle(arrive, await self.worker.ahead(one))
            if waits:
                self._call_all()
            return True
        except StoreFull:
            raise
        except Exception:  # ours, and more than one: kept all the same, `round` will see to it
            log.exception("a message could not be handled as it came")
            return False

    async def _kept(
        self, batch: Sequence[Inbound], refused: dict[int, LimiterVerdict], mark: Callable[[Tx], None]
    ) -> None:
        """Write messages down, to be handled later; the refused (by their place) to be left alone."""

        def keep(tx: Tx) -> tuple[UnitOfWork, list[tuple[InboxId, Inbound, str]]]:
            uow, left = self._context.uow(tx), []
            for n, one in enumerate(batch):
                no = refused.get(n)
                if no is None:
                    self._add(tx, one, _body(one))
                    continue
                number = self._leave(tx, one, uow.now_ms, no) if no.keep else None
                if number is not None:
                    left.append((number, one, no.why))
                    if no.tell:
                        slow_down(uow, one, no)
            mark(tx)
            return uow, left

        uow, left = await self._store.write(keep)
        for number, one, why in left:
            log.info("message refused", extra={"inbox": number, "channel": one.channel, "reason": why})
        self._context.woke(uow)

    def _call_all(self) -> None:
        """Something waits in the inbox: for us, and for anyone else at work."""
        self.worker.wake()
        self._store.ring(("desk",))

    async def bookmark(self, channel: str, name: str) -> str | None:
        """Where the channel stopped reading."""
        row = await self._store.read(lambda tx: tx.one(Bookmark, channel=channel, name=name))
        return None if row is None else row.value

    async def contested(self, channel: str, *, rivalled: bool) -> None:
        """Somebody else receives with a channel's account, and it has stood down; or it is alone with it
        again.
        """

        def note(tx: Tx) -> UnitOfWork:
            uow = self._context.uow(tx)
            hold.contested(uow, channel, rivalled=rivalled)
            return uow

        uow = await self._store.write(note)
        uow.wakes.add("clock")
        self._context.woke(uow)

    def _add(
        self, tx: Tx, one: Inbound, body: bytes, *, done_ms: int = 0, refused: str = ""
    ) -> InboxId | None:
        """The number of a new row; None for what was known already."""
        return tx.add_new(
            Inbox,
            channel=one.channel,
            key=one.key,
            body=body,
            at_ms=one.at_ms or self._clock_ms(),
            state=InboxState.REFUSED if refused else InboxState.DONE if done_ms else InboxState.NEW,
            error=refused,
            done_ms=done_ms,
            lane=lane(one),
        )

    def _leave(self, tx: Tx, one: Inbound, now_ms: int, no: LimiterVerdict) -> InboxId | None:
        """`_add` for what nobody will act upon: of a long one the head is kept."""
        return self._add(
            tx, one, message_heads.kept(msgspec.json.encode(one)), done_ms=now_ms, refused=no.why
        )


def _body(one: Inbound) -> bytes:
    """A message as it is kept; what a machine wrote moves nothing, so of a long one the head says enough."""
    whole = msgspec.json.encode(one)
    return message_heads.kept(whole) if one.what is What.AUTO_REPLY else whole


def lane(one: Inbound) -> str:
    """Whose messages are handled in their order, no matter who handles them."""
    return f"{one.channel} {one.address}"


def _mark(channel: str, cursor: dict[str, str], tx: Tx) -> None:
    for name, value in cursor.items():
        tx.put(Bookmark, channel=channel, name=name, value=value)
