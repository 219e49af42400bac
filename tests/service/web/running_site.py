"""A house that runs by itself behind its door, and the browsers of those who sign in there."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp

from adapters.push import build as channel
from adapters.web import build
from adapters.web.server import WebServer
from referee.ports import Adapter, Letter, Receipt
from referee.store import Inbox
from tests.servers.ports import free_ports
from tests.servers.push_service import LOOPBACK
from tests.service.playing import asked, legal, table
from tests.service.rig import House, Wire

ANA, BEA = "telegram:ana", "matrix:bea"
PEOPLE = [ANA, BEA]
#: a form that nobody was given
FRESH = {"form": "1790000000000.AAAAAAAAAAAAAAAA." + "0" * 40}


class Guest:
    """One person's browser: its cookies, and the headers that a real one sends with forms."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.session = aiohttp.ClientSession(url, cookie_jar=aiohttp.CookieJar(unsafe=True))

    async def get(self, path: str, **headers: str) -> tuple[int, str, Any]:
        """Status, text, headers; nothing is followed."""
        async with self.session.get(path, allow_redirects=False, headers=headers) as answer:
            return answer.status, await answer.text(), answer.headers

    async def post(self, path: str, data: Any, headers: dict[str, str] | None = None) -> tuple[int, str, Any]:
        """The same of something sent; from a page of ours unless `headers` say otherwise."""
        async with self.session.post(
            path,
            data=data,
            allow_redirects=False,
            headers={"Origin": self.url} if headers is None else headers,
        ) as answer:
            return answer.status, await answer.text(), answer.headers

    async def page(self, path: str) -> str:
        """A page that is there."""
        status, text, _ = await self.get(path)
        assert status == 200, (path, status, text)
        return text

    async def form(self, path: str) -> dict[str, str]:
        """What the forms of a page carry unseen."""
        text = await self.page(path)
        quoted = re.findall(r'name="question" value="([^"]+)"', text)
        return {
            "form": re.findall(r'name="form" value="([^"]+)"', text)[0],
            **({"question": quoted[0]} if quoted else {}),
        }

    async def send(self, path: str, form: dict[str, str], **fields: str) -> str:
        """Send a form, and follow to the page with the answer."""
        status, text, headers = await self.post(path, {**form, **fields})
        assert status == 303, (status, text)
        return await self.page(headers["Location"])

    async def write(self, path: str, order: str) -> str:
        """Write something on a page, and follow to the page with the answer."""
        return await self.send(path, await self.form(path), order=order)


class Rung(Wire):
    """The real channel of notices, and what was given to it."""

    def __init__(self, real: Adapter) -> None:
        super().__init__(real.name)
        self.limits, self.real = real.limits, real

    async def send(self, letter: Letter) -> Receipt:
        self.sent.append(letter)
        return await self.real.send(letter)

    async def stop(self) -> None:
        await self.real.stop()


class Inn:
    """The house, its door, and its guests."""

    def __init__(self, house: House, door: WebServer) -> None:
        self.house, self.door, self.guests = house, door, list[Guest]()
        self.url = f"http://127.0.0.1:{door.port}"

    def guest(self) -> Guest:
        """Another browser."""
        self.guests.append(Guest(self.url))
        return self.guests[-1]

    async def link(self, who: str, words: str = "web") -> str:
        """The path of a link that was asked for."""
        await self.house.say(who, words)
        return next(word for word in self.house.last(who).text.split() if "/me/in/" in word).removeprefix(
            self.url
        )

    async def signed_in(self, who: str) -> Guest:
        """A browser in which this person is signed in."""
        guest = self.guest()
        status, _, _ = await guest.post(await self.link(who), {})
        assert status == 303
        return guest


@asynccontextmanager
async def lodging(path: Path, **settings: Any) -> AsyncIterator[Inn]:
    """Open one, with what runs by itself: the post, and what tells open pages that they have changed.

    `push`: the secret with which it tells browsers on loopback whose turn it is.
    """
    (port,) = free_ports(1)
    key = settings.pop("push", "")
    house = House(path / "referee.db", **{"base_url": f"http://127.0.0.1:{port}", **settings})
    if key:
        house.wires["push"] = Rung(channel(key, "", house.clock, networks=LOOPBACK))
    await house.open()
    whole = house.referee
    whole.own_pages.patience = 30.0  # a machine that is busy with other tests
    door = build(f"127.0.0.1:{port}", whole.pages, house.clock, own=whole.own_pages, live=whole.live)
    await door.start()
    loops = [asyncio.create_task(loop) for loop in (whole.outbox_worker.run(), whole.live.run())]
    inn = Inn(house, door)
    try:
        yield inn
    finally:
        for guest in inn.guests:
            await guest.session.close()
        await door.stop()
        for loop in loops:
            loop.cancel()
        await asyncio.gather(*loops, return_exceptions=True)
        if key:
            await house.wires["push"].stop()
        await house.close()


def inbox(inn: Inn) -> int:
    """How many messages have come by web."""
    return inn.house.store.read_now(lambda tx: tx.count(Inbox, channel="web"))


async def at_turn(inn: Inn, people: Sequence[str] = PEOPLE) -> tuple[int, Guest, str]:
    """A table, and the browser and the next order of the person who is asked."""
    game = await table(inn.house, list(people))
    return game, await inn.signed_in(people[asked(inn.house, game)]), legal(inn.house, game)[0]
