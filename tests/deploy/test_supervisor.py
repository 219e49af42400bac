"""What systemd hears of a referee, on a real socket."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from referee.supervisor import Supervisor


@pytest.fixture
def listener(tmp_path_factory: pytest.TempPathFactory) -> Iterator[socket.socket]:
    with closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as ear:
        ear.bind(
            f"\0citadels-test-{os.getpid()}"
        )  # an abstract one: tmp_path is longer than an address may be
        ear.settimeout(5)
        yield ear


def environ(ear: socket.socket, **more: str) -> dict[str, str]:
    return {"NOTIFY_SOCKET": "@" + ear.getsockname()[1:].decode(), **more}


async def test_ready_alive_and_stopping_are_told(listener: socket.socket) -> None:
    told = Supervisor(environ(listener, WATCHDOG_USEC="20000", WATCHDOG_PID=str(os.getpid())))
    told.ready("serving terminal,\nmail")
    heard = [await asyncio.to_thread(listener.recv, 1000) for _ in range(4)]
    assert heard == [b"READY=1\nSTATUS=serving terminal, mail", *[b"WATCHDOG=1"] * 3]
    told.stopping()
    listener.setblocking(False)
    rest = []
    while not rest or rest[-1] != b"STOPPING=1":
        rest.append(listener.recv(1000))
    await asyncio.sleep(0.03)
    with pytest.raises(BlockingIOError):
        listener.recv(1000)


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"WATCHDOG_USEC": "no number"},
        {"WATCHDOG_USEC": "10000", "WATCHDOG_PID": "1"},
        {"WATCHDOG_USEC": "0"},
    ],
)
async def test_no_sign_of_life_where_none_is_asked_of_us(
    listener: socket.socket, more: dict[str, str]
) -> None:
    told = Supervisor(environ(listener, **more))
    told.ready("serving")
    await asyncio.sleep(0.03)
    told.stopping()
    listener.setblocking(False)
    assert [listener.recv(1000), listener.recv(1000)] == [b"READY=1\nSTATUS=serving", b"STOPPING=1"]


@pytest.mark.parametrize("address", ["", "vsock:2:1234", "relative"])
async def test_nobody_asked(address: str, caplog: pytest.LogCaptureFixture) -> None:
    told = Supervisor({"NOTIFY_SOCKET": address, "WATCHDOG_USEC": "1000"})
    told.ready("serving")
    told.stopping()
    assert not caplog.records


async def test_a_listener_that_has_gone_harms_nobody(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    told = Supervisor({"NOTIFY_SOCKET": str(tmp_path / "gone")})
    told.ready("serving")
    told.stopping()
    assert {record.getMessage().partition(":")[0] for record in caplog.records} == {
        "the supervisor can't be told"
    }
