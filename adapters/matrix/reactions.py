"""Offered answers: the keycaps under a question, and what a reaction to it means.

The keys travel in the message itself, so a tap is understood after any restart: the message is fetched
and asked.  The keycaps are put there in the background, from what letters leave of the
homeserver's patience; a person may as well react with a keycap of their own.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from referee.ports import Fate

from .connection import MatrixConnection, MatrixError
from .limits import TokenBucket
from .reading import offered
from .writing import KEYCAPS

log = logging.getLogger(__name__)

_REMEMBERED = 500
_PATIENCE_MS = 10 * 60_000


@dataclass(frozen=True, slots=True)
class ReactionRow:
    """The keycaps that one message is to get."""

    room: str
    event: str
    numbers: tuple[int, ...]  # from 0
    tx_id: str
    at_ms: int


class Reactions:
    """The questions that were asked, and their keycaps."""

    def __init__(self, line: MatrixConnection, bucket: TokenBucket, clock_ms: Callable[[], int]) -> None:
        self.line = line
        self.bucket = bucket
        self.clock_ms = clock_ms
        self._keys: OrderedDict[str, list[str]] = OrderedDict()
        self._rows: asyncio.Queue[ReactionRow] = asyncio.Queue()
        self._newest: dict[str, str] = {}

    def asked(self, room: str, event: str, keys: list[str], tx_id: str) -> None:
        """A message with these keys is out; `event` is its id also when it was an edit."""
        self._keep(event, keys)
        if keys and self.line.settings.reactions:
            self._newest[room] = event
            numbers = tuple(number for number, key in enumerate(keys) if key)
            self._rows.put_nowait(ReactionRow(room, event, numbers, tx_id, self.clock_ms()))

    async def key(self, room: str, event: str, number: int) -> str:
        """The key of the answer `number` (from 0) that our message offers, "" if it offers none."""
        keys = self._keys.get(event)
        if keys is None:
            try:
                keys = offered(await self.line.event(room, event), self.line.me)
            except MatrixError as trouble:
                if trouble.receipt.fate is Fate.LATER:
                    raise
                keys = []  # a message that is gone offers nothing
            self._keep(event, keys)
        return keys[number] if number < len(keys) else ""

    def _keep(self, event: str, keys: list[str]) -> None:
        self._keys[event] = keys
        self._keys.move_to_end(event)
        while len(self._keys) > _REMEMBERED:
            self._keys.popitem(last=False)

    async def decorate(self) -> None:
        """Put keycaps under questions, for ever.  Nothing depends on it: what fails is left out."""
        while True:
            row = await self._rows.get()
            for number in row.numbers:
                if not await self._put(row, number):
                    break

    async def _put(self, row: ReactionRow, number: int) -> bool:
        """One keycap, as soon as it may go; False when the rest is not worth it."""
        content = {
            "m.relates_to": {"rel_type": "m.annotation", "event_id": row.event, "key": KEYCAPS[number]}
        }
        while await self._may(row):
            try:
                await self.line.say(row.room, content, f"{row.tx_id}-{number}", "m.reaction")
            except MatrixError as trouble:
                if trouble.receipt.fate is not Fate.LATER:
                    # there already, or the room is gone, or reactions are not allowed in it
                    return trouble.code == "M_DUPLICATE_ANNOTATION"
                self.bucket.hold(trouble.receipt.retry_ms, self.clock_ms())
            else:
                return True
        return False

    async def _may(self, row: ReactionRow) -> bool:
        """Wait for spare patience; False when the question is old or a newer one stands in the room."""
        while self._newest.get(row.room) == row.event and self.clock_ms() - row.at_ms < _PATIENCE_MS:
            wait = self.bucket.spare(self.clock_ms())
            if not wait:
                return True
            await asyncio.sleep(min(wait, 1_000) / 1000)
        return False
