"""Telegram passes the suite that every adapter passes, by polling and by webhook, against a strict Bot API
server.
"""

from __future__ import annotations

import socket
import time
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from adapters.telegram import Settings, bot_connection, build
from referee.ports import Adapter
from tests.adapters.conformance import Conformance, Desk, until
from tests.adapters.conformance import Rig as AnyRig
from tests.adapters.telegram_line import line
from tests.servers.botapi import BotApi, Group, User


def clock_ms() -> int:
    return int(time.time() * 1000)


class TelegramRig:
    """One bot, one person, one group."""

    def __init__(self, api: BotApi, settings: Callable[[], Settings]) -> None:
        self.api = api
        self.settings = settings
        self.desk = Desk()
        self.ann: User = api.user("Ann", "ann", started=True)
        self.table: Group = api.group("The table", [self.ann])
        self.person = str(self.ann.id)
        self.room = str(self.table.id)
        self.made: list[Adapter] = []

    def adapter(self) -> Adapter:
        self.made.append(build(self.settings(), clock_ms))
        return self.made[-1]

    async def say(self, text: str, *, room: bool = False) -> None:
        self.ann.say(text, self.table if room else None)

    async def press(self, order: str) -> bool:
        self.ann.press(None, order)
        return True

    async def read(self, *, room: bool = False) -> list[str]:
        return [one.text for one in self.ann.sees(self.table if room else None) if one.from_bot]

    async def outage(self, on: bool) -> None:
        await (self.api.down() if on else self.api.up())


@pytest.fixture
async def api() -> AsyncIterator[BotApi]:
    server = await BotApi(flood=False).start()
    yield server
    await server.stop()


class Poisoned(Conformance):
    """What updates can do to a channel that reads them."""

    async def harm(self, rig: AnyRig) -> None:
        assert isinstance(rig, TelegramRig)
        deep: dict[str, Any] = {}
        for _ in range(400):
            deep = {"reply_to_message": deep}
        eve = {"id": 2**70, "is_bot": False, "first_name": "Eve\u202e" * 500}
        message = {
            "message_id": 2**63,
            "date": 2**63,
            "chat": {"id": -(2**70), "type": "private"},
            "from": eve,
            "text": "x",
        }
        for odd in (
            deep,
            {"message": deep},
            {"message": message},
            {"message": message | {"date": 1, "text": {"a": []}}},
            {"message": message | {"date": -1}},
            {"message": [[]]},
            {"callback_query": {"id": 7, "from": eve, "data": "x" * 100_000}},
            {"my_chat_member": {"chat": 1}},
            {"a_kind_of_the_future": {"id": 1e300}},
            {},
        ):
            rig.api.world.updates.add_raw(odd)


class TestPolling(Poisoned):
    @pytest.fixture
    async def rig(self, api: BotApi) -> AsyncIterator[TelegramRig]:
        rig = TelegramRig(api, lambda: Settings.model_validate({"token": api.token, "base_url": api.url}))
        yield rig
        for one in rig.made:
            await one.stop()

    def nobody(self, rig: AnyRig) -> str:
        return "999999999"


class TestWebhook(Poisoned):
    @pytest.fixture
    async def rig(self, api: BotApi) -> AsyncIterator[TelegramRig]:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        rig = TelegramRig(
            api,
            lambda: Settings.model_validate(
                {
                    "token": api.token,
                    "base_url": api.url,
                    "mode": "webhook",
                    "webhook_url": f"http://127.0.0.1:{port}/telegram",
                    "webhook_secret": "a-secret-of-this-test",
                    "port": port,
                }
            ),
        )
        yield rig
        for one in rig.made:
            await one.stop()

    def nobody(self, rig: AnyRig) -> str:
        return "999999999"


async def test_a_bot_that_is_renamed_hears_its_new_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_connection, "NAME_S", 0.0)
    async with line() as tg:
        await tg.start()
        table = tg.api.group("Table", [tg.ann])
        tg.api.world.me.username = "citadels_new_bot"
        tg.ann.say("hello")
        await tg.heard()
        await until(lambda: tg.adapter.contact()[0] == "@citadels_new_bot")
        tg.ann.say("/new@citadels_new_bot", table)
        assert [one.text for one in await tg.heard(count=2)] == ["hello", "/new"]


@pytest.mark.parametrize("status", [400, 429])
async def test_commands_that_telegram_does_not_take_keep_nobody_unheard(status: int) -> None:
    async with line(commands=[["status", "The table now"]]) as tg:
        tg.api.faults.plan("setMyCommands", "error", status=status, times=1_000)
        adapter = tg.build()
        await adapter.start(tg.desk)
        tg.ann.say("hello")
        assert [one.text for one in await tg.heard()] == ["hello"]


async def test_what_is_struck_out_is_not_said() -> None:
    async with line() as tg:
        await tg.start()
        struck = {"type": "strikethrough", "offset": 3, "length": 4}
        tg.ann.say("🏰 gold\ncards", entities=[struck])
        (one,) = await tg.heard()
        assert one.text == "🏰 \ncards"
