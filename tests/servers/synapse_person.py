"""A person on a Matrix homeserver: what a player does and sees, by plain HTTP."""

from __future__ import annotations

import itertools
import secrets
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import aiohttp

if TYPE_CHECKING:
    from tests.servers.synapse import Synapse


class Refused(Exception):
    """The homeserver said no: `code` is its errcode."""

    def __init__(self, status: int, answer: dict[str, Any]) -> None:
        super().__init__(status, answer)
        self.status = status
        self.code = str(answer.get("errcode", ""))


@dataclass
class Seen:
    """A message as its reader sees it now: the newest edit's words, the reactions under it."""

    id: str
    sender: str
    text: str
    content: dict[str, Any]
    html: str = ""
    edits: int = 0
    reactions: list[tuple[str, str]] = field(default_factory=list)  # (who, which)

    @property
    def thread(self) -> str:
        """The root of the thread it stands in, or ""."""
        relation = self.content.get("m.relates_to", {})
        return str(relation.get("event_id", "")) if relation.get("rel_type") == "m.thread" else ""


class Person:
    """One account and its client.  Close it, or use it in `async with`."""

    _numbers = itertools.count()

    def __init__(self, base: str, user_id: str, token: str) -> None:
        self.base = base
        self.id = user_id
        self.token = token
        self._session: aiohttp.ClientSession | None = None

    @classmethod
    def register(cls, server: Synapse, name: str = "") -> Person:
        """A new account; without a name one that nobody has."""
        name = name or f"p{secrets.token_hex(5)}"
        return cls(server.base, server.user(name), server.register(name))

    async def __aenter__(self) -> Person:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        if self._session is not None:
            await self._session.close()
            self._session = None

    async def call(
        self, method: str, path: str, body: dict[str, Any] | None = None, **query: str
    ) -> dict[str, Any]:
        """One request below /_matrix/client/v3; raises `Refused`."""
        if self._session is None:
            self._session = aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=20))
        async with self._session.request(
            method,
            f"{self.base}/_matrix/client/v3{path}",
            params=query,
            json={} if body is None and method in ("POST", "PUT") else body,
            headers={"Authorization": f"Bearer {self.token}"},
        ) as answer:
            got: dict[str, Any] = await answer.json()
            if answer.status >= 400:
                raise Refused(answer.status, got)
            return got

    # rooms

    async def create_room(
        self,
        *,
        name: str = "",
        invite: tuple[str, ...] = (),
        direct: bool = False,
        preset: str = "private_chat",
        encrypted: bool = False,
    ) -> str:
        body: dict[str, Any] = {"preset": preset, "invite": list(invite), "is_direct": direct}
        if name:
            body["name"] = name
        if encrypted:
            body["initial_state"] = [
                {
                    "type": "m.room.encryption",
                    "state_key": "",
                    "content": {"algorithm": "m.megolm.v1.aes-sha2"},
                }
            ]
        return str((await self.call("POST", "/createRoom", body))["room_id"])

    async def invite(self, room: str, who: str) -> None:
        await self.call("POST", f"/rooms/{quote(room)}/invite", {"user_id": who})

    async def join(self, room: str) -> None:
        await self.call("POST", f"/join/{quote(room)}")

    async def leave(self, room: str) -> None:
        await self.call("POST", f"/rooms/{quote(room)}/leave")

    async def kick(self, room: str, who: str) -> None:
        await self.call("POST", f"/rooms/{quote(room)}/kick", {"user_id": who})

    async def invitations(self) -> list[str]:
        """The rooms the person is invited to."""
        # a first sync is cached by its filter for minutes: ask each time with another one
        sync = await self.call(
            "GET",
            "/sync",
            timeout="0",
            filter=f'{{"room":{{"timeline":{{"limit":{next(self._numbers) + 1}}}}}}}',
        )
        return list(sync.get("rooms", {}).get("invite", {}))

    async def accept(self) -> list[str]:
        """Accept every invitation; the rooms."""
        rooms = await self.invitations()
        for room in rooms:
            await self.join(room)
        return rooms

    async def rooms(self) -> list[str]:
        return list((await self.call("GET", "/joined_rooms"))["joined_rooms"])

    async def members(self, room: str) -> set[str]:
        return set((await self.call("GET", f"/rooms/{quote(room)}/joined_members"))["joined"])

    async def state(self, room: str, kind: str, key: str = "") -> dict[str, Any]:
        return await self.call("GET", f"/rooms/{quote(room)}/state/{kind}/{quote(key)}")

    async def set_state(self, room: str, kind: str, content: dict[str, Any], key: str = "") -> None:
        await self.call("PUT", f"/rooms/{quote(room)}/state/{kind}/{quote(key)}", content)

    async def direct_with(self, who: str) -> str | None:
        """The joined room in which the two are alone, or None."""
        for room in await self.rooms():
            if await self.members(room) == {self.id, who}:
                return room
        return None

    # words

    async def send(self, room: str, content: dict[str, Any], kind: str = "m.room.message") -> str:
        number = f"{secrets.token_hex(4)}{next(self._numbers)}"
        return str(
            (await self.call("PUT", f"/rooms/{quote(room)}/send/{kind}/{number}", content))["event_id"]
        )

    async def say(self, room: str, text: str, *, thread: str = "", reply: str = "", **more: Any) -> str:
        """Write; `thread` is the root of a thread to write in, `reply` a message to answer."""
        content: dict[str, Any] = {"msgtype": "m.text", "body": text, **more}
        if thread:
            content["m.relates_to"] = {
                "rel_type": "m.thread",
                "event_id": thread,
                "is_falling_back": not reply,
                "m.in_reply_to": {"event_id": reply or thread},
            }
        elif reply:
            content["m.relates_to"] = {"m.in_reply_to": {"event_id": reply}}
        return await self.send(room, content)

    async def edit(self, room: str, event: str, text: str) -> str:
        return await self.send(
            room,
            {
                "msgtype": "m.text",
                "body": f"* {text}",
                "m.new_content": {"msgtype": "m.text", "body": text},
                "m.relates_to": {"rel_type": "m.replace", "event_id": event},
            },
        )

    async def react(self, room: str, event: str, which: str) -> str:
        return await self.send(
            room,
            {"m.relates_to": {"rel_type": "m.annotation", "event_id": event, "key": which}},
            "m.reaction",
        )

    async def redact(self, room: str, event: str) -> None:
        await self.call("PUT", f"/rooms/{quote(room)}/redact/{quote(event)}/{secrets.token_hex(6)}")

    async def history(self, room: str) -> list[dict[str, Any]]:
        """Every event of the room the person may see, oldest first."""
        events: list[dict[str, Any]] = []
        query = {"dir": "b", "limit": "200"}
        while True:
            page = await self.call("GET", f"/rooms/{quote(room)}/messages", **query)
            events += page["chunk"]
            if not page["chunk"] or not page.get("end"):
                return events[::-1]
            query["from"] = page["end"]

    async def read(self, room: str) -> list[Seen]:
        """The messages as they stand on the person's screen, oldest first: edits applied, deleted ones
        gone.
        """
        seen: dict[str, Seen] = {}
        for event in await self.history(room):
            content = event.get("content", {})
            relation = content.get("m.relates_to") or {}
            if event["type"] == "m.reaction" and relation.get("event_id") in seen:
                seen[relation["event_id"]].reactions.append((event["sender"], relation["key"]))
            elif event["type"] == "m.room.message" and content:
                if relation.get("rel_type") == "m.replace":
                    first = seen.get(relation["event_id"])
                    if first is None or first.sender != event["sender"]:
                        continue  # the edit of a message that is gone, or of somebody else's: not shown
                    first.content = content["m.new_content"]
                    first.text, first.html = first.content["body"], first.content.get("formatted_body", "")
                    first.edits += 1
                else:
                    seen[event["event_id"]] = Seen(
                        event["event_id"],
                        event["sender"],
                        content.get("body", ""),
                        content,
                        content.get("formatted_body", ""),
                    )
        return list(seen.values())
