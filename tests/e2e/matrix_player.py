"""A person in Matrix with a client of their own: reads by sync, answers by words, replies and keycaps."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

from tests.e2e.brain import Answer
from tests.e2e.sight import Shown, now_ms, options
from tests.servers.synapse import Synapse
from tests.servers.synapse_person import Person, Refused

_KEYCAPS = 10


class MatrixPlayer:
    """See `tests.e2e.playing.Player`.  `room` is the conversation with the referee; `rooms` holds every
    message of every room by its id, edits applied."""

    channel = "matrix"

    def __init__(self, synapse: Synapse, referee: str, name: str) -> None:
        self.name = name
        self.tag = ""
        self.sent: list[str] = []  # the events of our own
        self.referee = referee
        self.person = Person.register(synapse)
        self.room = ""
        self.rooms: dict[str, dict[str, Shown]] = {}
        self.heard: dict[str, list[str]] = {}  # by room: every version of every message
        self._syncing: asyncio.Task[None] | None = None

    async def start(self) -> None:
        await self.person.call("PUT", f"/profile/{self.person.id}/displayname", {"displayname": self.name})
        self._syncing = asyncio.create_task(self._sync())
        self.room = await self.person.create_room(invite=(self.referee,), direct=True)

    async def stop(self) -> None:
        if self._syncing is not None:
            self._syncing.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._syncing
        await self.person.close()

    async def screen(self) -> list[Shown]:
        return list(self.rooms.get(self.room, {}).values())

    async def say(self, text: str) -> None:
        self.sent.append(await self.person.say(self.room, text))

    async def answer(self, letter: Shown, answer: Answer) -> None:
        if answer.words or answer.number > _KEYCAPS:
            reply = letter.id if answer.number % 2 else ""
            self.sent.append(
                await self.person.say(self.room, f"{self.tag}{answer.words or answer.number}", reply=reply)
            )
            return
        try:
            cap = f"{answer.number}\ufe0f\u20e3" if answer.number < _KEYCAPS else "\U0001f51f"
            self.sent.append(await self.person.react(self.room, letter.id, cap))
        except Refused as no:
            if no.code != "M_DUPLICATE_ANNOTATION":
                raise
            await self.say(
                f"{self.tag}{answer.number}"
            )  # the same keycap twice under one message: in words then

    async def _sync(self) -> None:
        since = ""
        while True:
            got = await (
                self.person.call("GET", "/sync", timeout="3000", since=since)
                if since
                else self.person.call("GET", "/sync", timeout="0")
            )
            since = got["next_batch"]
            for room, news in got.get("rooms", {}).get("join", {}).items():
                for event in news["timeline"]["events"]:
                    self._take(room, event)

    def _take(self, room: str, event: dict[str, Any]) -> None:
        content = event.get("content", {})
        if event["type"] != "m.room.message" or event["sender"] != self.referee:
            return
        seen = self.rooms.setdefault(room, {})
        relation = content.get("m.relates_to", {})
        if relation.get("rel_type") == "m.replace":
            event_id, content = relation["event_id"], content["m.new_content"]
        else:
            event_id = event["event_id"]
        self.heard.setdefault(room, []).append(content["body"])
        seen[event_id] = Shown(
            event_id, content["body"], options(content["body"]), source=content, at_ms=now_ms()
        )
