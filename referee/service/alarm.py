"""Telling the admin of what can't be written down: a full disk takes the outbox with it.

Such a letter goes straight to the wires, at most once an hour; everything else is an alert in the store.
"""
from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence

from referee.ports import Adapter, Letter
from referee.text import Words

from .sitting import ServiceSettings
from .tally import Tally

log = logging.getLogger(__name__)
_HOUR_MS = 3_600_000


class Alarm:
    """`disk_full` may be called for every failed write; it speaks once an hour."""

    def __init__(self, words: Words, adapters: Sequence[Adapter], settings: ServiceSettings, clock_ms: Callable[[], int]) -> None:
        self._words, self._settings, self._clock_ms = words, settings, clock_ms
        self._adapters = {adapter.name: adapter for adapter in adapters}
        self._spoke_ms = -_HOUR_MS
        self.tally = Tally()
        self._running: set[asyncio.Task[None]] = set()

    def disk_full(self, error: OSError) -> None:
        """Nothing could be written.  Messages are refused until there is room again; nothing is lost."""
        now = self._clock_ms()
        self.tally.disk_full(now)
        log.error("nothing can be written: %s", error)
        if now - self._spoke_ms < _HOUR_MS:
            return
        self._spoke_ms = now
        for channel, address in self._settings.admins:
            adapter = self._adapters.get(channel)
            if adapter is not None:
                task = asyncio.create_task(self._speak(adapter, channel, address, str(error), now))
                self._running.add(task)
                task.add_done_callback(self._running.discard)

    async def _speak(self, adapter: Adapter, channel: str, address: str, why: str, now: int) -> None:
        said = self._words.letter("alert", self._words.language(self._settings.language), adapter.markup, {"now_ms": now, "code": "disk-full", "facts": {"why": why}})
        receipt = await adapter.send(Letter(id=f"disk-full-{now}", channel=channel, address=address, text=said.text,
                                            markup=said.markup, subject=said.subject))
        log.info("the admin was told of the full disk: %s", receipt.fate, extra={"channel": channel})
