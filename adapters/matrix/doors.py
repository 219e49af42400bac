"""Invitations: kept until they are accepted, also over a restart.

A homeserver tells of an invitation once, and joining a room on another server can take minutes;
so what waits is part of the bookmark, and the joining is done beside the sync loop.
"""
from __future__ import annotations

import asyncio
import json
import logging
from typing import Any

import nio

from adapters.matrix import reading
from adapters.matrix.hearing import Hearing
from adapters.matrix.line import Line, Trouble
from adapters.matrix.rooms import Rooms
from referee.ports import Fate

log = logging.getLogger(__name__)

_AGAIN_S = 5.0


class Doors:
    """The rooms we are asked into and have not entered yet."""

    def __init__(self, line: Line, rooms: Rooms, hearing: Hearing) -> None:
        self.line = line
        self.rooms = rooms
        self.hearing = hearing
        self._invited: dict[str, dict[str, Any]] = {}
        self._news = asyncio.Event()

    def waiting(self) -> str:
        """What is to be written with the bookmark."""
        return json.dumps(self._invited, sort_keys=True)

    def recall(self, written: str | None) -> None:
        """What an earlier process wrote."""
        self._invited = json.loads(written or "{}") | self._invited
        self._news.set()

    def note(self, invitations: dict[str, Any]) -> None:
        """The invitations a sync told."""
        for room, info in invitations.items():
            for event in info.invite_state:
                if isinstance(event, nio.InviteMemberEvent) and event.state_key == self.line.me:
                    # nio takes the content out of this event's source
                    direct = reading.section(event.content).get("is_direct") is True
                    self._invited[room] = {"by": event.sender, "direct": direct}
                    self._news.set()

    def follow(self, event: dict[str, Any]) -> None:
        """A room that was replaced: go to its successor, if it lets us in without being asked."""
        successor = reading.word(event, "content", "replacement_room")
        if event.get("type") == "m.room.tombstone" and successor:
            self._invited.setdefault(successor, {"by": reading.word(event, "sender"), "direct": False})
            self._news.set()

    def forget(self, room: str) -> None:
        """The invitation was taken back."""
        self._invited.pop(room, None)

    async def enter(self) -> None:
        """Accept what waits, for ever."""
        while True:
            await self._news.wait()
            self._news.clear()
            for room, invitation in list(self._invited.items()):
                await self._enter(room, invitation)
            if self._invited:
                await asyncio.sleep(_AGAIN_S)
                self._news.set()

    async def _enter(self, room: str, invitation: dict[str, Any]) -> None:
        try:
            if invitation["direct"]:
                await self.rooms.remember(invitation["by"], room)
            self.hearing.inviters[room] = invitation["by"]
            await self.line.raw("POST", "join", room, body={}, server_name=invitation["by"].partition(":")[2])
        except Trouble as trouble:
            if trouble.receipt.fate is Fate.LATER:
                log.warning("matrix: an invitation waits: %s", trouble)
                return
            log.warning("matrix: an invitation can't be accepted: %s", trouble)
        if self._invited.get(room) == invitation:
            del self._invited[room]
