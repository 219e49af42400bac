"""What comes over the wire of Matrix: syncs in which strangers chose what an event holds."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

from adapters.matrix import nio_logging
from adapters.matrix.connection import Client, MatrixConnection
from adapters.matrix.event_reader import EventReader
from adapters.matrix.rooms import Rooms
from adapters.matrix.sync_loop import SyncLoop
from tests.fuzz import corpora, mutating
from tests.fuzz.running import Target
from tests.fuzz.targets.wires import NOW, Reception, at_once

nio_logging.install()  # as the adapter does when it is built
ME = "@referee:hs.test"


class _Line(MatrixConnection):
    """A line to a homeserver that says one thing."""

    def __init__(self, raw: bytes) -> None:
        self.client = Client("http://hs.test", ME)
        self.client.user_id = ME
        self.me, self.ready, self.said = ME, True, raw
        self.settings = SimpleNamespace(reactions=True, timeout_s=1.0, poll_s=1.0)

    async def fetched(self, *_: Any, **__: Any) -> bytes:
        return self.said

    async def ask(self, call: Any, seconds: float = 0) -> Any:
        call.close()
        return SimpleNamespace(chunk=[], end="")

    async def event(self, room: str, event: str) -> dict[str, Any]:
        return {"sender": ME, "content": {}}

    async def raw(self, *_: Any, **__: Any) -> dict[str, Any]:
        return {}


class _Offers:
    async def key(self, room: str, target: str, number: int) -> str:
        return f"k-{number}"


def _sync(said: str) -> None:
    """A sync in which strangers chose what an event holds, in a timeline, in the state or beside an
    invitation; what the homeserver itself says is in order.
    """
    base = b'{"type": "m.room.message", "event_id": "$1", "sender": "@eve:x.y", "origin_server_ts": 5'
    event = (
        base + b", " + said.encode("utf-8", "surrogatepass")[1:]
        if said.startswith('{"')
        else said.encode("utf-8", "surrogatepass")
    )
    mine = {
        "type": "m.room.member",
        "state_key": ME,
        "sender": ME,
        "event_id": "$m",
        "origin_server_ts": 1,
        "content": {"membership": "join"},
    }
    after = {
        "type": "m.room.message",
        "event_id": "$after",
        "sender": "@ann:hs.test",
        "origin_server_ts": 6,
        "content": {"msgtype": "m.text", "body": "status"},
    }
    place = ("timeline", "timeline", "state", "invite")[len(said) % 4]
    room: dict[str, Any] = {
        "timeline": {
            "events": [*(["EVENT"] if place == "timeline" else []), after],
            "limited": False,
            "prev_batch": "p",
        },
        "state": {"events": [mine, *(["EVENT"] if place == "state" else [])]},
        "ephemeral": {"events": []},
        "account_data": {"events": []},
        "summary": {},
        "unread_notifications": {},
    }
    told = {
        "next_batch": "s2",
        "rooms": {
            "join": {"!r:hs.test": room},
            "invite": {"!i:hs.test": {"invite_state": {"events": ["EVENT"]}}} if place == "invite" else {},
            "leave": {},
        },
        "device_one_time_keys_count": {},
        "to_device": {"events": []},
        "device_lists": {"changed": [], "left": []},
        "account_data": {"events": []},
    }
    line: Any = _Line(json.dumps(told).encode().replace(b'"EVENT"', event))
    rooms = Rooms(line)
    listener = SyncLoop(line, rooms, EventReader(rooms, _Offers(), lambda: NOW, e2e=False), lambda: NOW)
    listener._since, reception = "s1", Reception()
    at_once(listener._round(reception))
    assert listener._since == "s2", "the channel stands still"
    try:
        json.loads(event)
    except (ValueError, RecursionError):
        return  # no homeserver sends what is no JSON
    assert "status" in [one.text for one in reception.got], "others' words are lost"


def _events() -> tuple[str, ...]:
    base: dict[str, Any] = {
        "event_id": "$1",
        "sender": "@ann:hs.test",
        "origin_server_ts": 1_790_000_000_000,
        "room_id": "!r:hs.test",
    }
    message = {
        "msgtype": "m.text",
        "body": "gold; build market",
        "format": "org.matrix.custom.html",
        "formatted_body": "<b>gold</b>",
        "m.mentions": {"user_ids": [ME]},
    }
    events = [
        {**base, "type": "m.room.message", "content": message},
        {
            **base,
            "type": "m.room.message",
            "content": {
                "msgtype": "m.text",
                "body": "> <@ann:hs.test> x\n\nend",
                "m.relates_to": {"m.in_reply_to": {"event_id": "$q"}},
            },
        },
        {
            **base,
            "type": "m.room.message",
            "content": {
                "msgtype": "m.image",
                "body": "x.png",
                "url": "mxc://x/y",
                "info": {"w": 1, "h": 2, "size": 3},
            },
        },
        {
            **base,
            "type": "m.room.message",
            "content": {
                "msgtype": "m.text",
                "body": "* end",
                "m.new_content": {"msgtype": "m.text", "body": "end"},
                "m.relates_to": {"rel_type": "m.replace", "event_id": "$1"},
            },
        },
        {
            **base,
            "type": "m.reaction",
            "content": {"m.relates_to": {"rel_type": "m.annotation", "event_id": "$q", "key": "1️⃣"}},
        },
        {
            **base,
            "type": "m.room.encrypted",
            "content": {
                "algorithm": "m.megolm.v1.aes-sha2",
                "ciphertext": "x",
                "sender_key": "k",
                "device_id": "D",
                "session_id": "s",
            },
        },
        {
            **base,
            "type": "m.room.member",
            "state_key": "@bea:x.y",
            "content": {"membership": "join", "displayname": "Bea"},
            "unsigned": {"prev_content": {"membership": "invite"}},
        },
        {
            **base,
            "type": "m.room.member",
            "state_key": ME,
            "content": {"membership": "join"},
            "unsigned": {"prev_content": {"membership": "invite"}, "prev_sender": "@a:b"},
        },
        {**base, "type": "m.room.name", "state_key": "", "content": {"name": "The table"}},
        {
            **base,
            "type": "m.room.tombstone",
            "state_key": "",
            "content": {"body": "moved", "replacement_room": "!n:x"},
        },
        {
            **base,
            "type": "m.room.power_levels",
            "state_key": "",
            "content": {"users": {ME: 50}, "events": {"m.room.name": 50}, "ban": 50},
        },
        {**base, "type": "m.room.redaction", "redacts": "$1", "content": {"reason": "x"}},
    ]
    return corpora.as_json(events)


TARGETS = (Target("matrix event", mutating.shaped, _events, _sync, 1400),)
