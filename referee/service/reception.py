"""The reception: whatever arrives is written down before anything else happens, then worked off in order."""
from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import NamedTuple, Protocol

import msgspec

from referee.ports import Inbound
from referee.rules import Refusal, SetupError
from referee.store import Bookmark, Inbox, Store, StoreFull, Tx
from referee.text import Words

from . import desk, freezing, gate, heads, holding, reading_ahead
from .alarm import Alarm
from .readings import Readings
from .replies import alert
from .sitting import ServiceSettings, Sitting, States

log = logging.getLogger(__name__)
_BATCH = 64
_LOOK_S = 3.0
#: with so many messages in hand this process only writes down what comes, so that others help (a shared book only)
_IN_HAND = 8

#: a row's number in the inbox, and what it holds
Waiting = tuple[int, Inbound]


class Begin(Protocol):
    """What brings the row that is to be handled, marked done at that hour, or still new where the hour is 0;
    None when there is nothing to do."""

    def __call__(self, tx: Tx, *, done_ms: int) -> Waiting | None: ...


class Outcome(NamedTuple):
    """What became of a message: its row, the sitting's notes, what broke, who had sent it, and the processor's time that it took."""

    number: int
    sitting: Sitting
    broken: Exception | None = None
    came: Inbound | None = None
    spent_ms: float = 0


