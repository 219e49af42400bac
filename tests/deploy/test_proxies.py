"""The web pages behind Caddy and nginx, with the files of deploy/proxy: real requests, a real sign-in, a real
stream.
"""

from __future__ import annotations

import asyncio
import io
import re
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from aiohttp import web

from adapters.telegram import webhook
from adapters.web import build, server
from adapters.web.server import WebServer
from referee.service.web import live
from tests.deploy.fronts import FRONTS, PROXY, Front, running
from tests.service.playing import asked, legal, table
from tests.service.rig import House

ANA, BEA = "telegram:ana", "matrix:bea"


class Behind:
    """A house whose pages are behind a front; `called` is what came to Telegram's door."""

    def __init__(self, house: House, front: Front, session: aiohttp.ClientSession, door: WebServer) -> None:
        self.house, self.front, self.session, self.called = house, front, session, list[tuple[Any, int]]()
        self.door = door

    async def get(self, path: str, **headers: str) -> tuple[int, str, Any]:
        async with self.session.get(path, headers=headers, allow_redirects=False) as answer:
            return answer.status, await answer.text(), answer.headers


@asynccontextmanager
async def standing(name: str, home: Path) -> AsyncIterator[Behind]:
    async with AsyncExitStack() as stack:
        front = FRONTS[name](home)
        house = await House(home / "referee.db", base_url=front.url).open()
        stack.push_async_callback(house.close)
        whole = house.referee
        whole.own_pages.patience = 30.0
        door = build(
            f"127.0.0.1:{front.pages}",
            whole.pages,
            house.clock,
            own=whole.own_pages,
            live=whole.live,
            watch=whole.monitor,
            proxied=True,
        )
        await door.start()
        stack.push_async_callback(door.stop)
        loops = [asyncio.create_task(loop) for loop in (whole.outbox_worker.run(), whole.live.run())]
        session = await stack.enter_async_context(
            aiohttp.ClientSession(
                front.url,
                cookie_jar=aiohttp.CookieJar(unsafe=True),
                connector=aiohttp.TCPConnector(ssl=front.tls),
            )
        )
        behind = Behind(house, front, session, door)

        async def hook(request: web.Request) -> web.Response:
            behind.called.append((request.headers, len(await request.read())))
            return web.Response()

        telegram = web.Application(client_max_size=1 << 22)
        telegram.router.add_post("/hook/telegram", hook)
        runner = web.AppRunner(telegram)
        await runner.setup()
        stack.push_async_callback(runner.cleanup)
        await web.TCPSite(runner, "127.0.0.1", front.hook).start()
        stack.enter_context(running(front))
        try:
            yield behind
        finally:
            for loop in loops:
                loop.cancel()
            await asyncio.gather(*loops, return_exceptions=True)


@pytest.fixture(params=sorted(FRONTS))
async def behind(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Behind]:
    monkeypatch.setattr(live, "_GATHER", 0.01)
    async with standing(request.param, tmp_path) as one:
        end = time.monotonic() + 20
        while (await one.get("/"))[0] != 200:  # it has to learn first which of the referees is well
            assert time.monotonic() < end
            await asyncio.sleep(0.1)
        yield one


def test_an_idle_connection_is_closed_by_the_front_before_we_do() -> None:
    """Where we closed it in that moment, an order that was just being sent on it was answered 502."""
    kept = re.findall(r"keepalive (\d+)s$", (PROXY / "Caddyfile").read_text(), re.MULTILINE)
    telegram, pages = (int(seconds) for seconds in kept)
    (nginx,) = re.findall(r"keepalive_timeout (\d+)s;$", (PROXY / "nginx.conf").read_text(), re.MULTILINE)
    assert max(pages, int(nginx)) < server.IDLE_S
    assert telegram < webhook.IDLE_S


async def test_a_page_arrives_with_its_headers(behind: Behind) -> None:
    status, text, headers = await behind.get("/")
    assert (status, "<h1" in text) == (200, True)
    assert headers["Content-Security-Policy"].startswith("default-src 'none'")
    assert headers["Strict-Transport-Security"] == "max-age=31536000"
    assert headers["Cache-Control"] == "no-cache"


@pytest.mark.parametrize("path", ["/metrics", "/readyz", "/healthz"])
async def test_figures_are_not_for_outside(behind: Behind, path: str) -> None:
    for spoofed in ({}, {"X-Forwarded-For": "127.0.0.1"}, {"Forwarded": "for=127.0.0.1"}):
        status, text, _ = await behind.get(path, **spoofed)
        assert status == 404
        assert "citadels_" not in text


