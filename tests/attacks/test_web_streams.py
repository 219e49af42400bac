"""Attack D7 once more, by open pages: their streams hold connections for as long as somebody looks."""

from __future__ import annotations

import asyncio

import pytest

from adapters.web import build, server
from tests.adapters.test_web import Shown
from tests.attacks.test_web_door import FAR, get, opened
from tests.service.rig import Clock


class _Still:
    """A table at which nothing happens."""

    mark = "a"

    async def demo(self) -> _Still:
        return self

    async def changed(self) -> str | None:
        await asyncio.sleep(3600)
        return None

    def close(self) -> None:
        """Nobody is told."""


async def test_open_pages_leave_places_behind_a_web_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """All that it may have were open pages, of 84 callers or of a good evening: no page was answered then."""
    monkeypatch.setattr(server, "MOST", 64)
    monkeypatch.setattr(server, "EACH", 1)
    one = build("127.0.0.1:0", Shown(), Clock(), proxied=True, live=_Still())  # type: ignore[arg-type]  # the one method that is asked for
    await one.start()
    asked = (
        "GET /demo/events HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Forwarded-For: 203.0.113.{}\r\n\r\n"
    )
    streams = [await opened(one.port, asked.format(n).encode()) for n in range(32)]
    told = [(await asyncio.wait_for(reader.readline(), 10))[9:12] for reader, _ in streams]
    assert told == [b"200"] * 24 + [b"429"] * 8
    for reader, _ in streams[24:]:
        await asyncio.wait_for(reader.read(), 10)
    assert (await get(one.port, "/healthz", **{"X-Forwarded-For": FAR}))[0] == 200
    for _, writer in streams:
        writer.close()
    await one.stop()
