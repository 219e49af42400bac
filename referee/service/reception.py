"""The reception: whatever arrives is written down before anything else happens, then worked off in order."""
from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress

import msgspec

from referee.ports import Inbound
from referee.rules import Refusal, SetupError
from referee.store import Bookmark, Inbox, Store, StoreFull, Tx
from referee.text import Words

from . import desk
from .alarm import Alarm
from .sitting import ServiceSettings, Sitting, States

log = logging.getLogger(__name__)
_BATCH = 64
_LOOK_S = 3.0


class Reception:
    """Takes what adapters bring, and works the inbox off."""

    def __init__(self, store: Store, words: Words, settings: ServiceSettings, clock_ms: Callable[[], int], states: States,
                 woke: Callable[[Sitting], None], alarm: Alarm) -> None:
        self._store, self._words, self._settings, self._clock_ms, self._states = store, words, settings, clock_ms, states
        self._woke, self._alarm = woke, alarm
        self._bell = asyncio.Event()
        self._even = False                           # nothing older waits: what arrives may be handled in the same breath

    async def receive(self, batch: Sequence[Inbound], *, channel: str, cursor: dict[str, str] | None = None) -> None:
        """Write a batch and the channel's bookmarks; returning means that they are on disk.

        A single message is handled right behind its arrival, so that one commit does for both; what it leads to has
        its own savepoint and can't take the arrival with it."""
        fresh: list[int] = []

        def keep(tx: Tx) -> None:
            for one in batch:
                number = tx.add_new(Inbox, channel=one.channel, key=one.key, body=msgspec.json.encode(one), at_ms=one.at_ms or self._clock_ms())
                if number is not None:
                    fresh.append(number)
            for name, value in (cursor or {}).items():
                tx.put(Bookmark, channel=channel, name=name, value=value)

        at_once = len(batch) == 1 and self._even
        jobs = [asyncio.ensure_future(self._store.write(keep))]
        if at_once:
            jobs.append(asyncio.ensure_future(self._handle(fresh)))
        kept, *handled = await asyncio.gather(*jobs, return_exceptions=True)
        if isinstance(kept, StoreFull):
            self._alarm.disk_full(kept)
        if isinstance(kept, BaseException):
            raise kept
        if batch and (not at_once or isinstance(handled[0], BaseException)):
            self._even = False
            self._bell.set()

    async def bookmark(self, channel: str, name: str) -> str | None:
        """Where the channel stopped reading."""
        row = await self._store.read(lambda tx: tx.one(Bookmark, channel=channel, name=name))
        return None if row is None else row.value

    def wake(self) -> None:
        """Look into the inbox."""
        self._bell.set()

    async def run(self) -> None:
        """Work the inbox off for ever, oldest first.  It is looked into now and then also when nobody rings: an admin
        may have put a message back."""
        self._bell.set()
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._bell.wait(), _LOOK_S)
            self._bell.clear()
            try:
                while await self.round():
                    pass
            except StoreFull as full:
                self._alarm.disk_full(full)
                await asyncio.sleep(1)
                self._bell.set()

    async def round(self) -> int:
        """Handle up to 64 waiting messages.  Returns how many there were."""
        rows = await self._store.read(lambda tx: tx.inbox_new(_BATCH))
        self._even = not rows
        done = await asyncio.gather(*(self._handle([int(row.id or 0)]) for row in rows), return_exceptions=True)
        for outcome in done:
            if isinstance(outcome, BaseException):
                raise outcome
        return len(rows)

    async def _handle(self, ids: list[int]) -> None:
        """Handle one inbox row; `ids` holds its number by the time the store comes to it (nothing: it was known already)."""

        def work(tx: Tx) -> Sitting | None:
            if not ids:
                return None
            sitting = self._sitting(tx)
            desk.handle(sitting, ids[0])
            return sitting

        try:
            sitting = await self._store.write(work)
        except StoreFull:
            raise
        except (Refusal, SetupError) as no:
            refused = no

            def decline(tx: Tx) -> Sitting:
                sitting = self._sitting(tx)
                desk.decline(sitting, ids[0], refused)
                return sitting

            sitting = await self._store.write(decline)
        except Exception as broken:                   # ours, not the player's: rolled back, counted, set aside in the end
            log.exception("message %s could not be handled", ids[0])
            why = f"{type(broken).__name__}: {broken}"

            def note(tx: Tx) -> Sitting:
                sitting = self._sitting(tx)
                desk.failed(sitting, ids[0], why)
                return sitting

            sitting = await self._store.write(note)
            self._even = False                       # it will be tried again, before anything younger
            self._bell.set()
        if sitting is not None:
            log.info("message handled", extra={"inbox": ids[0], **sitting.about})
            self._woke(sitting)

    def _sitting(self, tx: Tx) -> Sitting:
        return Sitting(tx, self._clock_ms(), self._words, self._settings, self._states)
