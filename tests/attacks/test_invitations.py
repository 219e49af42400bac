"""Anybody may invite the referee anywhere: a flood of invitations fills nothing, and keeps nobody else
out.
"""

from __future__ import annotations

import asyncio
import json
from types import SimpleNamespace
from typing import Any

import pytest

from adapters.matrix import invitations
from adapters.matrix.connection import MatrixError
from adapters.matrix.invitations import ALL, EACH, MOST, SERVER, Invitations
from referee.ports import Fate, Receipt

ME = "@referee:own.test"
HOUR_MS = 3_600_000


class Homeserver:
    """Remembers who was joined; servers in `deaf` never answer."""

    def __init__(self) -> None:
        self.me = ME
        self.joined: list[str] = []
        self.deaf: set[str] = set()

    async def raw(self, method: str, *path: str, server_name: str = "", **more: Any) -> dict[str, Any]:
        if server_name in self.deaf:
            await asyncio.Event().wait()
        self.joined.append(path[1])
        return {}


class Entrance:
    """The doors of a referee, at an hour that obeys."""

    def __init__(self) -> None:
        self.line = Homeserver()
        self.now_ms = HOUR_MS
        self.doors = Invitations(
            self.line, SimpleNamespace(), SimpleNamespace(inviters={}), lambda: self.now_ms
        )  # type: ignore[arg-type]  # stand-ins

    def invite(self, who: str, room: str) -> None:
        import nio

        event = nio.InviteMemberEvent(
            {"content": {}, "sender": who}, who, ME, "invite", None, {"membership": "invite"}, None
        )
        self.doors.note({room: SimpleNamespace(invite_state=[event])})

    @property
    def waiting(self) -> list[str]:
        return list(json.loads(self.doors.waiting()))


def test_one_person_is_followed_so_often_and_again_after_a_while() -> None:
    here = Entrance()
    for n in range(1000):
        here.invite("@mallory:far.test", f"!{n}:far.test")
    assert len(here.waiting) == EACH
    here.now_ms += HOUR_MS
    here.invite("@mallory:far.test", "!late:far.test")
    assert here.waiting[-1] == "!late:far.test"


def test_a_server_full_of_accounts_keeps_nobody_else_out() -> None:
    here = Entrance()
    for n in range(1000):
        here.invite(f"@m{n}:far.test", f"!{n}:far.test")
    assert len(here.waiting) == SERVER
    here.invite("@ann:other.test", "!ann:other.test")
    here.invite("@bea:own.test", "!bea:own.test")
    assert here.waiting[-2:] == ["!ann:other.test", "!bea:own.test"]


def test_a_thousand_servers_leave_our_own_people_their_share_and_the_bookmark_small() -> None:
    here = Entrance()
    for n in range(5000):
        here.invite(f"@m:far{n}.test", f"!{n}:far{n}.test")
    here.invite("@bea:own.test", "!bea:own.test")
    assert here.waiting[-1] == "!bea:own.test"
    assert len(here.waiting) == MOST
    here.now_ms += HOUR_MS
    assert sum(here.doors._welcome.take(f"@x:late{n}.test", here.now_ms) for n in range(5000)) == ALL


def test_tombstones_are_counted_like_invitations() -> None:
    here = Entrance()
    for n in range(1000):
        here.doors.follow(
            {
                "type": "m.room.tombstone",
                "state_key": "",
                "sender": "@mallory:far.test",
                "content": {"replacement_room": f"!{n}:far.test"},
            }
        )
    assert len(here.waiting) == EACH


def test_a_tombstone_that_names_no_room_makes_no_bookmark_large() -> None:
    here = Entrance()
    for n in range(50):
        for name in (f"!{n}{'x' * 60_000}:far.test", f"#hall{n}:far.test"):
            here.doors.follow(
                {
                    "type": "m.room.tombstone",
                    "state_key": "",
                    "sender": f"@m{n}:far{n}.test",
                    "content": {"replacement_room": name},
                }
            )
    assert here.doors.waiting() == "{}"


async def test_who_invited_us_in_vain_is_not_remembered() -> None:
    here = Entrance()

    async def refused(method: str, *path: str, **more: Any) -> dict[str, Any]:
        raise MatrixError(Receipt(Fate.FAILED, reason="rejected"))

    here.line.raw = refused  # type: ignore[method-assign]  # a homeserver that lets nobody in
    here.invite("@mallory:far.test", "!shut:far.test")
    entering = asyncio.create_task(here.doors.enter())
    async with asyncio.timeout(5):
        while here.waiting:
            await asyncio.sleep(0.01)
    entering.cancel()
    assert here.doors.hearing.inviters == {}


async def test_a_server_that_never_answers_holds_up_nobody_elses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(invitations, "_AGAIN_S", 0.01)
    here = Entrance()
    here.line.deaf.add("far.test")
    here.invite("@mallory:far.test", "!trap:far.test")
    entering = asyncio.create_task(here.doors.enter())
    await asyncio.sleep(0)
    here.invite("@ann:other.test", "!ann:other.test")
    async with asyncio.timeout(5):
        while here.line.joined != ["!ann:other.test"]:
            await asyncio.sleep(0.01)
    entering.cancel()
