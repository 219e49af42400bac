"""Attacks D7 and D9: slow, many and forged connections at the doors.

Real sockets on loopback; what is asserted are counts.
"""

from __future__ import annotations

import asyncio
import logging
import resource
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from io import StringIO
from pathlib import Path

import aiohttp
import pytest

from adapters.terminal.protocol import packed
from adapters.terminal.server import TerminalAdapter
from adapters.web import build, guard, server
from adapters.web.checking import findings
from adapters.web.client_limits import MOST as WRONG
from adapters.web.server import WebServer
from referee import connections, log, throttle
from referee.connections import Connections
from tests.adapters.test_web import BAD, GOOD, Shown
from tests.service.rig import Clock

FAR = "203.0.113.7"


@pytest.fixture
def pages() -> Shown:
    return Shown()


@pytest.fixture
async def web(pages: Shown) -> AsyncIterator[WebServer]:
    one = build("127.0.0.1:0", pages, Clock())
    await one.start()
    yield one
    await one.stop()


@pytest.fixture
def few_descriptors() -> Iterator[int]:
    """A process that may open little, as many systems have it: 1024 would do as well, and take longer."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    used = len(list(Path("/proc/self/fd").iterdir()))
    resource.setrlimit(resource.RLIMIT_NOFILE, (used + 500, hard))
    yield used + 500
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


async def opened(port: int, words: bytes = b"") -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(words)
    return reader, writer


async def is_closed(reader: asyncio.StreamReader) -> bool:
    """Whether the other side hung up, sooner or later."""
    with suppress(ConnectionError):
        async with asyncio.timeout(10):
            while await reader.read(65_536):
                pass
    return True


async def get(port: int, path: str, **headers: str) -> tuple[int, str]:
    async with (
        aiohttp.ClientSession() as session,
        session.get(f"http://127.0.0.1:{port}{path}", headers=headers) as answer,
    ):
        return answer.status, await answer.text()


# D7: connections


async def test_whoever_comes_above_the_number_is_hung_up_on_and_the_others_are_answered(
    web: WebServer,
) -> None:
    web.guests.most, web.guests.each = 40, 10
    slow = [
        await opened(web.port, b"GET / HTTP/1.1\r\nHost: x\r\nX-A: ") for _ in range(20)
    ]  # from near: half of all
    async with asyncio.timeout(10):
        while web.guests.open.total() < 20:
            await asyncio.sleep(0.01)
    over = [await opened(web.port, b"GET / HTTP/1.1\r\n") for _ in range(30)]
    assert all([await is_closed(reader) for reader, _ in over])
    assert (web.guests.open.total(), web.guests.refused) == (20, 30)
    for _, writer in slow[:1]:
        writer.close()
    async with asyncio.timeout(10):
        while web.guests.open.total() > 19:
            await asyncio.sleep(0.01)
    assert (await get(web.port, "/healthz"))[0] == 200
    for _, writer in slow + over:
        writer.close()


def test_a_peer_is_an_address_and_of_ipv6_a_network() -> None:
    count = Connections(1_000, 3)
    assert [count.enter(FAR) for _ in range(4)] == [True, True, True, False]
    assert [count.enter(f"::ffff:{FAR}") for _ in range(1)] == [False]
    assert [count.enter(f"2001:db8:1:2::{n:x}") for n in range(4)] == [True, True, True, False]
    assert count.enter("2001:db8:1:3::1")
    assert all(count.enter("10.0.0.9") for _ in range(400)), "a web server, behind which others stand"
    for name in [FAR] * 3:
        count.leave(name)
    assert count.enter(FAR)
    assert count.open.total() == 1 + 3 + 1 + 400


async def test_web_connections_leave_descriptors_for_terminals_and_the_log_is_quiet(
    few_descriptors: int, pages: Shown, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The attacker is another process, as far as descriptors go: here both ends are ours, so it may use as
    many as the door has.
    """
    one = build("127.0.0.1:0", pages, Clock())
    await one.start()
    assert one.guests.most <= (few_descriptors - connections.RESERVE) / 2
    hall = TerminalAdapter(tmp_path / "s", Clock())
    hall.reception = _Deaf()  # type: ignore[assignment]  # says that everything is on disk
    await hall._listen()
    held = [
        await opened(
            one.port, b"POST /u/" + GOOD.encode() + b" HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nx"
        )
        for _ in range(one.guests.most + 40)
    ]
    async with asyncio.timeout(10):
        while one.guests.refused < 40:
            await asyncio.sleep(0.01)
    assert one.guests.open.total() <= one.guests.most
    reader, writer = await asyncio.open_unix_connection(str(tmp_path / "s"))
    writer.write(packed({"hello": "ana", "key": "1"}))
    assert b"welcome" in await asyncio.wait_for(reader.readline(), 10)
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]
    for _, each in [*held, (reader, writer)]:
        each.close()
    await hall.stop()
    await one.stop()


