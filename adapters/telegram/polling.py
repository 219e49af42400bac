"""Asking Telegram for updates, in our own loop.

The offset of a question acknowledges everything before it, so it moves only after the batch is on
disk, and it is on disk with it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from .bot_connection import KINDS, BotConnection
from .intake import Intake, update_id
from .settings import Settings

# Telegram keeps updates for a day, and after a quiet week numbers them anew, perhaps lower: an older
# offset protects from nothing and would throw the new ones away
OFFSET_LIFE_MS = 24 * 3_600_000
READING_S = 10.0
log = logging.getLogger(__name__)


class Poller:
    """One question after the other; `turn` is one."""

    def __init__(
        self, settings: Settings, wire: BotConnection, intake: Intake, clock_ms: Callable[[], int]
    ) -> None:
        self._settings = settings
        self._wire = wire
        self._intake = intake
        self._clock = clock_ms
        self._offset: int | None = None
        self._at = 0
        self._remembered = False

    async def prepare(self) -> None:
        """Take the webhook away: Telegram answers no questions while one is set.  What is pending stays."""
        await self._wire.bot.delete_webhook(drop_pending_updates=False)

    async def turn(self, *, patient: bool = True) -> None:
        """Ask once, wait for at most `poll_s` (not at all unless `patient`), and bring what came to the
        reception.
        """
        if not self._remembered:
            self._offset = int(await self._intake.bookmark("offset") or 0) or None
            self._at = int(await self._intake.bookmark("offset-at") or 0)
            self._remembered = True
        if self._offset is not None and self._clock() - self._at > OFFSET_LIFE_MS:
            self._offset = None
        # The raw form, so that one odd update can be passed over alone. In small letters (Telegram takes any
        # case) because the library warns when a method it knows is called by its exact name this way.
        raw = await self._wire.bot.do_api_request(
            "getupdates",
            {
                "offset": self._offset,
                "timeout": self._settings.poll_s if patient else 0,
                "limit": 100,
                "allowed_updates": KINDS,
            },
            read_timeout=self._settings.poll_s + READING_S,
        )
        if not isinstance(raw, list) or not raw:
            return
        # one without a number can't be acknowledged: those with one move on past it
        following, now = (
            max([found for one in raw if (found := update_id(one))], default=(self._offset or 1) - 1) + 1,
            self._clock(),
        )
        await self._intake.take(raw, {"offset": str(following), "offset-at": str(now)})
        self._offset, self._at = following, now

    async def look(self) -> None:
        """Ask as a turn does, and leave everything where it is: anyone who asks beside us cuts us off."""
        await self._wire.bot.do_api_request(
            "getupdates",
            {"offset": self._offset, "timeout": self._settings.poll_s, "limit": 1, "allowed_updates": KINDS},
            read_timeout=self._settings.poll_s + READING_S,
        )
