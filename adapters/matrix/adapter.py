"""The Matrix channel: letters out, events in."""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from referee.ports import Fate, Finding, Letter, Limits, Receipt, Reception

from . import writing
from .connection import SILENCED, MatrixConnection, MatrixError, reached
from .direct_rooms import DirectRooms
from .event_reader import CHANNEL, EventReader
from .limits import TokenBucket
from .reactions import Reactions
from .reading import section, word
from .rooms import Rooms
from .settings import Settings
from .sync_loop import SyncLoop
from .uploads import Uploads

log = logging.getLogger(__name__)

#: how long `start` waits for the first bookmark ever, so that nothing said after it is taken for history
_FIRST_SYNC_S = 5.0
#: how long a letter waits for the first round after a start before it is put off
_FIRST_ROUND_S = 2.0


class MatrixAdapter:
    """One account on one homeserver."""

    name = CHANNEL
    markup = "matrix"
    can_edit = True
    idempotent = True
    rewrites = False
    limits: Limits

    def __init__(self, settings: Settings, clock_ms: Callable[[], int]) -> None:
        self.settings = settings
        self.clock_ms = clock_ms
        self.bucket = TokenBucket(settings.rate, settings.burst)
        self.limits = self.bucket
        self._tasks: list[asyncio.Task[None]] = []
        self._sealing = asyncio.Lock()
        self._closed = False
        self._connect()

    def contact(self) -> tuple[str, str]:
        """See `referee.ports.Reachable`."""
        return self.settings.user, f"https://matrix.to/#/{self.settings.user}"

    def _connect(self) -> None:
        self.line = MatrixConnection(self.settings)
        self.rooms = Rooms(self.line)
        self.uploads = Uploads(self.line)
        self.whispering = DirectRooms(self.line, self.rooms)
        self.offers = Reactions(self.line, self.bucket, self.clock_ms)
        hearing = EventReader(self.rooms, self.offers, self.clock_ms, e2e=self.settings.e2e)
        self.listener = SyncLoop(self.line, self.rooms, hearing, self.clock_ms)

    async def start(self, reception: Reception) -> None:
        if self._closed:  # begun anew: as in a process that has just been started
            self._closed = False
            self._connect()
        first_ever = await reception.bookmark(CHANNEL, "since") is None
        self._tasks = [
            asyncio.create_task(self.listener.run(reception), name="matrix listens"),
            asyncio.create_task(self.offers.decorate(), name="matrix decorates"),
        ]
        if first_ever:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_FIRST_SYNC_S):
                    await self.listener.tried.wait()

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks = []
        self._closed = True
        await self.line.close()

    def healthy(self) -> bool:
        heard = self.listener.heard_ms
        return (
            bool(heard)
            and self.clock_ms() - heard < (self.settings.poll_s + self.settings.timeout_s + 30) * 1000
        )

    # sending

    async def send(self, letter: Letter) -> Receipt:
        try:
            return await self._send(letter)
        except MatrixError as trouble:
            receipt = trouble.receipt
            if trouble.code == "M_LIMIT_EXCEEDED":
                self.bucket.hold(receipt.retry_ms, self.clock_ms())
            if letter.place is None and receipt.reason == "not-a-member":
                return replace(receipt, reason="blocked")
            return receipt

    async def _send(self, letter: Letter) -> Receipt:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_FIRST_ROUND_S):
                await self.listener.tried.wait()
        if not self.line.ready or not self.rooms.known.is_set():
            raise MatrixError(
                Receipt(Fate.LATER, retry_ms=2_000, detail="not logged in yet, or no sync yet", whole=True)
            )
        if letter.place is None and letter.address is None:
            raise MatrixError(Receipt(Fate.FAILED, reason="no-such-address"))
        room = letter.place or await self.whispering.room(letter.address or "")
        if self.settings.e2e and self.rooms.room(room) is None:
            raise MatrixError(Receipt(Fate.FAILED, reason="not-a-member"))
        shown = (
            None
            if letter.picture is None
            else await self.uploads.shown(letter.picture, sealed=self._sealed(room), edits=bool(letter.edits))
        )
        edits = bool(letter.edits) and await self._ours(room, letter.edits, picture=shown is not None)
        content = (
            writing.replacement(letter, shown)
            if edits
            else writing.message(letter, threaded=self._threaded(letter), shown=shown)
        )
        if writing.size(content) > writing.ROOM_FOR_CONTENT:
            raise MatrixError(Receipt(Fate.FAILED, reason="too-long"))
        tx_id = writing.transaction(letter)
        event = await self._say(room, content, tx_id)
        if edits:
            event = letter.edits
        self.offers.asked(room, event, writing.keys(letter), tx_id)
        if letter.pin and not edits:
            await self._pin(room, event, letter)
        return Receipt(Fate.SENT, wire_id=event)

    async def _say(self, room: str, content: dict[str, Any], tx_id: str) -> str:
        try:
            # nio shares a room's key once at a time
            async with self._sealing if self.settings.e2e else contextlib.nullcontext():
                return await self.line.say(room, content, tx_id)
        except MatrixError as trouble:
            if trouble.perhaps:  # the words may stand there, with keys: these very words must come again
                raise MatrixError(
                    replace(trouble.receipt, fate=Fate.UNKNOWN), trouble.code, trouble.status, perhaps=True
                ) from None
            relation = section(content, "m.relates_to")
            if (
                trouble.receipt.reason != "rejected"
                or not relation
                or word(relation, "rel_type") == "m.replace"
            ):
                raise
        # a thread whose root is gone, or that cannot be one: the words matter more than where they stand
        return await self._say(
            room, {name: value for name, value in content.items() if name != "m.relates_to"}, tx_id
        )

    def _threaded(self, letter: Letter) -> bool:
        return self.settings.threads == "always" or (
            self.settings.threads == "rooms" and letter.place is not None
        )

    def _sealed(self, room: str) -> bool:
        known = self.rooms.room(room) if self.settings.e2e else None
        return bool(known is not None and known.encrypted)

    async def _ours(self, room: str, event_id: str, *, picture: bool) -> bool:
        """Whether that message still stands in the room, is ours and has a picture or has none, as the new
        one: what is gone is written anew, and clients don't make a picture of words.
        """
        try:
            event = await self.line.event(room, event_id)
        except MatrixError as trouble:
            if trouble.receipt.fate is Fate.LATER:
                raise
            return False
        content = section(event, "content")
        return (
            word(event, "sender") == self.line.me
            and bool(content)
            and (word(content, "msgtype") == "m.image") == picture
        )

    async def _pin(self, room: str, event: str, letter: Letter) -> None:
        """Pin the message instead of this conversation's earlier ones, where we are allowed to."""
        path = ("rooms", room, "state", "m.room.pinned_events", "")
        try:
            pinned = await self._pinned(path)
            wanted = [one for one in pinned if one not in letter.thread or one == event]
            if event not in wanted:
                await self.line.raw("PUT", *path, body={"pinned": [*wanted, event]})
        except MatrixError as trouble:
            log.info("matrix: not pinned: %s", trouble)

    async def _pinned(self, path: tuple[str, ...]) -> list[str]:
        try:
            found = (await self.line.raw("GET", *path)).get("pinned")
        except MatrixError as trouble:
            if trouble.code != "M_NOT_FOUND":
                raise
            return []
        return [one for one in found if isinstance(one, str)] if isinstance(found, list) else []

    # checking

    async def check(self) -> list[Finding]:
        """Logs in with a connection of its own: as another device if with a password, so that a running
        referee keeps its own.
        """
        facts = {"homeserver": self.settings.homeserver, "user": self.settings.user}
        if self.settings.e2e and importlib.util.find_spec("vodozemac") is None:
            return [Finding("bad", "matrix-e2e-missing", facts)]
        line = MatrixConnection(
            self.settings.model_copy(update={"e2e": False, "device_id": f"{self.settings.device_id}-CHECK"})
        )
        trouble = await reached(line, self._tried)
        if trouble is None:
            return [Finding("ok", "matrix-ok", facts)]
        code = "matrix-unauthorised" if trouble.receipt.fate is Fate.FAILED else "matrix-away"
        if trouble.code in SILENCED:
            code = "matrix-silenced"
        return [Finding("bad", code, {**facts, "detail": trouble.receipt.detail})]

    async def _tried(self, line: MatrixConnection) -> None:
        await line.raw("GET", "joined_rooms")
        silenced = await _silenced(line)
        if self.settings.access_token is None:
            await line.ask(line.client.logout())
        if silenced is not None:
            raise silenced


async def _silenced(line: MatrixConnection) -> MatrixError | None:
    """What the homeserver says to an account that may read and not write; None where it may. It is asked to
    let us into a room that nobody can have: what it would say of that one means nothing.
    """
    try:
        await line.raw("POST", "join", f"!nobody:{line.me.partition(':')[2]}", body={})
    except MatrixError as trouble:
        return trouble if trouble.code in SILENCED else None
    return None
