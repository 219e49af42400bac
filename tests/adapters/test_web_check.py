"""What the doctor says of the web pages, and a whole referee that serves them until it is told to stop."""

from __future__ import annotations

import asyncio
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from adapters.web import build
from adapters.web.checking import findings
from referee.cli.say import say
from tests.adapters.test_web import Shown
from tests.servers.ports import free_ports
from tests.service.rig import Clock

URL = "https://play.example.org"


@pytest.fixture
def free() -> int:
    return free_ports(1)[0]


@pytest.fixture
def short() -> Iterator[Path]:
    """A folder for a socket: its path may have 107 bytes."""
    with tempfile.TemporaryDirectory(prefix="ref-") as folder:
        yield Path(folder)


async def told(listen: str, base_url: str = URL) -> list[tuple[str, str]]:
    found = await findings(listen, base_url)
    for one in found:
        assert say(f"doctor.{one.code}", **one.facts).startswith("web: ")
    return [(one.level, one.code) for one in found]


async def test_without_pages_there_is_nothing_to_say() -> None:
    assert await told("", "") == []
    assert await told("", URL) == [("warn", "web-closed")]


async def test_a_free_port_and_what_links_need(free: int) -> None:
    assert await told(f"127.0.0.1:{free}") == [("ok", "web-free")]
    assert await told(f"127.0.0.1:{free}", "") == [("ok", "web-free"), ("warn", "web-no-address")]
    assert await told(f"127.0.0.1:{free}", "http://play.example.org") == [
        ("ok", "web-free"),
        ("warn", "web-plain"),
    ]
    assert await told(f"127.0.0.1:{free}", "http://localhost:8080") == [("ok", "web-free")]


async def test_our_own_pages_and_another_programs() -> None:
    door = build("127.0.0.1:0", Shown(), Clock())
    await door.start()
    try:
        assert await told(f"127.0.0.1:{door.port}") == [("ok", "web-serving")]
    finally:
        await door.stop()

    async def mute(reader: Any, writer: Any) -> None:
        writer.close()

    other = await asyncio.start_server(mute, "127.0.0.1", 0)
    async with other:
        assert await told(f"127.0.0.1:{other.sockets[0].getsockname()[1]}") == [("bad", "web-taken")]


async def test_where_nothing_can_listen() -> None:
    assert await told("203.0.113.7:8080") == [("bad", "web-nowhere")]
    assert await told("nowhere.invalid:8080") == [("bad", "web-nowhere")]


async def test_a_referee_serves_its_pages_until_it_is_told_to_stop(short: Path, free: int) -> None:
    config = short / "r.toml"
    config.write_text(
        f"[store]\nurl = 'sqlite:///{short}/r.db'\n[terminal]\nsocket = "
        f"'{short}/t.sock'\n[web]\nlisten = '127.0.0.1:{free}'\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-m", "referee", "serve", "-c", str(config)], stderr=subprocess.PIPE, text=True
    )
    try:
        async with aiohttp.ClientSession() as browser:
            status, until = 0, time.monotonic() + 60
            while status != 200 and time.monotonic() < until and process.poll() is None:
                try:
                    async with browser.get(f"http://127.0.0.1:{free}/healthz") as answer:
                        status = answer.status
                except aiohttp.ClientConnectorError:
                    await asyncio.sleep(0.05)
            assert status == 200
            async with browser.get(f"http://127.0.0.1:{free}/calendar/{'x' * 32}.ics") as answer:
                assert answer.status == 404
    finally:
        process.send_signal(signal.SIGTERM)
        said = process.communicate(timeout=30)[1]
    assert process.returncode == 0
    assert "xxxxxxxx" not in said


async def test_a_referee_that_finds_its_port_taken_says_so_and_ends(short: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        listen = f"127.0.0.1:{taken.getsockname()[1]}"
        config = short / "r.toml"
        config.write_text(
            f"[store]\nurl = 'sqlite:///{short}/r.db'\n[terminal]\nsocket = "
            f"'{short}/t.sock'\n[web]\nlisten = '{listen}'\n"
        )
        done = await asyncio.to_thread(
            subprocess.run,
            [sys.executable, "-m", "referee", "serve", "-c", str(config)],
            capture_output=True,
            text=True,
            timeout=90,
        )
    assert done.returncode == 1
    assert f"no web pages can be served at {listen}" in done.stderr.lower()
    assert "Traceback" not in done.stderr
