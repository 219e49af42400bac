"""A person, the referee's account and a table's room on a real homeserver, with a line between that can be
cut.
"""

from __future__ import annotations

import asyncio
import inspect
import re
import secrets
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest

from adapters.matrix import build
from adapters.matrix.adapter import MatrixAdapter
from adapters.matrix.settings import Settings
from tests.adapters.conformance import Desk, until
from tests.servers.synapse import Synapse
from tests.servers.synapse_gate import Gate
from tests.servers.synapse_person import Person, Seen


def now_ms() -> int:
    return time.time_ns() // 1_000_000


@dataclass
class MatrixRig:
    """`conversation` is the direct room with the person, `room` a table's."""

    server: Synapse
    gate: Gate
    ann: Person
    me: str
    token: str
    room: str
    conversation: str
    desk: Desk = field(default_factory=Desk)
    made: list[MatrixAdapter] = field(default_factory=list)

    @property
    def person(self) -> str:
        return self.ann.id

    def settings(self, **more: Any) -> Settings:
        return Settings(
            **{
                "homeserver": self.gate.base,
                "user": self.me,
                "access_token": self.token,
                "rate": 0,
                "timeout_s": 5.0,
                "poll_s": 5.0,
                **more,
            }
        )

    def adapter(self, clock_ms: Callable[[], int] = now_ms, **more: Any) -> MatrixAdapter:
        one = build(self.settings(**more), clock_ms)
        assert isinstance(one, MatrixAdapter)
        self.made.append(one)
        return one

    async def say(self, text: str, *, room: bool = False) -> None:
        await self.ann.say(self.room if room else self.conversation, text)

    async def seen(self, *, room: bool = False) -> list[Seen]:
        """What the referee wrote and still stands there."""
        return [
            one
            for one in await self.ann.read(self.room if room else self.conversation)
            if one.sender == self.me
        ]

    async def read(self, *, room: bool = False) -> list[str]:
        return [one.text for one in await self.seen(room=room)]

    async def press(self, order: str) -> bool:
        async def offered() -> Seen | None:
            newest = (await self.seen())[-1]
            return newest if any(who == self.me for who, _ in newest.reactions) else None

        newest = await until(offered)
        number = re.search(rf"(\d+)\) {order}", newest.text)
        assert number, newest.text
        await self.ann.react(self.conversation, newest.id, f"{number[1]}\ufe0f\u20e3")
        return True

    async def outage(self, on: bool) -> None:
        if on:
            self.gate.shut()
        else:
            self.gate.open = True


#: how the text of a test speaks of each room: by itself, by the person, by what is given the whole rig
_SPOKEN = {
    "room": r"rig\.room|room=True",
    "conversation": r"rig\.(conversation|say|seen|read|press|ann|person)\b|\(rig\b",
}


def spoken_of(request: pytest.FixtureRequest) -> frozenset[str]:
    """The rooms that a test may need. To make one is more work for a homeserver than most tests are."""
    said = inspect.getsource(request.function).partition("->")[2]
    return frozenset(name for name, words in _SPOKEN.items() if re.search(words, said))


@asynccontextmanager
async def matrix_rig(
    server: Synapse, rooms: frozenset[str] = frozenset({"room", "conversation"})
) -> AsyncIterator[MatrixRig]:
    """New accounts, and those of the rooms that are wanted ("" where one is not); whatever the test leaves
    running is stopped.
    """
    name = f"referee{secrets.token_hex(5)}"
    token = server.register(name, device="REFEREE")
    me = server.user(name)
    async with (
        Gate(server.port) as gate,
        Person.register(server) as ann,
        Person(server.base, me, token) as referee,
    ):

        async def made(kind: str, **how: Any) -> str:
            if kind not in rooms:
                return ""
            room = await ann.create_room(invite=(me,), **how)
            await referee.join(room)
            return room

        room, conversation = await asyncio.gather(
            made("room", name="Friday's table"), made("conversation", direct=True)
        )
        rig = MatrixRig(server, gate, ann, me, token, room, conversation)
        try:
            yield rig
        finally:
            for adapter in rig.made:
                await adapter.stop()
