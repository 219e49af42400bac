"""The post: letters leave in order, each frozen before it is first sent, each with a known fate.

    queued -> sending -> sent | failed | unknown | queued again (later) | dropped (pointless by now)

Composing happens on a reader's connection; the row is frozen in a transaction of its own before the
wire sees it.  After a crash a letter found in `sending` is sent again word for word where the wire
recognises it (Matrix, mail), and counts as unknown where it does not (Telegram).
"""
from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

import msgspec

from referee.ports import Adapter, Fate, Letter, Receipt
from referee.store import Game, Outbox, Store, StoreFull, Tx
from referee.text import Words

from . import digest, hours, letters, notices, rooms, tokens
from .alarm import Alarm
from .compose import Composed, Desk, compose
from .delivered import failed, second_chance, told
from .doors import Doors
from .easel import Easel
from .replies import alert
from .sitting import ServiceSettings, Sitting, States

log = logging.getLogger(__name__)
_BATCH = 100
_AWHILE = 2_000                                      # the longest that a letter stands aside in a crowded queue, ms
_GATHER = 0.01                                       # seconds in which bells count as one: a burst of letters is looked through once
_HELD = 5.0                                          # seconds for which the post may be held, see `Post.hold`
_PATIENCE = 12                                       # tries before a letter that always fails softly is given up
_LARGE = 40_000                                      # a letter longer than this, as it is frozen, does not keep its files once it was sent
_FIRST = ("toast", "prompt", "echo_elsewhere", "notice", "muster", "over", "reminder")


