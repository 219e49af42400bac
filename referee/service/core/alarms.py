"""Telling the admin of what can't be written down: a full disk takes the outbox with it, and so does a
database server that is away.

Such a letter goes straight to the wires, at most once an hour; everything else is an alert in the store.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from referee.ports import Adapter, Letter
from referee.store import StoreFull
from referee.text import Words

from .counters import Tally
from .settings import ServiceSettings

log = logging.getLogger(__name__)
T = TypeVar("T")
_HOUR_MS = 3_600_000
#: a store's reason -> what the admin is told; all else is a full disk
_CODES = {"away": "database-away", "busy": "database-busy"}


class Alarm:
    """`disk_full` may be called for every failed write; it speaks once an hour.

    `is_open` tells whether a channel is open here: where it is at another process, that one tells.
    """

    def __init__(
        self,
        words: Words,
        adapters: Sequence[Adapter],
        settings: ServiceSettings,
        clock_ms: Callable[[], int],
        is_open: Callable[[str], bool],
    ) -> None:
        self._words, self._settings, self._clock_ms, self._is_open = words, settings, clock_ms, is_open
        self._adapters = {adapter.name: adapter for adapter in adapters}
        self._spoke_ms = -_HOUR_MS
        self.tally = Tally()
        self._running: set[asyncio.Task[None]] = set()

    async def until_written(self, job: Callable[[], Awaitable[T]]) -> T:
        """Do that, and again each second where nothing can be written, however long that takes."""
        while True:
            try:
                return await job()
            except StoreFull as full:
                self.disk_full(full)
                await asyncio.sleep(1)

    def disk_full(self, error: StoreFull) -> None:
        """Nothing could be written.  Messages are refused until that works again; nothing is lost."""
        now = self._clock_ms()
        self.tally.disk_full(now)
        log.error("nothing can be written: %s", error)
        if now - self._spoke_ms < _HOUR_MS:
            return
        self._spoke_ms = now
        code = _CODES.get(error.reason, "disk-full")
        for channel, address in self._settings.admins:
            adapter = self._adapters.get(channel)
            if adapter is not None and self._is_open(channel):
                task = asyncio.create_task(self._speak(adapter, channel, address, code, str(error), now))
                self._running.add(task)
                task.add_done_callback(self._running.discard)

    async def _speak(
        self, adapter: Adapter, channel: str, address: str, code: str, why: str, now: int
    ) -> None:
        said = self._words.letter(
            "alert",
            self._words.language(self._settings.language),
            adapter.markup,
            {"now_ms": now, "code": code, "facts": {"why": why}},
        )
        receipt = await adapter.send(
            Letter(
                id=f"{code}-{now}",
                channel=channel,
                address=address,
                text=said.text,
                markup=said.markup,
                subject=said.subject,
            )
        )
        log.info(
            "the admin was told that nothing can be written: %s",
            receipt.fate,
            extra={"channel": channel, "code": code},
        )
