"""Raw updates to the reception: read, written down, and only then acknowledged."""
from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Any

from referee.ports import Inbound, Reception

from .inbound import NAME, read
from .presses import Presses
from .wire import Wire

log = logging.getLogger(__name__)


class Intake:
    """Brings updates in."""

    def __init__(self, wire: Wire, reception: Reception, presses: Presses, clock_ms: Callable[[], int]) -> None:
        self._wire = wire
        self._reception = reception
        self._presses = presses
        self._clock = clock_ms

    async def take(self, raw: Sequence[dict[str, Any]], cursor: dict[str, str] | None = None) -> None:
        """Bring `raw` updates and the bookmarks in `cursor` to the reception.  Returning means: on disk, may be acknowledged.
        Raises OSError when nothing could be written."""
        username = await self._wire.meet()
        read_ones = [self._read(one, username) for one in raw]
        batch = [one for one in read_ones if one is not None]
        if batch or cursor:
            await self._reception.receive(batch, channel=NAME, cursor=cursor)
        self._presses.note(batch)

    async def bookmark(self, name: str) -> str | None:
        return await self._reception.bookmark(NAME, name)

    def _read(self, raw: dict[str, Any], username: str) -> Inbound | None:
        from telegram import Update

        try:
            update = Update.de_json(raw, self._wire.bot)
            return read(update, username, self._clock())
        except (TypeError, KeyError, ValueError, AttributeError, OverflowError) as error:
            # one update of a shape the library does not know must not block all that follow it
            log.error("update %s can't be read and is passed over: %s", raw.get("update_id"), type(error).__name__)
            return None
