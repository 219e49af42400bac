"""A Telegram adapter on a line to a Bot API server of its own, for the tests of this channel."""

from __future__ import annotations

import itertools
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from adapters.telegram import Settings, build
from referee.ports import Adapter, Inbound, Letter, Receipt, What
from tests.adapters.conformance import Desk, until
from tests.servers.botapi import BotApi, User


@dataclass
class Line:
    """Server, adapter, desk and Ann.  `ahead_ms` moves the adapter's clock."""

    api: BotApi
    given: dict[str, Any] = field(default_factory=dict)
    desk: Desk = field(default_factory=Desk)
    ahead_ms: int = 0
    made: list[Adapter] = field(default_factory=list)
    ids: itertools.count[int] = field(default_factory=lambda: itertools.count(1))

    def __post_init__(self) -> None:
        self.ann: User = self.api.user("Ann", "ann", "pt", started=True)

    def clock_ms(self) -> int:
        return int(time.time() * 1000) + self.ahead_ms

    def settings(self, **more: Any) -> Settings:
        return Settings.model_validate(
            {"token": self.api.token, "base_url": self.api.url, **self.given, **more}
        )

    def build(self, **more: Any) -> Adapter:
        self.made.append(build(self.settings(**more), self.clock_ms))
        return self.made[-1]

    async def start(self, **more: Any) -> Adapter:
        """A started adapter that has begun to receive."""
        adapter = self.build(**more)
        await adapter.start(self.desk)
        await until(adapter.healthy)
        return adapter

    @property
    def adapter(self) -> Adapter:
        return self.made[-1]

    async def send(self, text: str, to: User | None = None, **more: Any) -> Receipt:
        """Send one letter: to Ann, to `to`, or with ``place=`` to a group."""
        if "place" not in more:
            more["address"] = str((to or self.ann).id)
        return await self.adapter.send(Letter(id=str(next(self.ids)), channel="telegram", text=text, **more))

    async def heard(self, what: What = What.MESSAGE, count: int = 1) -> list[Inbound]:
        """Wait for `count` of them."""
        await until(lambda: len(self.desk.said(what)) >= count)
        return self.desk.said(what)


@asynccontextmanager
async def line(*, flood: bool = False, **given: Any) -> AsyncIterator[Line]:
    """A line whose server and adapters are stopped at the end."""
    api = await BotApi(flood=flood).start()
    one = Line(api, given)
    try:
        yield one
    finally:
        for adapter in one.made:
            await adapter.stop()
        await api.stop()