class _Deaf:
    async def receive(self, batch: object, *, channel: str, cursor: object = None) -> None:
        """On disk, let us say."""

    async def bookmark(self, channel: str, name: str) -> str | None:
        return "1"


# D7: time


async def test_headers_that_trickle_and_bodies_that_do_not_come(
    web: WebServer, pages: Shown, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guard, "BODY_S", 0.3)
    monkeypatch.setattr(server, "LINGER_S", 0.2)
    monkeypatch.setattr(server, "IDLE_S", 0.3)
    quick = build("127.0.0.1:0", pages, Clock())
    await quick.start()
    silent = await opened(quick.port)
    trickle = await opened(quick.port, b"GET / HTTP/1.1\r\nX-A: ")
    half = await opened(
        quick.port, b"POST /u/" + GOOD.encode() + b" HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nx"
    )
    lost = await opened(quick.port, b"POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nx")

    async def drip() -> None:
        with suppress(ConnectionError):
            while True:
                trickle[1].write(b"a")
                await trickle[1].drain()
                await asyncio.sleep(0.05)

    dripping = asyncio.create_task(drip())
    assert b" 408 " in await asyncio.wait_for(half[0].readline(), 10)
    assert all([await is_closed(reader) for reader, _ in (silent, trickle, half, lost)])
    assert pages.ended == [], "nothing is done of which half was said"
    dripping.cancel()
    for _, writer in (silent, trickle, half, lost):
        writer.close()
    await quick.stop()


async def test_whoever_never_reads_is_hung_up_on() -> None:
    """Also with less in the buffer than would make a writer wait, and after our side has closed."""
    count = Connections(10, 10, unread_s=0.2)
    over: list[asyncio.Event] = []

    class Talker(asyncio.Protocol):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            over.append(asyncio.Event())
            assert isinstance(transport, asyncio.WriteTransport)
            transport.write(b"x" * 30_000_000)
            transport.close()

        def connection_lost(self, exc: Exception | None) -> None:
            over[-1].set()

    server = await connections.listen(count, Talker, "127.0.0.1", 0)
    mute = socket.create_connection(server.sockets[0].getsockname())
    async with asyncio.timeout(20):
        while not over:
            await asyncio.sleep(0.01)
        await over[0].wait()
    assert count.open.total() == 0
    mute.close()
    server.close()


async def test_a_terminal_says_who_it_is_and_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from adapters.terminal import server

    monkeypatch.setattr(server, "HELLO_SECONDS", 0.2)
    hall = TerminalAdapter(tmp_path / "s", Clock())
    hall.reception = _Deaf()  # type: ignore[assignment]  # says that everything is on disk
    await hall._listen()
    reader, writer = await asyncio.open_unix_connection(str(tmp_path / "s"))
    assert b"hello-first" in await asyncio.wait_for(reader.readline(), 10)
    writer.close()
    mute, talk = await asyncio.open_unix_connection(str(tmp_path / "s"))
    talk.write(packed({"hello": "ana", "key": "1"}))
    assert b"welcome" in await asyncio.wait_for(mute.readline(), 10)
    monkeypatch.setattr(server, "SHOW_SECONDS", 0.01)
    from referee.ports import Letter

    mute._transport.pause_reading()  # type: ignore[attr-defined]  # the stream reader's own, that reads ahead
    line = hall.seated.lines("ana")[0]
    for number in range(100):
        await hall.send(Letter(id=str(number), channel="terminal", address="ana", text="x" * 100_000))
        if line.transport.is_closing():
            break
    assert line.transport.is_closing(), "hung up on: what waits for it is bounded"
    assert number * 100_000 < 4 * connections.UNREAD
    talk.close()
    await hall.stop()


# D7: the log


