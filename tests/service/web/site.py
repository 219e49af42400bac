"""A house with its door open, and somebody's browser."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import aiohttp

from adapters.web import build
from adapters.web.server import WebServer
from tests.service.rig import House

BOSS = "telegram:boss"


class Standing(NamedTuple):
    """The house, its door, and a session that asks there."""

    house: House
    door: WebServer
    session: aiohttp.ClientSession

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.door.port}"

    async def get(self, path: str, method: str = "GET", **other: Any) -> tuple[int, str, Any]:
        """Status, text, headers."""
        async with self.session.request(method, path, **other) as answer:
            return answer.status, await answer.text(), answer.headers

    async def get_status(self, path: str) -> int:
        """The status alone, whatever the answer is."""
        async with self.session.get(path) as answer:
            await answer.read()
            return answer.status

    async def page(self, path: str, **other: Any) -> str:
        """A page that is there."""
        status, text, _ = await self.get(path, **other)
        assert status == 200, (path, status)
        return text


@asynccontextmanager
async def standing(path: Path, **settings: Any) -> AsyncIterator[Standing]:
    """Open one; `settings` as the house takes them."""
    house = await House(path / "referee.db", **{"admins": (("telegram", "boss"),), **settings}).open()
    door = build(
        "127.0.0.1:0", house.referee.pages, house.clock, own=house.referee.own_pages, live=house.referee.live
    )
    await door.start()
    try:
        async with aiohttp.ClientSession(f"http://127.0.0.1:{door.port}") as session:
            yield Standing(house, door, session)
    finally:
        await door.stop()
        await house.close()


def text_of(page: str) -> str:
    """What stands in the page's main part, without its markup."""
    main = page.split("<main", 1)[1].split("</main>")[0].split(">", 1)[1]
    return " ".join(re.sub(r"<[^>]+>", " ", main).split())
