"""Where to whisper to somebody: the conversation there is, or a new one."""

from __future__ import annotations

import asyncio
import logging
import re
from collections import defaultdict

import nio

from referee.ports import Fate, Receipt

from .connection import MatrixConnection, MatrixError
from .reading import section
from .rooms import Rooms

log = logging.getLogger(__name__)

#: a server, or what the person has set, lets nobody in
_UNWELCOME = ("M_FORBIDDEN", "M_INVITE_BLOCKED")
_ADDRESS = re.compile(r"@[^:\s]+:[^\s/]+")


class DirectRooms:
    """Finds direct rooms and makes them, one at a time for each person."""

    def __init__(self, line: MatrixConnection, rooms: Rooms) -> None:
        self.line = line
        self.rooms = rooms
        self._finding: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._making = asyncio.Lock()

    async def room(self, person: str) -> str:
        """The room in which to whisper to `person`, made if there is none; `MatrixError` if there can't be
        one.
        """
        if not _ADDRESS.fullmatch(person):
            raise MatrixError(Receipt(Fate.FAILED, reason="no-such-address"))
        try:
            async with asyncio.timeout(self.line.settings.timeout_s):
                async with self._finding[person]:
                    return await self._direct_with(person)
        except TimeoutError:
            raise MatrixError(
                Receipt(Fate.LATER, retry_ms=5_000, detail="the new room is not in the sync yet", whole=False)
            ) from None

    async def _direct_with(self, person: str) -> str:
        if found := self.rooms.nearby(person):
            return found[0]
        if self.rooms.left(person):
            raise MatrixError(
                Receipt(Fate.FAILED, reason="blocked", detail="the person left the direct room")
            )
        await self._exists(person)
        async with self._making:
            room_id = await self._make(person)
        await self.rooms.remember(person, room_id)
        await self.rooms.until(lambda: self.rooms.private_with(room_id) == person)
        return room_id

    async def _make(self, person: str) -> str:
        sealed = [nio.EnableEncryptionBuilder().as_dict()] if self.line.settings.e2e else []
        before = await self._joined()
        try:
            made = await self.line.ask(
                self.line.client.room_create(
                    is_direct=True, preset=nio.RoomPreset.private_chat, invite=[person], initial_state=sealed
                )
            )
        except MatrixError as trouble:
            if trouble.receipt.fate is Fate.FAILED:
                await self._sweep(before)
            if trouble.code in _UNWELCOME:
                raise MatrixError(
                    Receipt(Fate.FAILED, reason="cannot-initiate", detail=trouble.receipt.detail),
                    trouble.code,
                ) from None
            raise
        return str(made.room_id)

    async def _joined(self) -> set[str]:
        found = (await self.line.raw("GET", "joined_rooms")).get("joined_rooms")
        return {one for one in found if isinstance(one, str)} if isinstance(found, list) else set()

    async def _sweep(self, before: set[str]) -> None:
        """Leave the empty room that remains when the invitation that should have gone with it was refused."""
        try:
            for room_id in await self._joined() - before:
                members = section(await self.line.raw("GET", "rooms", room_id, "joined_members"), "joined")
                if set(members) == {self.line.me}:
                    await self.line.raw("POST", "rooms", room_id, "leave", body={})
                    await self.line.raw("POST", "rooms", room_id, "forget", body={})
        except MatrixError as trouble:
            log.warning("matrix: an empty room remains: %s", trouble)

    async def _exists(self, person: str) -> None:
        """A homeserver invites anybody, also those who do not exist: ask for the profile first."""
        try:
            await self.line.ask(self.line.client.get_profile(person))
        except MatrixError as trouble:
            if trouble.receipt.fate is Fate.LATER or trouble.receipt.reason == "unauthorised":
                raise
            if trouble.status == 404:  # with M_NOT_FOUND, or with Synapse's M_UNKNOWN
                raise MatrixError(
                    Receipt(Fate.FAILED, reason="no-such-address", detail=trouble.receipt.detail),
                    trouble.code,
                ) from None
            # some homeservers show profiles to nobody: the invitation will tell