class Post:
    """Takes what is due out of the outbox and hands it to the adapters."""

    def __init__(self, store: Store, words: Words, adapters: Sequence[Adapter], settings: ServiceSettings,
                 clock_ms: Callable[[], int], alarm: Alarm, doors: Doors) -> None:
        self._store, self._words, self._settings, self._clock_ms, self._doors = store, words, settings, clock_ms, doors
        self._adapters = {adapter.name: adapter for adapter in adapters}
        self._alarm = alarm
        self._states = States()                      # a reader's own copies: the desk's belong to the writer's thread
        self._bell = asyncio.Event()
        self._free = asyncio.Event()                 # set: nothing that is more urgent than letters is under way
        self._free.set()
        self._busy: set[tuple[str, str]] = set()
        self._sending: set[int] = set()              # rows that are on the wire, or were and could not be written down yet
        self._running: set[asyncio.Task[None]] = set()
        self._key = b""
        self._easel = Easel()

    def wake(self) -> None:
        """Something was queued."""
        self._bell.set()

    def hold(self, urgent: bool) -> None:
        """Leave the machine to a backlog of deadlines, for five seconds at most; letters that wait meanwhile fold."""
        if urgent:
            self._free.clear()
        else:
            self._free.set()

    async def recover(self) -> None:
        """Be ready to send; where all channels are ours, settle what a crash left half sent."""
        self._key = await self._store.write(tokens.secret)
        if not self._doors.shared:
            await self.settle(None)

    async def settle(self, channel: str | None) -> None:
        """Settle what a crash left half sent in a channel (None: in any), whoever had it then."""
        again = tuple(name for name, a in self._adapters.items() if a.idempotent)

        def settle(tx: Tx) -> None:
            for row in tx.all(Outbox, state="sending") if channel is None else tx.all(Outbox, state="sending", channel=channel):
                if row.id in self._sending:
                    continue                          # what becomes of it we shall know ourselves
                if row.channel in again:
                    requeue(tx, row)
                else:
                    tx.set(Outbox, row.id, state="unknown")
                    second_chance(self._sitting(tx), row)

        await self._store.write(settle)

    async def run(self) -> None:
        """Send for ever."""
        while True:
            if not self._free.is_set():
                with suppress(TimeoutError):
                    async with asyncio.timeout(_HELD):
                        await self._free.wait()
            self._bell.clear()
            try:
                pause = await self.round()
            except StoreFull as full:                 # a server that is away can't be read from, either
                self._alarm.disk_full(full)
                pause = 1.0
            try:
                async with asyncio.timeout(pause):
                    await self._bell.wait()
            except TimeoutError:
                continue
            await asyncio.sleep(_GATHER)

    @property
    def in_hand(self) -> tuple[asyncio.Task[None], ...]:
        """The letters that are being made and sent at this moment."""
        return tuple(self._running)

    async def round(self) -> float:
        """Start sending everything that may go now.  Returns seconds until there is more to do."""
        now, ours = self._clock_ms(), self._doors.channels()
        due = await self._store.read(lambda tx: tx.outbox_due(now, _BATCH, ours))
        due.sort(key=lambda row: (row.kind not in _FIRST, row.id or 0))
        pause = 5.0
        stray = [row for row in due if row.channel not in self._adapters]
        if stray:                                     # else a hundred letters to a channel that is off would hold up all others
            try:
                await self._store.write(partial(aside, rows=stray, now_ms=now))
                self._bell.set()
            except StoreFull as full:
                self._alarm.disk_full(full)
        held: list[tuple[Outbox, int]] = []
        for row in due:
            # a toast answers a pressed button: it waits for nobody and nobody waits for it
            where = (row.channel, row.address or row.place if row.kind != "toast" else f"toast {row.id}")
            adapter = self._adapters.get(row.channel)
            if adapter is None or where in self._busy:
                continue
            wait = adapter.limits.delay_ms(shell(row), now)
            if wait > 0:
                pause = min(pause, wait / 1000)
                held.append((row, min(wait, _AWHILE)))
                continue
            self._busy.add(where)
            task = asyncio.create_task(self._deliver(adapter, row, where))
            self._running.add(task)
            task.add_done_callback(self._running.discard)
        if len(due) == _BATCH and held:               # a full batch may hide others behind those that must wait
            await self._store.write(partial(wait_for, held=held, now_ms=now))
            self._bell.set()
        upcoming = await self._store.read(lambda tx: tx.next_outbox_ms(ours))
        if upcoming is not None and upcoming > now:
            pause = min(pause, (upcoming - now) / 1000)
        return max(pause, 0.01)

    async def stop(self) -> None:
        """Let what is under way end, for at most two seconds."""
        if self._running:
            await asyncio.wait(self._running, timeout=2)
        for task in self._running:
            task.cancel()
        self._easel.close()

    async def _deliver(self, adapter: Adapter, row: Outbox, where: tuple[str, str]) -> None:
        try:
            letter = await self._freeze(adapter, row)
            if letter is not None and self._doors.held(row.channel):      # else whoever has the channel by now settles it
                self._sending.add(int(row.id or 0))
                await self._recorded(row, await adapter.send(letter))
        except StoreFull as full:
            self._alarm.disk_full(full)
            await asyncio.sleep(1)
        except Exception:                             # a letter that can't be written must not stop the post: it is set aside
            log.exception("letter %s could not be made or sent", row.id)
            await self._store.write(lambda tx: self._broken(tx, row))
        finally:
            self._sending.discard(int(row.id or 0))
            self._busy.discard(where)
            self._bell.set()

    async def _recorded(self, row: Outbox, receipt: Receipt) -> None:
        """Write down what became of a letter; it has happened, so a full disk only delays this."""
        while True:
            try:
                await self._store.write(lambda tx: self.record(tx, row, receipt))
                self._alarm.tally.letter(row.channel, receipt.fate)
                log.info("letter %s %s", row.id, receipt.fate, extra={"game": row.game_id, "seat": row.seat, "channel": row.channel,
                                                                     "kind": row.kind, "reason": receipt.reason,
                                                                     "wire": tokens.wire(self._key, int(row.id or 0))})  # as adapters' lines name it
                return
            except StoreFull as full:
                self._alarm.disk_full(full)
                await asyncio.sleep(1)

    async def _freeze(self, adapter: Adapter, row: Outbox) -> Letter | None:
        """The letter as it will be sent now and at every retry; None when it was dropped."""
        assert row.id is not None
        now = self._clock_ms()
        if row.expires_ms and row.expires_ms < now:
            await self._store.write(lambda tx: tx.change(Outbox, {"id": row.id, "state": "queued", "expires_ms": row.expires_ms}, **expired(row)))
            return None
        if row.letter:
            letter = await self._easel.drawn(thawed(row.letter))
            return letter if await self._store.write(partial(take_again, row=row)) else None

        def make(tx: Tx) -> tuple[Outbox | None, Composed | notices.Withheld | list[Outbox] | None]:
            fresh = tx.get(Outbox, row.id or 0)
            if fresh is None or fresh.state != "queued":
                return None, None
            said = notices.look(tx, now, fresh)
            if said is not None and said is not notices.SILENT:
                return fresh, said
            together = digest.held(tx, fresh, now)
            if together:
                return fresh, together
            return fresh, compose(Desk(tx, now, self._words, self._settings, self._states, adapter.markup, adapter.rewrites, self._key, said is not None, self._settings.language), fresh)

        fresh, made = await self._store.read(make, patient=True)
        if fresh is None:
            return None
        seen = {"id": fresh.id, "state": "queued", "data": fresh.data, "question": fresh.question, "expires_ms": fresh.expires_ms}
        if isinstance(made, notices.Withheld):
            await self._store.write(partial(notices.withhold, seen=seen, row=fresh, said=made))
            return None
        if isinstance(made, list):
            await self._store.write(partial(self._gather, rows=made))
            return None
        if made is None:
            await self._store.write(lambda tx: tx.change(Outbox, seen, state="dropped", error="pointless by now"))
            return None
        shown = await self._easel.drawn(made.letter)
        # files are kept as they go; a picture as it is drawn from, ten times smaller: the same gives the same again
        text = frozen(replace(shown, picture=made.letter.picture))
        data = json.dumps({**json.loads(fresh.data), "since": made.since, **({"seats": made.seats} if made.seats else {}),
                            **({"taught": made.lessons} if made.lessons else {})}, ensure_ascii=False)
        values = {"state": "sending", "letter": text, "data": data, "upto": made.upto,
                  "question": made.question or fresh.question, "tries": fresh.tries + 1}
        taken = await self._store.write(partial(take, seen=seen, row=fresh, question=made.question, values=values))
        return shown if taken else None         # not taken: the game has moved on meanwhile, it is worded anew

    def _gather(self, tx: Tx, rows: list[Outbox]) -> None:
        digest.gather(self._sitting(tx), rows)

    def _sitting(self, tx: Tx) -> Sitting:
        return Sitting(tx, self._clock_ms(), self._words, self._settings, self._states)

    def record(self, tx: Tx, row: Outbox, receipt: Receipt) -> None:
        """What became of it, and what follows from that."""
        assert row.id is not None
        now = self._clock_ms()
        fresh = tx.get(Outbox, row.id)
        if fresh is None or fresh.state != "sending" or fresh.tries > row.tries + 1:
            return                                    # settled by whoever had the channel after us, and perhaps sent again
        match receipt.fate:
            case Fate.SENT:
                tx.set(Outbox, row.id, state="sent", wire_id=receipt.wire_id, sent_ms=now, error="")
                told(tx, fresh, receipt)
                if fresh.kind == "prompt" and fresh.question and now - notices.left_ms(fresh) > hours.AT_ONCE_MS:
                    game = tx.get(Game, fresh.game_id)
                    if game is not None and game.status == "running" and str(fresh.seat) in game.asked.split(","):
                        hours.delivered(self._sitting(tx), game, int(fresh.seat or 0))
            case Fate.LATER:
                self._later(tx, fresh, receipt, now)
            case Fate.UNKNOWN:
                tx.set(Outbox, row.id, state="unknown", error=receipt.detail[:300])
                if self._adapters[row.channel].idempotent:
                    requeue(tx, fresh, now + backoff_ms(fresh.tries))
                else:
                    second_chance(self._sitting(tx), fresh)
            case Fate.MOVED:
                rooms.moved(self._sitting(tx), row.channel, row.place, receipt.moved_to)
                tx.set(Outbox, row.id, place=receipt.moved_to)
                release(tx, fresh, now)
            case Fate.FAILED:
                tx.set(Outbox, row.id, state="failed", error=f"{receipt.reason}: {receipt.detail}"[:300])
                failed(self._sitting(tx), fresh, receipt)
        if row.kind in letters.SECRET and receipt.fate in (Fate.SENT, Fate.FAILED):
            tx.set(Outbox, row.id, data="{}", letter=frozen(replace(thawed(fresh.letter), text="", markup="")))
        elif receipt.fate in (Fate.SENT, Fate.FAILED) or (receipt.fate is Fate.UNKNOWN and not self._adapters[row.channel].idempotent):
            light = lightened(fresh.letter)
            if light != fresh.letter:
                tx.set(Outbox, row.id, letter=light)

    def _later(self, tx: Tx, row: Outbox, receipt: Receipt, now: int) -> None:
        """Certainly not delivered: back into the queue, to be worded anew when its time comes."""
        wait = receipt.retry_ms or backoff_ms(row.tries)
        if not receipt.retry_ms and row.tries >= _PATIENCE and row.expires_ms < now:
            tx.set(Outbox, row.id, state="failed", error=receipt.detail[:300])
            return
        release(tx, row, now + wait)

    def _broken(self, tx: Tx, row: Outbox) -> None:
        fresh = tx.get(Outbox, row.id or 0)
        if fresh is not None and fresh.state in ("queued", "sending"):
            tx.set(Outbox, row.id, state="failed", error="could not be written: see the log")
            alert(self._sitting(tx), "letter-broken", letter=row.id, kind=row.kind)


