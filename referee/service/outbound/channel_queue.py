"""One channel's letters: which of them go next, and for how long the channel rests.

Channels don't share a queue. A channel that takes nothing now (its server is away, it limits the whole
account) rests, which is one row of `Meta`: until it is over, none of its letters is read or written. Then one
letter after the other tries, each time another one, so that a letter which is itself the trouble stops
nobody; as soon as one has a fate, the channel is open again. An address that takes nothing now holds back its
own letters, and nobody writes that down. As soon as a letter arrives elsewhere, it may have been the channel:
such an address is tried again at once, until it has failed a few times although others got their letters.

Looking is bounded: that many rows at a time. Where those at the head are all held back, the queue is walked
through in small steps, and the newest are looked at as well; whatever is found there, the oldest letter to
the same address goes first.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple, cast

from referee.ids import LetterId
from referee.ports import Adapter, Fate, Letter, Paced, Receipt
from referee.store import Meta, Outbox, Tx

from ..core.letters import traits

#: rows looked at in one go: at the head of the queue, at a step through it, at its end
HEAD, STEP, NEWEST = 100, 25, 25
#: letters under way at once: at first, at most, and this many of them being made (which takes the store's
#: time, that all channels share)
FIRST, MOST, MAKING = 16, 100, 8
#: this many addresses in a row that put us off, where the adapter can't tell why: then it is the channel
ADDRESSES = 4
#: the longest that a channel rests, or an address is held back, without another try, whatever the wire says;
#: and to where the time between two tries grows by itself; ms
LONGEST_MS, HELD_MS, SOON_MS = 3_600_000, 600_000, 30_000
#: a pause as long as this is an admin's business, ms
LONG_MS = 900_000
#: so often an address may fail although others have got letters meanwhile; after that, what arrives elsewhere
#: frees it no more
_OWN = 3
#: this many addresses are held back at most
_KEPT = 10_000
_ROW = "rest "
Chat = tuple[str, str]


class ChannelPause(NamedTuple):
    """A channel's pause: since when, until when (UTC ms), how many tries have failed, what the wire said, and
    whether an admin was told.
    """

    since_ms: int
    until_ms: int
    tries: int
    why: str
    told: bool = False


class AddressBackoff(NamedTuple):
    """An address that put us off: how often in a row, how often of these although somebody else had got a
    letter since the time before, how many letters had arrived on the channel by then, and until when it is
    held back, UTC ms.
    """

    tries: int
    own: int
    arrived: int
    until_ms: int


class QueueScan(NamedTuple):
    """What was found: letters that could go, the place in the queue up to which it was looked through (None:
    to its end).
    """

    rows: list[Outbox]
    end: tuple[int, LetterId] | None


def chat(row: Outbox) -> Chat:
    """Whom a letter waits for, and who waits for it.

    A toast answers a pressed button: it waits for nobody.
    """
    return ("toast", str(row.id)) if traits(row.kind).toast else (row.address, row.place)


def scan_queue(
    tx: Tx, channel: str, now_ms: int, after: tuple[int, LetterId] | None, held: frozenset[Chat]
) -> QueueScan:
    """Letters of a channel that are due, none of them for a chat that is `held` unless at the head of the
    queue.
    """
    rows = tx.outbox_of(channel, now_ms, STEP if after else HEAD, after)
    end = (rows[-1].not_before_ms, rows[-1].id) if len(rows) == (STEP if after else HEAD) else None
    if after is None and end is None:
        return QueueScan(rows, None)
    near = [*(rows if after else ()), *tx.outbox_newest(channel, now_ms, NEWEST)]
    found = {} if after else {row.id: row for row in rows}
    seen = {chat(row) for row in found.values()}
    for row in near:
        if chat(row) not in seen and chat(row) not in held:
            seen.add(chat(row))
            first = (
                row if traits(row.kind).toast else tx.outbox_first(channel, row.address, row.place, now_ms)
            )
            if first is not None:
                found.setdefault(first.id, first)
    return QueueScan(list(found.values()), end)


def rests(tx: Tx, channels: Iterable[str]) -> dict[str, ChannelPause]:
    """The pauses of these channels, as they are written down."""
    found = ((name, tx.get(Meta, _ROW + name)) for name in channels)
    return {name: ChannelPause(*json.loads(row.value)) for name, row in found if row is not None}


def save_pause(tx: Tx, channel: str, rest: ChannelPause | None) -> None:
    """A channel's pause, or that it is over."""
    if rest is None:
        tx.drop(Meta, name=_ROW + channel)
    else:
        tx.put(Meta, name=_ROW + channel, value=json.dumps(rest, ensure_ascii=False))


