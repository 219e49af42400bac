"""The web door over real sockets: what each address answers, to whom, and what goes with it."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import AsyncIterator, Mapping
from typing import Any

import aiohttp
import pytest

from adapters.web import build
from adapters.web.assets import KEEP
from adapters.web.client_limits import MOST, WITHIN_MS
from adapters.web.guard import HEADERS
from adapters.web.server import WebServer
from referee.ports import Served
from referee.text.rendering.sites import Site
from tests.service.rig import Clock

GOOD, ALSO, BAD = "a" * 32, "b" * 32, "c" * 32
FILE = "BEGIN:VCALENDAR\r\nSUMMARY:ä\r\nEND:VCALENDAR\r\n".encode()


class Shown:
    """Pages that remember what they were asked."""

    def __init__(self) -> None:
        self.well, self.ended, self.breaks = True, list[str](), False
        self.wanted: list[tuple[str, str, dict[str, str]]] = []
        self._site = Site()

    async def sound(self) -> bool:
        return self.well

    async def calendar(self, token: str) -> bytes | None:
        if self.breaks:
            raise ValueError(token)
        return FILE if token == GOOD else None

    async def subscription(self, token: str) -> dict[str, Any] | None:
        return {
            GOOD: {"what": "game", "game": 17, "language": "en"},
            ALSO: {"what": "all", "game": None, "language": "pt_BR"},
        }.get(token)

    async def unsubscribe(self, token: str) -> dict[str, Any] | None:
        found = await self.subscription(token)
        if found is not None:
            self.ended.append(token)
        return found

    def page(self, name: str, language: str = "en", **facts: Any) -> str:
        return self._site.page(name, language, **facts)

    async def shown(self, name: str, language: str, wanted: Mapping[str, str]) -> Served | None:
        self.wanted.append((name, language, dict(wanted)))
        if name == "history":
            return Served(b"", moved="/t/17/step/1")
        return Served(b"<p>Table", tag="aa") if wanted.get("game") == "17" and not wanted["key"] else None

    def asset(self, kept: str) -> Served | None:
        found = self._site.assets.file(kept)
        return None if found is None else Served(*found)


@pytest.fixture
def pages() -> Shown:
    return Shown()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def door(pages: Shown, clock: Clock) -> AsyncIterator[WebServer]:
    one = build("127.0.0.1:0", pages, clock)
    await one.start()
    yield one
    await one.stop()


@pytest.fixture
async def browser(door: WebServer) -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession(f"http://127.0.0.1:{door.port}") as session:
        yield session


async def asked(
    browser: aiohttp.ClientSession, path: str, method: str = "GET", **other: Any
) -> tuple[int, str, Any]:
    async with browser.request(method, path, **other) as answer:
        return answer.status, await answer.text(), answer.headers


async def test_health(browser: aiohttp.ClientSession, pages: Shown) -> None:
    assert (await asked(browser, "/healthz"))[:2] == (200, "ok\n")
    pages.well = False
    assert (await asked(browser, "/healthz"))[:2] == (503, "broken\n")


async def test_a_calendar_is_a_file(browser: aiohttp.ClientSession) -> None:
    async with browser.get(f"/calendar/{GOOD}.ics") as answer:
        assert answer.status == 200
        assert await answer.read() == FILE
        assert answer.headers["Content-Type"] == "text/calendar; charset=utf-8"
    assert (await asked(browser, f"/calendar/{GOOD}.ics", "HEAD"))[:2] == (200, "")


async def test_looking_at_the_link_ends_nothing_and_its_button_does(
    browser: aiohttp.ClientSession, pages: Shown
) -> None:
    status, page, _ = await asked(browser, f"/u/{GOOD}")
    assert status == 200
    assert "game #17" in page
    assert '<form method="post">' in page
    assert (await asked(browser, f"/u/{GOOD}", "HEAD"))[0] == 200
    assert pages.ended == []
    status, page, _ = await asked(browser, f"/u/{GOOD}", "POST")
    assert status == 200
    assert "no more letters about game #17" in page
    assert pages.ended == [GOOD]


async def test_one_click_of_a_mail_program(browser: aiohttp.ClientSession, pages: Shown) -> None:
    for data in (b"List-Unsubscribe=One-Click", b""):
        status, _, _ = await asked(
            browser,
            f"/u/{ALSO}",
            "POST",
            data=data,
            headers={"Content-Type": "application/x-www-form-urlencoded"},
        )
        assert status == 200
    assert pages.ended == [ALSO, ALSO]


async def test_a_wrong_token_is_told_apart_from_nothing(browser: aiohttp.ClientSession, pages: Shown) -> None:
    answers = set()
    for path in (
        f"/calendar/{BAD}.ics",
        f"/u/{BAD}",
        "/nowhere",
        "/calendar/short.ics",
        f"/calendar/{GOOD}",
        "/u/..%2f..%2fetc%2fpasswd",
        f"/calendar/{GOOD}.ics/more",
    ):
        status, page, _ = await asked(browser, path)
        assert status == 404, path
        answers.add(page)
    assert len(answers) == 1
    status, _, _ = await asked(browser, f"/u/{BAD}", "POST")
    assert status == 404
    assert pages.ended == []


async def test_other_ways_of_asking_change_nothing(browser: aiohttp.ClientSession, pages: Shown) -> None:
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS"):
        status, _, headers = await asked(browser, f"/u/{GOOD}", method)
        assert status == 405
        assert "POST" in headers["Allow"]
    assert (await asked(browser, f"/calendar/{GOOD}.ics", "POST"))[0] == 405
    assert (await asked(browser, f"/u/{GOOD}", "POST", data=b"x" * 100_000))[0] == 413
    assert pages.ended == []


@pytest.mark.parametrize(
    ("path", "status"),
    [("/healthz", 200), (f"/calendar/{GOOD}.ics", 200), (f"/u/{GOOD}", 200), ("/nowhere", 404)],
)
async def test_everything_leaves_with_its_headers(
    browser: aiohttp.ClientSession, path: str, status: int
) -> None:
    found, page, headers = await asked(browser, path)
    assert found == status
    for name, value in HEADERS.items():
        assert headers[name] == value
    assert headers["Content-Security-Policy"].startswith("default-src 'none'")
    assert "Set-Cookie" not in headers
    for strange in ("http://", "https://", "//", "<script", "@import", "url("):
        assert strange not in page.replace("text/html", "").replace("http://www.w3.org/2000/svg", "")


async def test_a_page_is_dressed_by_our_own_files_and_nothing_stands_inline(
    browser: aiohttp.ClientSession,
) -> None:
    _, page, headers = await asked(browser, f"/u/{GOOD}")
    policy = dict(part.split(" ", 1) for part in headers["Content-Security-Policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert {
        policy[kind] for kind in ("style-src", "script-src", "connect-src", "img-src", "form-action")
    } == {"'self'"}
    assert "style=" not in page
    for address in (part.split('"')[0] for part in page.split('href="')[1:] if part.startswith("/static/")):
        async with browser.get(address) as answer:
            assert answer.status == 200
            assert answer.headers["Cache-Control"] == KEEP
            assert answer.content_type in ("text/css", "image/svg+xml", "image/png")
    for wrong in ("/static/style.css", "/static/style-000000000000.css", "/static/..%2fguard.py", "/static/"):
        assert (await asked(browser, wrong))[0] == 404


async def test_what_anybody_may_see_is_asked_for_by_name_and_kept_by_its_tag(
    browser: aiohttp.ClientSession, pages: Shown
) -> None:
    status, page, headers = await asked(
        browser, "/t/17?page=2&x=" + "y" * 500, headers={"Accept-Language": "pt-BR,pt;q=0.9"}
    )
    assert (status, page, headers["ETag"], headers["Cache-Control"]) == (200, "<p>Table", '"aa"', "no-cache")
    assert pages.wanted == [("table", "pt-BR,pt", {"page": "2", "x": "y" * 100, "game": "17", "key": ""})]
    assert (await asked(browser, "/t/17", headers={"If-None-Match": '"zz", "aa"'}))[:2] == (304, "")
    assert (await asked(browser, "/t/17", headers={"If-None-Match": "nonsense"}))[0] == 200
    assert (await asked(browser, "/t/17", "HEAD"))[:2] == (200, "")
    status, _, headers = await asked(browser, "/t/17/history", allow_redirects=False)
    assert (status, headers["Location"]) == (301, "/t/17/step/1")
    assert (await asked(browser, "/t/17", "POST"))[0] == 405


@pytest.mark.parametrize(
    "path",
    [
        "/t/0",
        "/t/017",
        "/t/9999999999",
        "/t/-1",
        "/t/1e3",
        "/t/17x",
        "/t/17-short",
        "/t/١٧",
        "/t/17/step/-1",
        "/t/17/step/9999999",
        "/t/",
        "/t/17/",
    ],
)
async def test_numbers_that_are_none_lead_nowhere(
    browser: aiohttp.ClientSession, pages: Shown, path: str
) -> None:
    assert (await asked(browser, path))[0] == 404
    assert pages.wanted == []


async def test_whoever_guesses_keys_is_not_served_for_a_while(browser: aiohttp.ClientSession) -> None:
    for _ in range(MOST):
        assert (await asked(browser, f"/t/17-{'a' * 16}"))[0] == 404
    assert (await asked(browser, f"/t/17-{'a' * 16}"))[0] == 429
    assert (await asked(browser, "/t/17"))[0] == 200


async def test_what_breaks_is_answered_and_the_log_names_no_address(
    browser: aiohttp.ClientSession, pages: Shown, caplog: pytest.LogCaptureFixture
) -> None:
    pages.breaks = True
    with caplog.at_level(logging.DEBUG):
        status, page, headers = await asked(browser, f"/calendar/{ALSO}.ics")
    assert status == 500
    assert "our fault" in page
    assert headers["Referrer-Policy"] == "no-referrer"
    assert any("could not be made" in record.message for record in caplog.records)
    assert not any(f"/calendar/{ALSO}" in record.getMessage() for record in caplog.records)
    pages.breaks = False
    assert (await asked(browser, f"/calendar/{GOOD}.ics"))[0] == 200


async def test_whoever_guesses_hears_that_it_is_too_much_and_a_right_token_opens(
    browser: aiohttp.ClientSession, clock: Clock, pages: Shown
) -> None:
    for _ in range(MOST):
        assert (await asked(browser, f"/calendar/{BAD}.ics"))[0] == 404
    for path in (f"/calendar/{BAD}.ics", f"/u/{BAD}"):
        status, page, _ = await asked(browser, path)
        assert status == 429
        assert "Too many" in page
    assert (await asked(browser, f"/calendar/{GOOD}.ics"))[0] == 200
    assert (await asked(browser, f"/u/{GOOD}", "POST"))[0] == 200
    assert pages.ended == [GOOD]
    assert (await asked(browser, "/healthz"))[0] == 200
    clock.pass_(seconds=WITHIN_MS / 1000)
    assert (await asked(browser, f"/calendar/{BAD}.ics"))[0] == 404


@pytest.mark.parametrize(("proxied", "status"), [(True, 429), (False, 404)])
async def test_behind_a_proxy_the_caller_is_who_it_says(
    pages: Shown, clock: Clock, proxied: bool, status: int
) -> None:
    """…and where we were not told of it, nobody hears that somebody else was too much."""
    door = build("127.0.0.1:0", pages, clock, proxied=proxied)
    await door.start()
    try:
        async with aiohttp.ClientSession(f"http://127.0.0.1:{door.port}") as browser:
            for n in range(MOST):
                await asked(
                    browser, f"/u/{BAD}", headers={"X-Forwarded-For": f"9.9.9.9, 2001:db8::{n:x}"}
                )  # one IPv6 network
            assert (
                await asked(browser, f"/u/{BAD}", headers={"X-Forwarded-For": "2001:db8::ffff, 198.51.100.1"})
            )[0] == 404
            assert (
                await asked(browser, f"/u/{BAD}", headers={"X-Forwarded-For": "198.51.100.1, 2001:db8::abcd"})
            )[0] == status
            assert (
                await asked(
                    browser, f"/u/{GOOD}", headers={"X-Forwarded-For": "198.51.100.1, 2001:db8::abcd"}
                )
            )[0] == 200
    finally:
        await door.stop()


async def test_rubbish_on_the_wire_ends_nobody(door: WebServer, browser: aiohttp.ClientSession) -> None:
    for rubbish in (b"\x00\xff\xfe\r\n\r\n", b"GET /u/" + b"a" * 20_000 + b" HTTP/1.1\r\n\r\n", b"GET"):
        reader, writer = await asyncio.open_connection("127.0.0.1", door.port)
        writer.write(rubbish)
        writer.write_eof()
        async with asyncio.timeout(5):
            answer = await reader.read()
        writer.close()
        assert b"aiohttp/" not in answer
        assert b"Python/" not in answer
    assert (await asked(browser, "/healthz"))[0] == 200


async def test_a_port_that_is_taken_is_the_admins_to_mend(pages: Shown, clock: Clock) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        door = build(f"127.0.0.1:{taken.getsockname()[1]}", pages, clock)
        with pytest.raises(OSError):
            await door.start()
        await door.stop()


async def test_a_language_that_is_not_there_is_english(browser: aiohttp.ClientSession) -> None:
    for wanted in ("de-DE,de;q=0.9", "xx", "../../etc", "*"):
        status, page, _ = await asked(browser, f"/u/{GOOD}", headers={"Accept-Language": wanted})
        assert status == 200
        assert '<html lang="en">' in page


@pytest.mark.parametrize(
    "sent",
    [
        b"GET /u/" + GOOD.encode() + b"?" + b"x" * 9000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
        b"\x16\x03\x01" + GOOD.encode() + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + GOOD.encode() + b"\r\n\r\n",
    ],
)
async def test_what_cannot_be_read_is_refused_and_not_logged(
    door: WebServer, browser: aiohttp.ClientSession, caplog: pytest.LogCaptureFixture, sent: bytes
) -> None:
    with caplog.at_level(logging.DEBUG):
        reader, writer = await asyncio.open_connection("127.0.0.1", door.port)
        writer.write(sent)
        assert b" 400 " in await reader.readline()
        writer.close()
        assert (await asked(browser, "/healthz"))[0] == 200
    assert GOOD not in caplog.text
    assert "Traceback" not in caplog.text


@pytest.mark.parametrize(
    "sent",
    [
        b"Content-Length: 100\r\n\r\nx",
        b"Transfer-Encoding: chunked\r\n\r\n5\r\nabc",
        b"Content-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc",
    ],
)
async def test_a_body_that_never_comes_whole_is_no_error_of_ours(
    door: WebServer, pages: Shown, caplog: pytest.LogCaptureFixture, sent: bytes
) -> None:
    """A phone that loses its network in the midst of a form did so with an error in the log."""
    for method in (b"GET", b"POST"):
        reader, writer = await asyncio.open_connection("127.0.0.1", door.port)
        writer.write(method + b" /u/" + GOOD.encode() + b" HTTP/1.1\r\nHost: x\r\n" + sent)
        writer.write_eof()
        async with asyncio.timeout(10):
            assert b" 500 " not in await reader.read()
        writer.close()
    assert pages.ended == []
    assert [one.getMessage() for one in caplog.records if one.levelno >= logging.WARNING] == []
