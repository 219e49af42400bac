"""What comes over the wires but for Matrix (`syncs.py`): mails, updates of Telegram, lines of a terminal."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from functools import cache
from types import SimpleNamespace
from typing import Any

import msgspec

from adapters.mail.addresses import Addresses
from adapters.mail.reading import Delivery, Reader
from adapters.telegram import mini_app
from adapters.telegram.intake import Intake
from adapters.telegram.long_letters import LongLetters
from adapters.terminal import protocol
from referee import wirejson
from referee.ports import Inbound
from referee.service.inbound import cleaning
from tests.fuzz import corpora, mutating
from tests.fuzz.running import Target
from tests.servers.botapi.mini_app import init_data

READER = Reader(Addresses("referee@game.test"), "mx.game.test")
NOW = 1_800_000_000_000
#: a bot's token
_BOT = "123456789:" + "A" * 35


def _said(no: Exception) -> None:
    assert str(no)


def storable(one: Inbound) -> None:
    """What arrived can be written down, after it was cleaned as the reception does; or nothing can be done
    with it, and it is parked.
    """
    assert isinstance(one, Inbound)
    try:
        clean = cleaning.cleaned(one, NOW)
    except cleaning.UnusableMessage as no:
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


class Reception:
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
        raw = wirejson.loads(said)
    except ValueError:
        return  # as the adapter does
    if isinstance(raw, dict):  # what the server says of itself is not for strangers to choose
        presses = SimpleNamespace(without_repeats=list, note=lambda batch, taken: None)
        intake = Intake(_Wire(), Reception(), presses, lambda: NOW, LongLetters())
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


def _line(said: bytes) -> None:
    """What a terminal says, to its end."""

    async def heard() -> None:
        reader = asyncio.StreamReader(limit=protocol.LIMIT, loop=_loop())
        reader.feed_data(said + b"\n")
        reader.feed_eof()
        while (message := await protocol.unpacked(reader)) is not None:
            protocol.as_name(message.get("hello"))
            protocol.packed({"key": str(message.get("key", ""))[:80], "say": message.get("say")})

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


def _opened(said: str) -> None:
    """What a Mini App is told of its reader: as anybody may write it, and as Telegram signed it."""
    assert mini_app.verified(_BOT, said) is None or said in _openings()
    whole = said.encode("utf-8", "replace").decode()
    signed = mini_app.verified(_BOT, init_data(_BOT, whole, 1_790_000_000))
    if signed is not None:
        assert signed.address.isdecimal()
        assert int(signed.address) > 0


@cache
def _openings() -> tuple[str, ...]:
    ana = '{"id":4400000017,"first_name":"Ana","language_code":"pt-br","allows_write_to_pm":true}'
    return (
        init_data(_BOT, ana, 1_790_000_000),
        init_data(_BOT, "{}", 1_790_000_000, chat_type="sender"),
        ana,
    )


TARGETS = (
    Target("telegram app", mutating.text, _openings, _opened, 300, ()),
    Target("mail", mutating.raw, corpora.mails, _mail, 2200),
    Target("telegram update", mutating.shaped, _updates, _update, 1100, ()),
    Target("terminal line", mutating.raw, _lines, _line, 500, (protocol.ProtocolError,)),
)