def backoff_ms(tries: int) -> int:
    """1 s, 2 s, 4 s … at most ten minutes."""
    return int(min(1000 * 2 ** min(max(0, tries - 1), 20), 600_000))


def shell(row: Outbox) -> Letter:
    """Enough of a letter for the limits to count it."""
    return Letter(
        id=str(row.id),
        channel=row.channel,
        text="",
        address=row.address or None,
        place=row.place or None,
        callback="toast" if traits(row.kind).toast else "",
    )


@dataclass
class ChannelQueue:
    """What this process knows of one channel.  `running` are the letters under way, by chat."""

    adapter: Adapter
    rest: ChannelPause | None = None
    window: int = FIRST
    busy: set[Chat] = field(default_factory=set)
    end: tuple[int, LetterId] | None = None
    making: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(MAKING))
    _trouble: dict[Chat, AddressBackoff] = field(default_factory=dict)
    _arrived: int = 0
    #: of these, whose trouble may be the channel's
    _unclear: set[Chat] = field(default_factory=set)
    _put_off: set[Chat] = field(default_factory=set)

    @property
    def name(self) -> str:
        """The channel's."""
        return self.adapter.name

    def resting(self, now_ms: int) -> bool:
        """Whether the channel has its pause.

        One that would last longer than any does was begun before the clock was set back.
        """
        return self.rest is not None and 0 < self.rest.until_ms - now_ms <= LONGEST_MS

    def wait_ms(self, now_ms: int) -> int:
        """How long nothing goes there at all; 0: letters may be looked for."""
        if self.rest is not None and self.resting(now_ms):
            return self.rest.until_ms - now_ms
        limits = self.adapter.limits
        # asked with each look for letters: `isinstance` of a protocol costs more than the rest of that look
        return max(0, cast(Paced, limits).rest_ms(now_ms)) if hasattr(limits, "rest_ms") else 0

    @property
    def full(self) -> bool:
        """Whether as many letters are under way as may be: one, while nobody knows whether the wire is
        back.
        """
        return len(self.busy) >= (self.window if self.rest is None else 1)

    def held(self, now_ms: int) -> frozenset[Chat]:
        """Chats to which nothing goes now."""
        old = now_ms - LONGEST_MS
        self._trouble = {one: it for one, it in self._trouble.items() if it.until_ms > old}
        self._unclear &= self._trouble.keys()
        return frozenset(self._held(now_ms)) | self.busy

    def _held(self, now_ms: int) -> dict[Chat, int]:
        """Chats that are held back, and for how long, ms (see `resting` for a clock that was set back)."""
        left = {one: it.until_ms - now_ms for one, it in self._trouble.items()}
        return {one: wait for one, wait in left.items() if 0 < wait <= HELD_MS}

    def chosen(self, found: QueueScan, now_ms: int) -> tuple[list[Outbox], int]:
        """The letters that go now, the urgent first; and how long (ms, 0 for nobody) the first of those waits
        that may not go yet.
        """
        rows = sorted(found.rows, key=lambda row: (not traits(row.kind).urgent, row.id))
        if self.rest is not None and rows:  # each try with another letter
            turn = self.rest.tries % len(rows)
            rows = rows[turn:] + rows[:turn]
        went: list[Outbox] = []
        wait, stopped, passed = 0, False, set(self.held(now_ms))
        for row in rows:
            where = chat(row)
            if where in passed:
                continue
            stopped = self.full or bool(went and self.wait_ms(now_ms))
            if stopped:
                break
            passed.add(where)
            delay = self.adapter.limits.delay_ms(shell(row), now_ms)
            if delay > 0:
                wait = min(wait or delay, delay)
            else:
                self.busy.add(where)
                went.append(row)
        if not stopped:  # what was seen and may not go is passed by
            self.end = found.end
        soonest = min(self._held(now_ms).values(), default=0)
        return went, min(wait or soonest, soonest or wait)

    def judge(self, row: Outbox, receipt: Receipt, now_ms: int) -> ChannelPause | None:
        """What a letter's fate says about the channel: its pause from now on.

        Holds back the letter's chat where it is about that.
        """
        where, silent = chat(row), receipt.fate in (Fate.LATER, Fate.UNKNOWN)
        if not silent or receipt.whole is False:  # the wire answers
            self._put_off.clear()
            self.rest, self.window = None, min(MOST, self.window + 1)
        if not silent:
            self._trouble.pop(where, None)
            if receipt.fate is Fate.SENT:
                self._arrival(now_ms)
            return None
        if receipt.whole is None and not traits(row.kind).toast:
            self._put_off.add(where)
        if receipt.whole or (
            receipt.whole is None and (self.rest is not None or len(self._put_off) >= ADDRESSES)
        ):
            return self._pause(receipt, now_ms)
        # what comes again keeps its place
        if receipt.fate is Fate.LATER or receipt.again or self.adapter.idempotent:
            self._hold(where, receipt, now_ms)
        return None

    def _pause(self, receipt: Receipt, now_ms: int) -> ChannelPause:
        if self.rest is not None and self.resting(now_ms):
            return self.rest  # one of several that were under way when it began
        since, tries = (now_ms, 1) if self.rest is None else (self.rest.since_ms, self.rest.tries + 1)
        pause = min(max(receipt.retry_ms, min(backoff_ms(tries), SOON_MS)), LONGEST_MS)
        told = self.rest is not None and self.rest.told
        self.rest, self.window = ChannelPause(since, now_ms + pause, tries, receipt.detail[:200], told), FIRST
        self._put_off.clear()
        return self.rest

    def shared(self, row: Outbox) -> bool:
        """Whether what put a letter off may be the channel's trouble, which the next that arrives ends."""
        return chat(row) in self._unclear

    def alarming(self, now_ms: int) -> bool:
        """Whether it is time that an admin hears of the pause; once in each."""
        if self.rest is None or self.rest.told or now_ms - self.rest.since_ms < LONG_MS:
            return False
        self.rest = self.rest._replace(told=True)
        return True

    def again(self, rest: ChannelPause | None) -> None:
        """Begin with what is written down, which may be long ago: one letter tries at once."""
        self.rest = None if rest is None else rest._replace(until_ms=0)
        self.end = None

    def _hold(self, where: Chat, receipt: Receipt, now_ms: int) -> None:
        """Hold an address back, for as long as the wire says; where it says nothing, longer each time."""
        last = self._trouble.get(where, AddressBackoff(0, 0, self._arrived, 0))
        tries = last.tries + 1
        if where not in self._trouble and len(self._trouble) >= _KEPT:
            return
        own = last.own + (self._arrived > last.arrived)
        until = now_ms + min(receipt.retry_ms or backoff_ms(tries), HELD_MS)
        self._trouble[where] = AddressBackoff(tries, own, self._arrived, until)
        if receipt.whole is None and not receipt.retry_ms and own < _OWN:
            self._unclear.add(where)
        else:
            self._unclear.discard(where)

    def _arrival(self, now_ms: int) -> None:
        """Somebody has got a letter: addresses that seemed to be away may only have shared the channel's
        trouble.
        """
        self._arrived += 1
        for where in self._unclear & self._trouble.keys():
            one = self._trouble[where]
            self._trouble[where] = one._replace(until_ms=min(one.until_ms, now_ms))
        self._unclear.clear()
