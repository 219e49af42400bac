"""What comes over the wires: mails, updates of Telegram, syncs of Matrix, lines of a terminal."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine, Sequence
from functools import cache
from types import SimpleNamespace
from typing import Any

import msgspec

from adapters.mail.addresses import Addresses
from adapters.mail.reading import Delivery, Reader
from adapters.matrix import unprinted
from adapters.matrix.hearing import Hearing
from adapters.matrix.line import Client, Line
from adapters.matrix.listening import Listener
from adapters.matrix.rooms import Rooms
from adapters.telegram.intake import Intake
from adapters.terminal import wire
from referee.ports import Inbound
from referee.service import cleaning
from tests.fuzz import corpora, mutating
from tests.fuzz.running import Target

unprinted.install()  # as the adapter does when it is built
READER = Reader(Addresses("referee@game.test"), "mx.game.test")
NOW = 1_800_000_000_000
ME = "@referee:hs.test"


def _said(no: Exception) -> None:
    assert str(no)


def storable(one: Inbound) -> None:
    """What arrived can be written down, after it was cleaned as the reception does; or nothing can be done
    with it, and it is parked.
    """
    assert isinstance(one, Inbound)
    try:
        clean = cleaning.cleaned(one, NOW)
    except cleaning.Unfit as no:
        return _said(no)
    assert 0 <= clean.at_ms < 2**53
    msgspec.json.encode(clean)


def at_once(call: Coroutine[Any, Any, Any]) -> Any:
    """The result of a coroutine that waits for nothing."""
    try:
        call.send(None)
    except StopIteration as done:
        return done.value
    raise AssertionError("it waits")


def _mail(said: bytes) -> None:
    head = said[:200].decode("latin-1")
    one = READER.read(
        Delivery(said, NOW, len(said), recipients=(head.partition("\n")[0], "referee+abcdefgh2345@game.test"))
    )
    storable(one)


class _Reception:
    """Takes what arrives, as far as it can be written down."""

    def __init__(self) -> None:
        self.got: list[Inbound] = []

    async def receive(self, batch: Sequence[Inbound], **_: Any) -> None:
        for one in batch:
            storable(one)
        self.got += batch

    async def bookmark(self, *_: str) -> str | None:
        return None


class _Wire:
    bot = None

    async def meet(self) -> str:
        return "refbot"


def _update(said: str) -> None:
    try:
        raw = json.loads(said)
    except RecursionError:
        return  # Telegram's own server writes the JSON
    if isinstance(raw, dict):  # what the server says of itself is not for strangers to choose
        intake = Intake(_Wire(), _Reception(), SimpleNamespace(note=lambda batch: None), lambda: NOW)
        at_once(intake.take([{**raw, "update_id": 17}]))


def _updates() -> tuple[str, ...]:
    ann = {
        "id": 5,
        "is_bot": False,
        "first_name": "Ann",
        "last_name": "B",
        "username": "ann",
        "language_code": "pt-br",
    }
    private, group = (
        {"id": 5, "type": "private", "first_name": "Ann"},
        {"id": -100200300, "type": "supergroup", "title": "The <b>table</b>"},
    )
    base = {"message_id": 9, "from": ann, "date": 1_790_000_000}
    bot = {"id": 1, "is_bot": True, "first_name": "R", "username": "refbot"}
    messages = [
        {**base, "chat": private, "text": "gold; build market; end"},
        {
            **base,
            "chat": group,
            "text": "/status@refbot now",
            "entities": [{"type": "bot_command", "offset": 0, "length": 14}],
        },
        {
            **base,
            "chat": private,
            "photo": [{"file_id": "x", "file_unique_id": "y", "width": 9, "height": 9}],
            "caption": "hello",
        },
        {
            **base,
            "chat": group,
            "text": "me",
            "reply_to_message": {
                "message_id": 4,
                "date": 1_790_000_000,
                "chat": group,
                "from": bot,
                "text": "Who?",
            },
        },
        {**base, "chat": group, "migrate_to_chat_id": -100999},
        {**base, "chat": group, "new_chat_members": [bot, ann]},
        {
            **base,
            "chat": private,
            "sticker": {
                "file_id": "x",
                "file_unique_id": "y",
                "type": "regular",
                "width": 1,
                "height": 1,
                "is_animated": False,
                "is_video": False,
            },
        },
        {**base, "chat": private, "location": {"latitude": 1.0, "longitude": 2.0}},
        {**base, "chat": private, "contact": {"phone_number": "1", "first_name": "x"}},
    ]
    member = {"user": bot, "status": "member"}
    others = [
        {
            "callback_query": {
                "id": "77",
                "from": ann,
                "chat_instance": "c",
                "data": "k-1",
                "message": messages[3],
            }
        },
        {"callback_query": {"id": "78", "from": ann, "chat_instance": "c", "data": "x" * 64}},
        {
            "my_chat_member": {
                "chat": group,
                "from": ann,
                "date": 1_790_000_000,
                "old_chat_member": {"user": bot, "status": "left"},
                "new_chat_member": member,
            }
        },
        {
            "my_chat_member": {
                "chat": private,
                "from": ann,
                "date": 1_790_000_000,
                "old_chat_member": member,
                "new_chat_member": {"user": bot, "status": "kicked", "until_date": 0},
            }
        },
    ]
    return corpora.as_json(
        [
            *({"update_id": 17, "message": one} for one in messages),
            *({"update_id": 18, **one} for one in others),
        ]
    )


class _Line(Line):
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
    listener = Listener(line, rooms, Hearing(rooms, _Offers(), lambda: NOW, e2e=False), lambda: NOW)
    listener._since, reception = "s1", _Reception()
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


def _line(said: bytes) -> None:
    """What a terminal says, to its end."""

    async def heard() -> None:
        reader = asyncio.StreamReader(limit=wire.LIMIT, loop=_loop())
        reader.feed_data(said + b"\n")
        reader.feed_eof()
        while (message := await wire.unpacked(reader)) is not None:
            wire.as_name(message.get("hello"))
            wire.packed({"key": str(message.get("key", ""))[:80], "say": message.get("say")})

    at_once(heard())


@cache
def _loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    loop.close()
    return loop


def _lines() -> tuple[bytes, ...]:
    return (
        b'{"hello": "ann", "key": "1", "language": "pt_BR"}',
        b'{"say": "gold; build market; end", "key": "k2"}\n{"shown": "17"}',
        b'{"hello": "Zo\xc3\xab", "key": "\\ud800"}',
        b"[1, 2]",
        b'{"say": 7}',
    )


TARGETS = (
    Target("mail", mutating.raw, corpora.mails, _mail, 2200),
    Target("telegram update", mutating.shaped, _updates, _update, 1400, (json.JSONDecodeError,)),
    Target("matrix event", mutating.shaped, _events, _sync, 1400),
    Target("terminal line", mutating.raw, _lines, _line, 500, (wire.Garbled,)),
)
