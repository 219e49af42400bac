"""Two installations with one bot token: the newcomer stands down, says so by every other way, and goes on
when it is alone.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from adapters.telegram import Settings
from adapters.telegram.adapter import TelegramAdapter
from adapters.telegram.other_pollers import OtherPollers
from referee.ports import Adapter, Fate, Letter
from referee.service import ForTesting, Referee, ServiceSettings
from referee.service.deadlines import hold
from referee.store import Alert, Inbox, Store
from referee.text import Words
from tests.books import address
from tests.servers.botapi import BotApi, User
from tests.service.rig import Wire


class Installation:
    """A referee with a database of its own, the real Telegram adapter, and a terminal at which its admin
    sits.
    """

    def __init__(self, path: Path, api: BotApi) -> None:
        def now() -> int:
            return time.time_ns() // 1_000_000

        settings = Settings.model_validate(
            {"token": api.token, "base_url": api.url, "poll_s": 2, "chat_per_second": 100}
        )
        self.telegram = TelegramAdapter(
            settings, now, OtherPollers(1.0, 20.0, alone_s=1.5, look_s=(1.5, 2.0), quiet_s=1.5)
        )
        self.terminal = Wire("terminal")
        self.running = False
        self.store = Store.open(address(path))
        wires: list[Adapter] = [self.telegram, self.terminal]  # type: ignore[list-item]  # mypy sees the limits of a Wire as a Wire
        self.referee = Referee(
            self.store,
            Words(()),
            wires,
            clock_ms=now,
            settings=ServiceSettings(
                admins=(("terminal", "boss"),), testing=ForTesting(breaker=False, alone=True)
            ),
        )

    async def start(self) -> None:
        self.running = True
        await self.referee.start()
        await until(self.telegram.healthy)

    async def stop(self) -> None:
        if self.running:
            self.running = False
            await self.referee.stop()

    def alerts(self) -> list[str]:
        return list(self.store.read_now(lambda tx: tx.column(Alert, "code", order="id")))

    def told(self, words: str) -> bool:
        return any(words in letter.text for letter in self.terminal.sent)

    def heard(self) -> int:
        return self.store.read_now(lambda tx: tx.count(Inbox, channel="telegram"))


async def until(what: Callable[[], object], seconds: float = 15) -> None:
    async with asyncio.timeout(seconds):
        while not what():
            await asyncio.sleep(0.02)


@pytest.fixture
async def api() -> AsyncIterator[BotApi]:
    one = await BotApi(flood=False).start()
    yield one
    await one.stop()


@pytest.fixture
async def two(tmp_path: Path, api: BotApi) -> AsyncIterator[tuple[Installation, Installation]]:
    first, second = (Installation(tmp_path / f"{n}.db", api) for n in "12")
    yield first, second
    for one in (first, second):
        await one.stop()
        await one.store.close()


async def test_the_newcomer_stands_down_and_goes_on_when_it_is_alone(
    two: tuple[Installation, Installation], api: BotApi, caplog: pytest.LogCaptureFixture
) -> None:
    first, second = two
    ann: User = api.user("Ann", started=True)
    await first.start()
    await until(
        lambda: first.telegram._rivals.undisturbed(asyncio.get_running_loop().time())
    )  # it has the bot to itself for a while
    await second.start()
    await until(lambda: second.alerts() == ["account-shared"])
    await until(lambda: second.told("I have stood down"))
    assert [
        line
        for line in caplog.records
        if line.levelname == "CRITICAL" and "standing down" in line.getMessage()
    ]
    assert not second.telegram.healthy()
    assert second.store.read_now(hold.held_since)
    receipt = await second.telegram.send(
        Letter(id="1", channel="telegram", text="Your move.", address=str(ann.id))
    )
    assert receipt.fate is Fate.LATER
    assert not written(ann)  # the copy of an installation does not write to real people
    ann.say("help")
    await until(lambda: written(ann))
    assert first.heard() == 1
    assert not second.heard()
    assert first.alerts() == []
    assert not first.store.read_now(hold.held_since)

    await first.stop()
    await until(lambda: second.alerts() == ["account-shared", "account-alone"])
    assert not second.store.read_now(hold.held_since)  # and nobody lost the time
    before = written(ann)
    ann.say("help")
    await until(lambda: written(ann) > before)
    assert second.heard() == 1
    assert await until_ready(second)


def written(user: User) -> int:
    """How much the bot has written to somebody."""
    return sum(one.sender is user.world.me for one in user.world.chats[user.id].posts.values())


async def until_ready(one: Installation) -> bool:
    await until(one.telegram.healthy)
    return await one.referee.monitor.wrong() == []
