"""A referee in the test's own loop, with the real Telegram adapter on a line to a strict Bot API server."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from adapters.telegram import Settings, build
from referee.service import Referee, ServiceSettings
from referee.store import Store
from referee.text import Words
from tests.books import address
from tests.servers.botapi import BotApi, Group, Query, SeenMessage, User
from tests.service.rig import until


def clock_ms() -> int:
    return int(time.time() * 1000)


@dataclass
class TelegramHouse:
    """The server, the referee, and what people do and see there."""

    api: BotApi
    store: Store
    referee: Referee

    def said(self, where: User | Group) -> list[SeenMessage]:
        """What the bot has said there, as it stands now."""
        return [one for one in where.sees() if one.from_bot]

    async def answer(self, where: User | Group, words: str) -> SeenMessage:
        """Wait until the bot has said something there with these words; the newest."""
        await until(lambda: any(words in one.text for one in self.said(where)))
        return [one for one in self.said(where) if words in one.text][-1]

    async def press(self, who: User, message: SeenMessage, label: str, group: Group | None = None) -> Query:
        """Press a button, and wait until it was answered."""
        press = who.press(message, label, group)
        assert press is not None, "that button opens a chat"
        await until(lambda: press.answered)
        return press

    async def rest(self) -> None:
        """Wait until all that has been said to the bot is dealt with, and all letters are out."""
        await until(lambda: not self.api.world.updates.pending)
        await until(
            lambda: self.store.read_now(
                lambda tx: not tx.inbox_new(1) and tx.next_outbox_ms() is None and not self._flying()
            )
        )

    def _flying(self) -> bool:
        return bool(self.referee.outbox_worker._running)


@asynccontextmanager
async def telegram_house(folder: Path, **settings: Any) -> AsyncIterator[TelegramHouse]:
    """All of it, started; nothing is left running at the end."""
    api = await BotApi(flood=False).start()
    store = Store.open(address(folder / "book.db"), durable=False)
    token = {"token": api.token, "base_url": api.url}
    # the server counts nothing, so the adapter need not wait
    quick = {"chat_per_second": 100, "group_per_minute": 1000, "overall_per_second": 1000}
    wire = build(Settings.model_validate({**token, **quick}), clock_ms)
    referee = Referee(
        store,
        Words(()),
        [wire],
        clock_ms=clock_ms,
        settings=ServiceSettings(parking=folder / "parked", pictures=False, **settings),
    )
    try:
        await referee.start()
        yield TelegramHouse(api, store, referee)
    finally:
        await referee.stop()
        await store.close()
        await api.stop()
