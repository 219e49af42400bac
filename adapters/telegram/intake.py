"""Raw updates to the reception: read, written down, and only then acknowledged."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Sequence
from typing import Any

from referee.ports import Inbound, Reception, bring, reading, unread

from .bot_connection import BotConnection
from .button_presses import ButtonPresses
from .inbound import NAME, read
from .long_letters import LongLetters

log = logging.getLogger(__name__)


class Intake:
    """Brings updates in."""

    def __init__(
        self,
        wire: BotConnection,
        reception: Reception,
        presses: ButtonPresses,
        clock_ms: Callable[[], int],
        long: LongLetters,
    ) -> None:
        self._long = long
        self._wire = wire
        self._reception = reception
        self._presses = presses
        self._clock = clock_ms

    async def take(self, raw: Sequence[Any], cursor: dict[str, str] | None = None) -> None:
        """Bring `raw` updates and the bookmarks in `cursor` to the reception.

        Returning means: on disk, may be acknowledged. Raises OSError when nothing could be written.
        """
        username = await self._wire.meet()
        read_ones = [self._read(one, username) for one in raw]
        batch = [self._long.answered(one) for one in read_ones if one is not None]
        fresh = self._presses.without_repeats(batch)
        await bring(self._reception, fresh, channel=NAME, cursor=cursor)
        self._presses.note(batch, fresh)

    async def bookmark(self, name: str) -> str | None:
        return await self._reception.bookmark(NAME, name)

    def _read(self, raw: Any, username: str) -> Inbound | None:
        """One update; one of a shape that nobody knows must not block all that follow it, nor one that
        processes died of.
        """
        number = str(update_id(raw) or "")
        why = "update killed the process"
        with reading(self._reception, NAME, number) as may:
            if may:
                try:
                    return understood(raw, self._wire, username, self._clock())
                except Exception as broken:  # the library meets what strangers wrote
                    log.error("update %s can't be read and is passed over: %s", number, type(broken).__name__)
                    why = f"update {type(broken).__name__}"
        return unread(
            NAME,
            json.dumps(raw, default=repr).encode(errors="replace"),
            ref=number,
            reason=why,
            at_ms=self._clock(),
        )


def understood(raw: Any, wire: BotConnection, username: str, now_ms: int) -> Inbound | None:
    """What an update says, as the wire told it.

    Raises whatever the library does of what it does not know.
    """
    from telegram import Update

    if not isinstance(raw, dict) or not update_id(raw):
        raise ValueError("no update")
    return read(Update.de_json(raw, wire.bot), username, now_ms)


def update_id(raw: Any) -> int | None:
    """The number of an update; None for one that has none, or one that no update has."""
    found = raw.get("update_id") if isinstance(raw, dict) else None
    return found if isinstance(found, int) and not isinstance(found, bool) and 0 < found < 2**53 else None