def stands(tx: Tx, row: Outbox, question: int) -> bool:
    """Whether this question still waits for the row's seat; a letter that asks nothing always stands."""
    if not question or row.game_id is None:
        return True
    game = tx.get(Game, row.game_id)
    return game is not None and game.question == question and str(row.seat) in game.asked.split(",")


def take(tx: Tx, seen: dict[str, Any], row: Outbox, question: int, values: dict[str, Any]) -> bool:
    """Claim a letter just worded, if nothing it was made from has changed since."""
    return stands(tx, row, question) and tx.claim(Outbox, seen, **values) > 0


def take_again(tx: Tx, row: Outbox) -> bool:
    """Claim a letter whose words are frozen already, unless its question has gone: then it stays as it is, perhaps arrived."""
    if row.kind in letters.ASKING and not stands(tx, row, row.question):
        tx.change(Outbox, {"id": row.id, "state": "queued"}, state="dropped", error="its question is gone; it may have arrived before")
        return False
    return tx.claim(Outbox, {"id": row.id, "state": "queued"}, state="sending", tries=row.tries + 1) > 0


def wait_for(tx: Tx, held: list[tuple[Outbox, int]], now_ms: int) -> None:
    """Letters that their channel does not take yet stand aside, so that they don't hide the others in the queue."""
    for row, wait in held:
        tx.change(Outbox, {"id": row.id, "state": "queued", "not_before_ms": row.not_before_ms}, not_before_ms=now_ms + wait)


