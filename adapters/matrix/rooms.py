"""Which rooms are private conversations, and with whom.

A room is private only while the referee and one person are alone in it and nobody else can come
in by themselves: a room flagged as direct that a third person has entered is a room like any other, and
no prompt goes there.  Who talks to us where is kept in the account's own `m.direct` data on the homeserver.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Any

from referee.ports import Fate

from .connection import MatrixConnection, MatrixError
from .reading import clean, word

_CLOSED = ("invite", "private", "knock")


class Rooms:
    """The account's rooms, as the last sync left them."""

    def __init__(self, line: MatrixConnection) -> None:
        self.line = line
        self.known = asyncio.Event()  # set when the first sync has told all rooms
        self.changed = asyncio.Condition()
        #: rooms that we made ourselves
        self.own: set[str] = set()
        self._direct: dict[str, list[str]] = {}
        #: which event gave a room its name
        self._names: dict[str, str] = {}
        self._writing = asyncio.Lock()

    # asking

    def room(self, room_id: str) -> Any:
        """nio's picture of a joined room, or None."""
        return self.line.client.rooms.get(room_id)

    def private_with(self, room_id: str, speaker: str = "") -> str | None:
        """The one person this room is a private conversation with, or None.

        `speaker` was in it a moment ago. A room with a name is one only if somebody said so.
        """
        person, room = self.alone_with(room_id, speaker), self.room(room_id)
        if person is None:
            return None
        named = room.name or room.canonical_alias
        return person if not named or room_id in self._direct.get(person, ()) else None

    def alone_with(self, room_id: str, speaker: str = "") -> str | None:
        """The one person with whom the referee is alone in a room that nobody else can enter, or None."""
        room = self.room(room_id)
        if room is None or room.join_rule not in _CLOSED or room.history_visibility == "world_readable":
            return None
        if self.line.me not in room.users:  # who is there was never told: others may be
            return None
        others = ({*room.users} | ({speaker} if speaker else set())) - {self.line.me}
        return others.pop() if len(others) == 1 else None

    def readable(self, room_id: str) -> bool:
        """Whether we can read what is said there; a server may encrypt even the rooms that we make."""
        room = self.room(room_id)
        return self.line.settings.e2e or room is None or not room.encrypted

    def flagged(self, room_id: str) -> str | None:
        """The person whose direct room this is or once was."""
        return next((person for person, rooms in self._direct.items() if room_id in rooms), None)

    def name(self, room_id: str) -> str:
        room = self.room(room_id)
        return clean(room.named_room_name()) if room is not None else ""

    def person_name(self, room_id: str, person: str) -> str:
        room = self.room(room_id)
        user = room.users.get(person) if room is not None else None
        return clean(user.display_name) if user is not None else ""

    def nearby(self, person: str) -> list[str]:
        """The private conversations with that person: the joined before the offered, the newest flagged
        first.  One that we can't read is none, unless we made it: the next would be no better; and one that
        was replaced is none, since clients hide it.
        """
        found = [
            room_id
            for room_id in self.line.client.rooms
            if self.private_with(room_id) == person
            and (self.readable(room_id) or room_id in self.own)
            and not self.room(room_id).replacement_room
        ]
        flagged = self._direct.get(person, [])
        return sorted(
            found,
            key=lambda one: (
                person in self.room(one).invited_users,
                flagged.index(one) if one in flagged else len(flagged),
            ),
        )

    def left(self, person: str) -> bool:
        """Whether the conversation there was has been closed by the person, or by somebody who put us out."""
        rooms = self._direct.get(person, [])
        return bool(rooms) and not any(
            self.room(one) is not None and person in self.room(one).users for one in rooms
        )

    async def predecessor(self, room_id: str) -> str:
        """The room that this one replaces and that says so itself, or ""."""
        old = word(await self._state(room_id, "m.room.create"), "predecessor", "room_id")
        if not old or word(await self._state(old, "m.room.tombstone"), "replacement_room") != room_id:
            return ""
        return old

    async def _state(self, room_id: str, kind: str) -> dict[str, Any]:
        """The content of a state event, empty if there is none or it is not for us."""
        try:
            return await self.line.raw("GET", "rooms", room_id, "state", kind, "")
        except MatrixError as trouble:
            if trouble.receipt.fate is Fate.LATER:
                raise
            return {}

    # remembering

    def made(self, room_id: str, events: Iterable[dict[str, Any]]) -> None:
        """Note whether it was us who made a room, where its first event is among these."""
        for event in events:
            if event.get("type") == "m.room.create" and word(event, "sender") == self.line.me:
                self.own.add(room_id)

    def forget(self, room_id: str) -> None:
        """We are out of a room."""
        self.own.discard(room_id)
        self._names.pop(room_id, None)

    def unnamed(self, room_id: str, events: Iterable[dict[str, Any]]) -> None:
        """Take a room's name away where the event that gave it was redacted: nio's picture keeps it."""
        for event in events:
            if event.get("type") == "m.room.name":
                self._names[room_id] = word(event, "event_id")
            taken = word(event, "redacts") or word(event, "content", "redacts")  # before and since version 11
            room = self.room(room_id)
            if (
                event.get("type") == "m.room.redaction"
                and taken == self._names.get(room_id, "") != ""
                and room
            ):
                room.name = None

    def told(self, content: dict[str, Any]) -> None:
        """The account's m.direct data as the homeserver has it now."""
        self._direct = {
            person: [one for one in rooms if isinstance(one, str)]
            for person, rooms in content.items()
            if isinstance(rooms, list)
        }

    async def load(self) -> None:
        """Fetch m.direct; there is none before the first conversation."""
        try:
            self.told(await self.line.raw("GET", *self._path))
        except MatrixError as trouble:
            if trouble.code != "M_NOT_FOUND":
                raise

    async def remember(self, person: str, room_id: str) -> None:
        """Write down that this is the direct room with `person`; rooms we are no longer in are forgotten."""
        async with self._writing:
            await self.load()  # another session of the account may have written meanwhile
            if room_id in self._direct.get(person, []):
                return
            kept = [
                one
                for one in self._direct.get(person, [])
                if self.room(one) is not None and person in self.room(one).users
            ]
            direct = {**self._direct, person: [room_id, *kept]}
            await self.line.raw("PUT", *self._path, body=direct)
            self._direct = direct

    @property
    def _path(self) -> tuple[str, ...]:
        return ("user", self.line.me, "account_data", "m.direct")

    async def synced(self) -> None:
        """The rooms are as the newest sync says: wake those who wait for one."""
        self.known.set()
        async with self.changed:
            self.changed.notify_all()

    async def until(self, true: Callable[[], bool]) -> None:
        async with self.changed:
            await self.changed.wait_for(true)
