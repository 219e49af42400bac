"""Somebody's own pages through the real door: signing in, the seat's page, and forms that go where chat goes."""
from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from adapters.web import build
from adapters.web.door import Door
from tests.service.play import asked, legal, running, table
from tests.service.rig import House

ANA, BEA = "telegram:ana", "matrix:bea"
PEOPLE = [ANA, BEA]
ORIGIN = "http://play.test"


class Browser:
    """One person's browser: its cookies, and headers as a real one sends them with forms."""

    def __init__(self, port: int) -> None:
        self.session = aiohttp.ClientSession(f"http://127.0.0.1:{port}", cookie_jar=aiohttp.CookieJar(unsafe=True))

    async def get(self, path: str, **other: Any) -> tuple[int, str, Any]:
        async with self.session.get(path, allow_redirects=False, **other) as answer:
            return answer.status, await answer.text(), answer.headers

    async def post(self, path: str, data: Any, **headers: str) -> tuple[int, str, Any]:
        async with self.session.post(path, data=data, allow_redirects=False, headers={"Origin": ORIGIN, **headers}) as answer:
            return answer.status, await answer.text(), answer.headers

    async def page(self, path: str) -> str:
        status, text, _ = await self.get(path)
        assert status == 200, (path, status)
        return text

    async def form(self, path: str) -> dict[str, str]:
        """The hidden fields of the forms on a page."""
        text = await self.page(path)
        found = {"form": re.findall(r'name="form" value="([^"]+)"', text)[0]}
        quoted = re.findall(r'name="question" value="([^"]+)"', text)
        return found | ({"question": quoted[0]} if quoted else {})

    async def write(self, path: str, order: str, **other: str) -> str:
        """Write something on a page, and follow to the page with the answer."""
        status, text, headers = await self.post(path, {**await self.form(path), "order": order, **other})
        assert status == 303, (status, text)
        return await self.page(headers["Location"])

    async def sign_in(self, house: House, who: str, words: str = "web") -> str:
        """Ask for a link and use it; the address that it leads to."""
        path = await link(house, who, words)
        assert "Sign in as" in await self.page(path)
        status, _, headers = await self.post(path, {})
        assert status == 303
        return str(headers["Location"])


async def link(house: House, who: str, words: str = "web") -> str:
    await house.say(who, words)
    return next(word for word in house.last(who).text.split() if "/me/in/" in word).removeprefix(ORIGIN)


class Inn:
    """A house with its door open and its loops running, as many browsers as are asked for."""

    def __init__(self, house: House, door: Door) -> None:
        self.house, self.door, self.browsers = house, door, list[Browser]()

    def browser(self) -> Browser:
        self.browsers.append(Browser(self.door.port))
        return self.browsers[-1]


@pytest.fixture
async def inn(tmp_path: Path) -> AsyncIterator[Inn]:
    house = await House(tmp_path / "referee.db", base_url=ORIGIN, admins=(("telegram", "boss"),)).open()
    door = build("127.0.0.1:0", house.referee.pages, house.clock, own=house.referee.own)
    await door.start()
    post = asyncio.create_task(house.referee.post.run())
    one = Inn(house, door)
    yield one
    post.cancel()
    with suppress(asyncio.CancelledError):
        await post
    for browser in one.browsers:
        await browser.session.close()
    await door.stop()
    await house.close()


async def test_a_link_signs_in_once(inn: Inn) -> None:
    game = await table(inn.house, PEOPLE)
    ana = inn.browser()
    assert (await ana.get("/me"))[0] == 403
    path = await link(inn.house, ANA)
    for _ in range(3):                                # whatever looks at links uses nothing up
        assert (await ana.get(path))[0] == 200
    status, _, headers = await ana.post(path, {})
    assert (status, headers["Location"]) == (303, "/me")
    assert f"Table #{game}" in await ana.page("/me")
    status, text, _ = await inn.browser().post(path, {})
    assert status == 404
    assert "Write <code>web</code>" in text


async def test_an_order_is_played_and_answered(inn: Inn) -> None:
    house = inn.house
    game = await table(house, PEOPLE)
    seat = asked(house, game)
    browser = inn.browser()
    await browser.sign_in(house, PEOPLE[seat])
    order = legal(house, game)[0]
    page = await browser.write(f"/me/{game}", order)
    assert "Done:" in page
    assert f"<code>{order}</code>" in page
    assert running(house, game).move_no == 1