class Reception:
    """Takes what adapters bring, and works the inbox off."""

    def __init__(self, store: Store, words: Words, settings: ServiceSettings, clock_ms: Callable[[], int], states: States,
                 woke: Callable[[Sitting], None], alarm: Alarm) -> None:
        self._store, self._words, self._settings, self._clock_ms, self._states = store, words, settings, clock_ms, states
        self._woke, self._alarm = woke, alarm
        self._gate = gate.Gate(settings)
        self._bell = asyncio.Event()
        self._in_hand = 0
        #: so many messages are handled as they come (see `receive`)
        self.at_once = _IN_HAND

    async def receive(self, batch: Sequence[Inbound], *, channel: str, cursor: dict[str, str] | None = None) -> None:
        """Write a batch and the channel's bookmarks; returning means that they are on disk.

        A single message is handled in the very job that writes it down, unless something older waits (where several processes share the
        book: something of the same sender's) or this process has its hands full; where handling it fails, what it led to is undone and it is written down all the same.  What the gate does not let through is written down and
        left alone."""
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
                kept = bool(tx.inbox_new(1))             # first come, first served
            body = msgspec.json.encode(batch[0])
            number = self._add(tx, batch[0], body, done_ms=0 if kept else done_ms)
            mark(tx)
            return None if kept or number is None else (number, desk.decode(body))

        def keep(tx: Tx) -> tuple[Sitting, list[tuple[int, Inbound, str]]]:
            sitting, left = self._sitting(tx), []
            for n, one in enumerate(batch):
                no = refused.get(n)
                number = self._add(tx, one, msgspec.json.encode(one), done_ms=0 if no is None else sitting.now_ms, refused="" if no is None else no.why)
                if no is not None and number is not None:
                    left.append((number, one, no.why))
                    if no.tell:
                        gate.slow_down(sitting, one, no)
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
                except Exception:                     # ours, and more than one: kept all the same, `round` will see to it
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

    async def _refused(self, batch: Sequence[Inbound]) -> dict[int, gate.Verdict]:
        """Which of them the gate does not let through, by their place."""
        now = self._clock_ms()
        wanted = self._gate.strangers(batch, now)
        if wanted or self._gate.read_ms is None:
            await self._learn(wanted)
        found = ((n, self._gate.weigh(one, now)) for n, one in enumerate(batch))
        return {n: verdict for n, verdict in found if verdict is not None}

    async def _learn(self, wanted: Sequence[Inbound] = ()) -> None:
        self._gate.learn(await self._store.read(lambda tx: gate.look_up(tx, wanted)), self._clock_ms())

    async def refresh(self) -> None:
        """Read again whom the gate shuts out, if that was read a while ago: the command line changes it, too."""
        if self._gate.read_ms is None or not 0 <= self._clock_ms() - self._gate.read_ms < gate.LIST_MS:
            await self._learn()

    def stale(self) -> None:
        """Another process has changed whom the gate shuts out: it is read again before the next message is weighed."""
        self._gate.read_ms = None

    async def tend(self) -> None:
        """Look after the gate: who may write again and is told so, whether a crowd stands before it."""
        now = self._clock_ms()
        again, crowd = self._gate.reopened(now), self._gate.turned_away(now)

        def say(tx: Tx) -> Sitting:
            sitting = self._sitting(tx)
            for one in again:
                gate.listens_again(sitting, one)
            if crowd:
                alert(sitting, "newcomers", count=crowd)
            return sitting

        if again or crowd:
            self._woke(await self._store.write(say))

    async def bookmark(self, channel: str, name: str) -> str | None:
        """Where the channel stopped reading."""
        row = await self._store.read(lambda tx: tx.one(Bookmark, channel=channel, name=name))
        return None if row is None else row.value

    async def contested(self, channel: str, *, rivalled: bool) -> None:
        """Somebody else receives with a channel's account, and it has stood down; or it is alone with it again."""
        def note(tx: Tx) -> Sitting:
            sitting = self._sitting(tx)
            holding.contested(sitting, channel, rivalled=rivalled)
            return sitting

        sitting = await self._store.write(note)
        sitting.wakes.add("clock")
        self._woke(sitting)

    def wake(self) -> None:
        """Look into the inbox."""
        self._bell.set()

    async def run(self) -> None:
        """Work the inbox off for ever, oldest first.  It is looked into now and then also when nobody rings: an admin
        may have put a message back."""
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
        """Handle up to 64 waiting messages, on a shared book one that nobody else has in hand.  Returns how many there were."""
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
        with suppress(Unread):                        # handling it will find that, too
            ahead = await self._ahead(_read(int(row.id or 0), row.body))
        return await self._handle(partial(self._take, int(row.id or 0)), ahead)

    async def _ahead(self, came: Inbound) -> Readings | None:
        """Read a long message before the writer is entered, where nobody waits for it; None for a short one."""
        if not reading_ahead.worth_it(came):
            return None

        def read(tx: Tx) -> Readings:
            sitting = Sitting(tx, self._clock_ms(), self._words, self._settings, States(1))
            reading_ahead.read_ahead(sitting, came)
            return sitting.readings

        try:
            return await self._store.read(read)
        except Exception:                             # ours: handling it will come to the same, and sets it aside
            log.exception("a message could not be read ahead")
            return None

    async def _handle(self, begin: Begin, ahead: Readings | None = None, *, pinned: bool = False) -> int:
        """Handle one message; `begin` brings its inbox row, `ahead` is what was read of it already.  `pinned`: it may bring another one each time,
        and that of the first time is meant.  Returns the row's number, 0 where there was nothing to do."""
        first, before_ms = begin, 0.0 if ahead is None else ahead.spent_ms

        def work(tx: Tx) -> Outcome | None:
            begun = time.thread_time()
            found = handled(tx)
            return None if found is None else found._replace(spent_ms=before_ms + (time.thread_time() - begun) * 1000)

        def handled(tx: Tx) -> Outcome | None:
            begin = _Pinned(first, self._take) if pinned else first
            try:
                return self._settled(tx, begin, desk.handle, ahead)
            except StoreFull:
                raise
            except (Refusal, SetupError) as no:
                refused = no
            except Exception as broken:               # ours, not the player's: undone, counted, set aside in the end
                tx.forget()
                if freezing.of_later(broken):
                    return self._settled(tx, begin, partial(desk.out_of_time, game_id=freezing.of_later(broken)))
                return self._counted(tx, begin, broken)
            tx.forget()
            return self._settled(tx, begin, partial(desk.decline, no=refused))

        outcome = await self._store.write(work)
        if outcome is None:
            return 0
        if outcome.came is not None:
            self._gate.spent(outcome.came, outcome.spent_ms, self._clock_ms())
        if outcome.broken is not None:
            log.error("message %s could not be handled", outcome.number, exc_info=outcome.broken)
            self._bell.set()                         # it will be tried again, before anything younger
        log.info("message handled", extra={"inbox": outcome.number, **outcome.sitting.about})
        self._woke(outcome.sitting)
        if "gate" in outcome.sitting.wakes:
            await self._learn()
        return outcome.number

    def _settled(self, tx: Tx, begin: Begin, act: Callable[[Sitting, int, Inbound], None], ahead: Readings | None = None) -> Outcome | None:
        """Mark the row done and do what it asks for."""
        sitting = self._sitting(tx)
        sitting.readings = ahead or sitting.readings
        row = begin(tx, done_ms=sitting.now_ms)
        if row is None:
            return None
        act(sitting, *row)
        return Outcome(row[0], sitting, came=row[1])

    def _counted(self, tx: Tx, begin: Begin, broken: Exception) -> Outcome | None:
        """The row stays new, one failure the richer; one that can't be read is set aside at once."""
        try:
            row = begin(tx, done_ms=0)
        except Unread as unread:
            sitting = self._sitting(tx)
            desk.set_aside(sitting, unread.number, str(unread.__cause__))
            return Outcome(unread.number, sitting, broken)
        if row is None:
            return None
        sitting = self._sitting(tx)
        desk.failed(sitting, row[0], f"{type(broken).__name__}: {broken}")
        return Outcome(row[0], sitting, broken, row[1])

    def _add(self, tx: Tx, one: Inbound, body: bytes, *, done_ms: int = 0, refused: str = "") -> int | None:
        """The number of a new row; None for what was known already."""
        if refused:
            return tx.add_new(Inbox, channel=one.channel, key=one.key, body=heads.kept(body), at_ms=one.at_ms or self._clock_ms(),
                              state="refused", error=refused, done_ms=done_ms, lane=lane(one))
        return tx.add_new(Inbox, channel=one.channel, key=one.key, body=body, at_ms=one.at_ms or self._clock_ms(),
                          state="done" if done_ms else "new", done_ms=done_ms, lane=lane(one))

    def _take(self, number: int, tx: Tx, *, done_ms: int) -> Waiting | None:
        """A row that waits in the inbox; None when it waits no more."""
        row = tx.get(Inbox, number)
        if row is None or row.state != "new":
            return None
        if done_ms:
            tx.set(Inbox, number, state="done", done_ms=done_ms)
        return number, _read(number, row.body)

    def _next(self, tx: Tx, *, done_ms: int) -> Waiting | None:
        """The oldest row that may be handled and that no other process has in hand."""
        row = tx.next_inbox()
        if row is None:
            return None
        if done_ms:
            tx.set(Inbox, row.id, state="done", done_ms=done_ms)
        return int(row.id or 0), _read(int(row.id or 0), row.body)

    def _sitting(self, tx: Tx) -> Sitting:
        return Sitting(tx, self._clock_ms(), self._words, self._settings, self._states)


class Unread(Exception):
    """A message that was written down, and can't be read: by another version of the referee, or damaged.  `number`: its row."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def _read(number: int, body: bytes) -> Inbound:
    try:
        return desk.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Unread(number) from error


class _Pinned:
    """A `Begin` that brings the same row at every further call within one run of a job."""

    def __init__(self, first: Begin, again: Callable[..., Waiting | None]) -> None:
        self._first, self._again, self._number = first, again, 0

    def __call__(self, tx: Tx, *, done_ms: int) -> Waiting | None:
        if self._number:
            return self._again(self._number, tx, done_ms=done_ms)
        found = self._first(tx, done_ms=done_ms)
        self._number = 0 if found is None else found[0]
        return found


def lane(one: Inbound) -> str:
    """Whose messages are handled in their order, whoever handles them."""
    return f"{one.channel} {one.address}"