async def test_who_calls_is_believed_to_the_front_only(behind: Behind) -> None:
    """Somebody who asks for wrong addresses is not served for a while, whatever they say of themselves; that
    is counted by caller.
    """
    token = "s" * 32
    statuses = [(await behind.get(f"/u/{token}", **{"X-Forwarded-For": f"10.0.0.{n}"}))[0] for n in range(34)]
    assert statuses[0] == 404
    assert statuses[-1] == 429


async def test_somebody_signs_in_and_plays(behind: Behind) -> None:
    house, url = behind.house, behind.front.url
    people = [ANA, BEA]
    game = await table(house, people)
    who = people[asked(house, game)]
    await house.say(who, "web")
    link = next(word for word in house.last(who).text.split() if "/me/in/" in word).removeprefix(url)
    async with behind.session.post(link, headers={"Origin": url}, allow_redirects=False) as answer:
        assert answer.status == 303
        assert answer.headers["Location"].startswith("/me")
        assert ("secure" in answer.headers["Set-Cookie"].lower()) == url.startswith("https")
    status, text, _ = await behind.get(f"/me/{game}")
    assert status == 200
    form = text.partition('name="form" value="')[2].partition('"')[0]
    async with behind.session.post(
        f"/me/{game}",
        data={"form": form, "order": legal(house, game)[0]},
        headers={"Origin": url},
        allow_redirects=False,
    ) as answer:
        assert answer.status == 303
    async with behind.session.post(
        f"/me/{game}", data={"form": form, "order": "status"}, headers={"Origin": "https://elsewhere.test"}
    ) as answer:
        assert answer.status == 403, "what another site's page sends is refused behind a front, too"


async def test_an_open_page_hears_of_a_change_at_once(behind: Behind) -> None:
    house = behind.house
    people = [ANA, BEA]
    game = await table(house, people)
    async with behind.session.get(f"/t/{game}/events", headers={"Accept-Encoding": "gzip, zstd"}) as answer:
        assert answer.status == 200
        assert answer.headers["Content-Type"].startswith("text/event-stream")
        assert "Content-Encoding" not in answer.headers
        async with asyncio.timeout(20):
            while not (await answer.content.readline()).startswith(b"data:"):
                pass
        await house.say(people[asked(house, game)], legal(house, game)[0])
        async with asyncio.timeout(20):
            while not (await answer.content.readline()).startswith(b"data:"):
                pass


async def test_bodies_have_their_limits(behind: Behind) -> None:
    async with behind.session.post("/me/1", data=b"x" * 100_000) as answer:
        # Caddy before 2.7 says 502, or passes on what the referee says of somebody who is not signed in,
        # where that is quicker than the whole body
        assert answer.status in (413, 502, 403)
    async with behind.session.post(
        "/hook/telegram", data=b"x" * 200_000, headers={"X-Telegram-Bot-Api-Secret-Token": "s3cret"}
    ) as answer:
        assert answer.status == 200
    async with behind.session.post("/hook/telegram", data=io.BytesIO(b"x" * 2_000_000)) as answer:
        assert answer.status in (413, 502)
    ((headers, size),) = behind.called
    assert (headers["X-Telegram-Bot-Api-Secret-Token"], size) == ("s3cret", 200_000)


async def test_every_call_of_telegram_arrives_where_another_referee_has_the_bot(behind: Behind) -> None:
    """Of two that serve one listens for it: every second call was answered 502, and came a minute later."""
    for number in range(6):
        async with behind.session.post("/hook/telegram", data=b"{}") as answer:
            assert answer.status == 200, number
    assert len(behind.called) == 6


async def test_no_address_is_in_a_log_whatever_goes_wrong(behind: Behind) -> None:
    """A link, or a calendar, that was asked for while a referee started anew stood there with its secret."""
    secret = "s" * 32
    path = f"/calendar/{secret}.ics"
    if behind.front.plain:
        async with behind.session.get(f"{behind.front.plain}{path}", allow_redirects=False) as answer:
            assert (answer.status, answer.headers["Location"]) == (301, behind.front.url + path)
    assert (await behind.get(path))[0] == 404
    async with behind.session.post(f"/u/{secret}", data=b"x" * 100_000) as answer:
        await answer.read()
    await behind.door.stop()
    assert (await behind.get(path, Referer=f"{behind.front.url}{path}"))[0] in (502, 503)
    assert secret not in behind.front.logs()