def test_a_log_that_nobody_can_fill(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(throttle.time, "monotonic", lambda: now[0])
    out = StringIO()
    root = logging.getLogger()
    kept = root.handlers[:], root.level
    try:
        log.begin("readable", stream=out)
        root.handlers[0].filters[0]._clock = lambda: now[0]  # type: ignore[union-attr,attr-defined]  # our own filter
        noisy = logging.getLogger("asyncio")
        for number in range(80_000):
            noisy.error("socket.accept() out of system resource\nsocket: <socket fd=%d>" % number)  # noqa: UP031  # as the library words it, whole
        for number in range(50):
            logging.getLogger("referee").info("letter %s sent", number)
        logging.getLogger("referee").warning("something else")
        now[0] += 11
        logging.getLogger("referee").info("later")
    finally:
        root.handlers[:], root.level = kept
    lines = out.getvalue().splitlines()
    assert sum("fd=" in line for line in lines) == throttle.MOST
    assert sum("letter" in line for line in lines) == 50, "what we tell of our own work is told"
    assert any("something else" in line for line in lines)
    assert sum(f"{80_000 - throttle.MOST} more lines like this" in line for line in lines) == 1
    assert len(lines) < 120


# D9: proxied


async def test_wrong_links_of_others_lock_nobody_out(web: WebServer, pages: Shown) -> None:
    """proxied = false behind a web server: all come from its address."""
    for _ in range(WRONG + 20):
        await get(web.port, f"/u/{BAD}", **{"X-Forwarded-For": FAR})
        await get(web.port, f"/u/{BAD}")
    assert (await get(web.port, f"/u/{GOOD}", **{"X-Forwarded-For": "198.51.100.9"}))[0] == 200
    assert (await get(web.port, f"/calendar/{GOOD}.ics"))[0] == 200
    assert (await get(web.port, f"/u/{BAD}", **{"X-Forwarded-For": "198.51.100.9"}))[0] == 404, (
        "their link is gone, and they are told so"
    )
    assert (await get(web.port, f"/u/{BAD}"))[0] == 429


async def test_what_a_far_caller_says_of_itself_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    from aiohttp.test_utils import make_mocked_request

    from adapters.web.client_limits import ClientLimits, caller

    callers = ClientLimits(Clock(), proxied=True)

    def asked(peer: str, *said: str) -> object:
        headers = [("X-Forwarded-For", one) for one in said]
        request = make_mocked_request("GET", "/", headers=dict(headers))
        return request.clone(remote=peer)

    assert caller(asked(FAR, "10.1.1.1"), proxied=True) == FAR  # type: ignore[arg-type]  # a request of a test
    assert caller(asked("127.0.0.1", f"10.1.1.1, {FAR}"), proxied=True) == FAR  # type: ignore[arg-type]  # a request of a test
    assert caller(asked("172.18.0.2", FAR), proxied=False) == "172.18.0.2"  # type: ignore[arg-type]  # a request of a test
    assert callers.who(asked("::1", "[2001:db8:1:2::9]:4711")) == "2001:db8:1:2::/64"  # type: ignore[arg-type]  # a request of a test
    assert callers.who(asked("::1", f"{FAR}:4711")) == FAR  # type: ignore[arg-type]  # a request of a test
    for peer in ("127.0.0.1", "::1", "fd00::7"):  # others may stand behind it, in IPv6 as well
        assert [callers.enter(asked(peer)) for _ in range(200)]  # type: ignore[arg-type]  # a request of a test


async def test_one_caller_behind_a_web_server_has_so_many_answers_at_once(pages: Shown) -> None:
    from adapters.web.client_limits import AT_ONCE

    one = build("127.0.0.1:0", pages, Clock(), proxied=True)
    await one.start()
    said = f"X-Forwarded-For: {FAR}\r\n".encode()
    slow = [
        await opened(
            one.port,
            b"POST /u/"
            + GOOD.encode()
            + b" HTTP/1.1\r\nHost: x\r\n"
            + said
            + b"Content-Length: 100\r\n\r\nx",
        )
        for _ in range(AT_ONCE)
    ]
    async with asyncio.timeout(10):
        while one._callers._under_way.total() < AT_ONCE:
            await asyncio.sleep(0.01)
    assert (await get(one.port, f"/u/{GOOD}", **{"X-Forwarded-For": FAR}))[0] == 429
    assert (await get(one.port, f"/u/{GOOD}", **{"X-Forwarded-For": "198.51.100.9"}))[0] == 200
    for _, writer in slow:
        writer.close()
    await one.stop()


class _Well:
    """Nothing is wrong."""

    async def wrong(self) -> list[str]:
        return []

    def open(self) -> list[str]:
        return []

    async def figures(self) -> str:
        return ""

    def took(self, address: str, seconds: float) -> None:
        """Nobody counts."""


@pytest.mark.parametrize("proxied", [False, True])
async def test_doctor_says_when_proxied_does_not_fit(
    pages: Shown, proxied: bool, caplog: pytest.LogCaptureFixture
) -> None:
    one = build("127.0.0.1:0", pages, Clock(), proxied=proxied, watch=_Well())
    await one.start()
    listen = f"127.0.0.1:{one.port}"
    before = {found.code for found in await findings(listen, f"http://{listen}", proxied=proxied)}
    assert before == ({"web-serving", "web-proxied"} if proxied else {"web-serving"})
    for _ in range(50):
        await get(one.port, "/t/17", **{"X-Forwarded-For": FAR})
    after = {found.code for found in await findings(listen, f"http://{listen}", proxied=proxied)}
    assert after == ({"web-serving", "web-proxied"} if proxied else {"web-serving", "web-proxied-off"})
    assert sum("proxied is false" in record.getMessage() for record in caplog.records) == (
        0 if proxied else 1
    )
    assert (await get(one.port, "/readyz"))[0] == 200
    await one.stop()
