"""The reception: whatever arrives is written down before anything else happens, then worked off in order."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress
from functools import partial

import msgspec

from referee.ports import Inbound, What
from referee.rules import Refusal, SetupError
from referee.store import Bookmark, Inbox, Store, StoreFull, Tx
from referee.text import Words
from referee.text.meter import spent_ms

from ..core import message_heads
from ..core.alarms import Alarm
from ..core.reading_budget import Readings
from ..core.unit_of_work import ServiceSettings, Sitting, States
from ..deadlines import hold
from ..people.replies import alert
from ..play import freeze
from . import cleaning, dispatch, rate_limiter, read_ahead
from .crashes import Crashes
from .inbox_row import Begin, Outcome, Pinned, Unread, Waiting, lane, read
from .parking import Parking

log = logging.getLogger(__name__)
_BATCH = 64
#: why a message is parked that was in hand when processes died
DEADLY = "the process died over it, twice"
_LOOK_S = 3.0
#: with so many messages in hand this process only writes down what comes, so that others help (a shared book
#: only)
_IN_HAND = 8


class Reception:
    """Takes what adapters bring, and works the inbox off."""

    def __init__(
        self,
        store: Store,
        words: Words,
        settings: ServiceSettings,
        clock_ms: Callable[[], int],
        states: States,
        woke: Callable[[Sitting], None],
        alarm: Alarm,
    ) -> None:
        folder = settings.parking or (
            None if store.path is None else store.path.with_name(f"{store.path.name}.parked")
        )
        #: where what can't be read is put, and what was in hand when a process died
        self.parking, self.crashes = Parking(folder, alarm.tally), Crashes(folder)
        self._store, self._words, self._settings, self._clock_ms, self._states = (
            store,
            words,
            settings,
            clock_ms,
            states,
        )
        self._woke, self._alarm = woke, alarm
        self._gate = rate_limiter.Gate(settings)
        self._bell = asyncio.Event()
        self._in_hand = 0
        #: so many messages are handled as they come (see `receive`)
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
        except Exception:  # whoever of them it is, it must not keep the others out
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
        return self.crashes.during(channel, ref)

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
                came, str(unfit) if isinstance(unfit, cleaning.Unfit) else type(unfit).__name__, now
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

        A single one is handled in the very job that writes it down, unless something older waits (where
        several processes share the book: something of the same sender's) or this process has its hands full;
        where handling it fails, what it led to is undone and it is written down all the same. What the gate
        does not let through is written down and left alone.
        """
        kept = False
        refused = await self._refused(batch)

        def mark(tx: Tx) -> None:
            for name, value in (cursor or {}).items():
                tx.put(Bookmark, channel=channel, name=name, value=value)

        def arrive(tx: Tx, *, done_ms: int) -> Waiting | None:
            nonlocal kept
            if self._store.shared:
                kept = bool(tx.all(Inbox, state="new", lane=lane(batch[0]), limit=1))
            else:
                kept = bool(tx.inbox_new(1))  # first come, first served
            body = msgspec.json.encode(batch[0])
            number = self._add(tx, batch[0], body, done_ms=0 if kept else done_ms)
            mark(tx)
            return None if kept or number is None else (number, dispatch.decode(body))

        def keep(tx: Tx) -> tuple[Sitting, list[tuple[int, Inbound, str]]]:
            sitting, left = self._sitting(tx), []
            for n, one in enumerate(batch):
                no = refused.get(n)
                if no is not None and not no.keep:
                    continue
                number = self._add(
                    tx,
                    one,
                    msgspec.json.encode(one),
                    done_ms=0 if no is None else sitting.now_ms,
                    refused="" if no is None else no.why,
                )
                if no is not None and number is not None:
                    left.append((number, one, no.why))
                    if no.tell:
                        rate_limiter.slow_down(sitting, one, no)
            mark(tx)
            return sitting, left

        try:
            if len(batch) == 1 and not refused and not (self._store.shared and self._in_hand >= self.at_once):
                self._in_hand += 1
                try:
                    await self._handle(arrive, await self._ahead(batch[0]))
                    if kept:
                        self._call_all()
                    return
                except StoreFull:
                    raise
                except Exception:  # ours, and more than one: kept all the same, `round` will see to it
                    log.exception("a message could not be handled as it came")
                finally:
                    self._in_hand -= 1
            sitting, left = await self._store.write(keep)
            for number, one, why in left:
                log.info("message refused", extra={"inbox": number, "channel": one.channel, "reason": why})
            self._woke(sitting)
        except StoreFull as full:
            self._alarm.disk_full(full)
            raise
        if batch:
            self._call_all()

    def _call_all(self) -> None:
        """Something waits in the inbox: for us, and for whoever else is at work."""
        self._bell.set()
        self._store.ring(("desk",))

    async def _refused(self, batch: Sequence[Inbound]) -> dict[int, rate_limiter.Verdict]:
        """Which of them the gate does not let through, by their place."""
        now = self._clock_ms()
        wanted = self._gate.strangers(batch, now)
        if wanted or self._gate.read_ms is None:
            await self._learn(wanted)
        found = ((n, self._gate.weigh(one, now)) for n, one in enumerate(batch))
        refused = {n: verdict for n, verdict in found if verdict is not None}
        for n, verdict in refused.items():
            if not verdict.keep:
                self._alarm.tally.let_go[batch[n].channel] += 1
        return refused

    async def _learn(self, wanted: Sequence[Inbound] = ()) -> None:
        self._gate.learn(
            await self._store.read(lambda tx: rate_limiter.look_up(tx, wanted)), self._clock_ms()
        )

    async def refresh(self) -> None:
        """Read again whom the gate shuts out, if that was read a while ago: the command line changes it,
        too.
        """
        if (
            self._gate.read_ms is None
            or not 0 <= self._clock_ms() - self._gate.read_ms < rate_limiter.LIST_MS
        ):
            await self._learn()

    def stale(self) -> None:
        """Another process has changed whom the gate shuts out: it is read again before the next message is
        weighed.
        """
        self._gate.read_ms = None

    async def tend(self) -> None:
        """Look after the gate: who may write again and is told so, whether a crowd stands before it; and
        whether something was parked.
        """
        now = self._clock_ms()
        again, crowd, parked = self._gate.reopened(now), self._gate.turned_away(now), self.parking.news(now)

        def say(tx: Tx) -> Sitting:
            sitting = self._sitting(tx)
            for one in again:
                rate_limiter.listens_again(sitting, one)
            if crowd:
                alert(sitting, "newcomers", count=crowd)
            if parked is not None:
                alert(sitting, "parked", **parked)
            return sitting

        if again or crowd or parked:
            self._woke(await self._store.write(say))

    async def bookmark(self, channel: str, name: str) -> str | None:
        """Where the channel stopped reading."""
        row = await self._store.read(lambda tx: tx.one(Bookmark, channel=channel, name=name))
        return None if row is None else row.value

    async def contested(self, channel: str, *, rivalled: bool) -> None:
        """Somebody else receives with a channel's account, and it has stood down; or it is alone with it
        again.
        """

        def note(tx: Tx) -> Sitting:
            sitting = self._sitting(tx)
            hold.contested(sitting, channel, rivalled=rivalled)
            return sitting

        sitting = await self._store.write(note)
        sitting.wakes.add("clock")
        self._woke(sitting)

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
                await self.refresh()
                while await self.round():
                    pass
            except StoreFull as full:
                self._alarm.disk_full(full)
                await asyncio.sleep(1)
                self._bell.set()

    async def round(self) -> int:
        """Handle up to 64 waiting messages, on a shared book one that nobody else has in hand.

        Returns how many there were.
        """
        await self.tend()
        if self._store.shared:
            return int(await self._handle(self._next, pinned=True) > 0)
        rows = await self._store.read(lambda tx: tx.inbox_new(_BATCH))
        done = await asyncio.gather(*(self._waited(row) for row in rows), return_exceptions=True)
        for outcome in done:
            if isinstance(outcome, BaseException):
                raise outcome
        return len(rows)

    async def _waited(self, row: Inbox) -> int:
        """Handle a message that waited in the inbox."""
        ahead = None
        with suppress(Unread):  # handling it will find that, too
            ahead = await self._ahead(read(int(row.id or 0), row.body))
        return await self._handle(partial(self._take, int(row.id or 0)), ahead)

    async def _ahead(self, came: Inbound) -> Readings | None:
        """Read a long message before the writer is entered, where nobody waits for it; None for a short
        one.
        """
        if not read_ahead.worth_it(came):
            return None

        def look(tx: Tx) -> Readings:
            sitting = Sitting(
                tx,
                self._clock_ms(),
                self._words,
                self._settings,
                States(1),
                readings=Readings(self._settings.testing.reading_ms),
            )
            with self.crashes.during(came.channel, came.key) as may:
                if may:  # else: see `_settled`
                    read_ahead.read_ahead(sitting, came)
            return sitting.readings

        try:
            return await self._store.read(look)
        except Exception:  # ours: handling it will come to the same, and sets it aside
            log.exception("a message could not be read ahead")
            return None

    async def _handle(self, begin: Begin, ahead: Readings | None = None, *, pinned: bool = False) -> int:
        """Handle one message; `begin` brings its inbox row, `ahead` is what was read of it already.

        `pinned`: it may bring another one each time, and that of the first time is meant. Returns the row's
        number, 0 where there was nothing to do.
        """
        first, before_ms = begin, 0.0 if ahead is None else ahead.spent_ms

        def work(tx: Tx) -> Outcome | None:
            begun_ms = spent_ms()
            found = handled(tx)
            return None if found is None else found._replace(spent_ms=before_ms + spent_ms() - begun_ms)

        def handled(tx: Tx) -> Outcome | None:
            begin = Pinned(first, self._take) if pinned else first
            try:
                return self._settled(tx, begin, dispatch.handle, ahead)
            except StoreFull:
                raise
            except (Refusal, SetupError) as no:
                refused = no
            except Exception as broken:  # ours, not the player's: undone, counted, set aside in the end
                tx.forget()
                if freeze.of_later(broken):
                    return self._settled(
                        tx, begin, partial(dispatch.out_of_time, game_id=freeze.of_later(broken))
                    )
                return self._counted(tx, begin, broken)
            tx.forget()
            return self._settled(tx, begin, partial(dispatch.decline, no=refused))

        outcome = await self._store.write(work)
        if outcome is None:
            return 0
        if outcome.came is not None:
            self._gate.spent(outcome.came, outcome.spent_ms, self._clock_ms())
        if outcome.broken is not None:
            log.error("message %s could not be handled", outcome.number, exc_info=outcome.broken)
            self._bell.set()  # it will be tried again, before anything younger
        log.info("message handled", extra={"inbox": outcome.number, **outcome.sitting.about})
        self._woke(outcome.sitting)
        if "gate" in outcome.sitting.wakes:
            await self._learn()
        return outcome.number

    def _settled(
        self,
        tx: Tx,
        begin: Begin,
        act: Callable[[Sitting, int, Inbound], None],
        ahead: Readings | None = None,
    ) -> Outcome | None:
        """Mark the row done and do what it asks for."""
        sitting = self._sitting(tx)
        sitting.readings = ahead or sitting.readings
        row = begin(tx, done_ms=sitting.now_ms)
        if row is None:
            return None
        number, came = row
        if self.crashes.fatal(came.channel, came.key):
            tx.set(Inbox, number, state="parked", error=DEADLY, done_ms=sitting.now_ms)
            self.parking.park(came, DEADLY, sitting.now_ms, kind="row", ref=f"inbox {number}")
            return Outcome(number, sitting)
        slot = self.crashes.enter(came.channel, came.key)
        try:
            act(sitting, number, came)
        finally:
            self.crashes.leave(slot, came.channel, came.key)
        return Outcome(number, sitting, came=came)

    def _counted(self, tx: Tx, begin: Begin, broken: Exception) -> Outcome | None:
        """The row stays new, one failure the richer; one that can't be read is set aside at once."""
        try:
            row = begin(tx, done_ms=0)
        except Unread as unread:
            sitting = self._sitting(tx)
            dispatch.set_aside(sitting, unread.number, str(unread.__cause__))
            return Outcome(unread.number, sitting, broken)
        if row is None:
            return None
        sitting = self._sitting(tx)
        dispatch.failed(sitting, row[0], f"{type(broken).__name__}: {broken}", broken)
        return Outcome(row[0], sitting, broken, row[1])

    def _add(self, tx: Tx, one: Inbound, body: bytes, *, done_ms: int = 0, refused: str = "") -> int | None:
        """The number of a new row; None for what was known already."""
        if refused:
            return tx.add_new(
                Inbox,
                channel=one.channel,
                key=one.key,
                body=message_heads.kept(body),
                at_ms=one.at_ms or self._clock_ms(),
                state="refused",
                error=refused,
                done_ms=done_ms,
                lane=lane(one),
            )
        return tx.add_new(
            Inbox,
            channel=one.channel,
            key=one.key,
            body=body,
            at_ms=one.at_ms or self._clock_ms(),
            state="done" if done_ms else "new",
            done_ms=done_ms,
            lane=lane(one),
        )

    def _take(self, number: int, tx: Tx, *, done_ms: int) -> Waiting | None:
        """A row that waits in the inbox; None when it waits no more."""
        row = tx.get(Inbox, number)
        if row is None or row.state != "new":
            return None
        if done_ms:
            tx.set(Inbox, number, state="done", done_ms=done_ms)
        return number, read(number, row.body)

    def _next(self, tx: Tx, *, done_ms: int) -> Waiting | None:
        """The oldest row that may be handled and that no other process has in hand."""
        row = tx.next_inbox()
        if row is None:
            return None
        if done_ms:
            tx.set(Inbox, row.id, state="done", done_ms=done_ms)
        return int(row.id or 0), read(int(row.id or 0), row.body)

    def _sitting(self, tx: Tx) -> Sitting:
        return Sitting(
            tx,
            self._clock_ms(),
            self._words,
            self._settings,
            self._states,
            readings=Readings(self._settings.testing.reading_ms),
        )