def shell(row: Outbox) -> Letter:
    """Enough of a letter for the limits to count it."""
    return Letter(id=str(row.id), channel=row.channel, text="", address=row.address or None, place=row.place or None,
                  callback="toast" if row.kind == "toast" else "")


def expired(row: Outbox) -> dict[str, str]:
    """What becomes of a letter whose time has run out; one that was sent before may have arrived."""
    return {"state": "unknown" if row.letter else "dropped", "error": "expired", **({"letter": lightened(row.letter)} if row.letter else {})}


def aside(tx: Tx, rows: Sequence[Outbox], now_ms: int) -> None:
    """Letters to a channel that is off wait five minutes at a time, until they expire."""
    for row in rows:
        changes: dict[str, Any] = expired(row) if row.expires_ms and row.expires_ms < now_ms else {"not_before_ms": now_ms + 300_000}
        tx.change(Outbox, {"id": row.id, "state": "queued"}, **changes)


def backoff_ms(tries: int) -> int:
    """1 s, 2 s, 4 s … at most ten minutes."""
    return int(min(1000 * 2 ** max(0, tries - 1), 600_000))


def frozen(letter: Letter) -> str:
    """A letter as the outbox keeps it."""
    return msgspec.json.encode(letter).decode()


def thawed(text: str) -> Letter:
    """A kept letter, word for word."""
    return msgspec.json.decode(text.encode(), type=Letter)


def lightened(text: str) -> str:
    """A kept letter that these words are not sent with again, without its picture, and without files where they are large: whoever has got
    them keeps them."""
    large = len(text) > _LARGE and '"attachments":[{' in text
    if not large and '"picture":{' not in text:
        return text
    kept = thawed(text)
    return frozen(replace(kept, picture=None, attachments=() if large else kept.attachments))


def requeue(tx: Tx, row: Outbox, at_ms: int = 0) -> None:
    """Send the same words again.  Where a newer letter of that name waits, this one keeps out of its way."""
    tx.set(Outbox, row.id, state="queued", collapse="", not_before_ms=at_ms)


def release(tx: Tx, row: Outbox, at_ms: int) -> None:
    """Back into the queue, unworded; folded into a newer letter of the same name if there is one."""
    newer = tx.one(Outbox, collapse=row.collapse, state="queued") if row.collapse else None
    if newer is not None:
        both = letters.fold(json.loads(row.data), json.loads(newer.data))
        tx.set(Outbox, newer.id, data=json.dumps(both, ensure_ascii=False))
        tx.set(Outbox, row.id, state="dropped", error="a newer letter took its place")
    else:
        tx.set(Outbox, row.id, state="queued", letter="", not_before_ms=at_ms)
