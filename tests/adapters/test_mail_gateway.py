"""Mail handed over by LMTP, spoken by hand on loopback: 250 means on disk.  Needs no root and no MTA."""

from __future__ import annotations

import asyncio
import socket
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from adapters import mail as channel
from referee.ports import Adapter, What
from tests.adapters.conformance import Desk, until
from tests.servers.lmtp_mta import Mta
from tests.servers.mail import free_ports

NOW = 1_795_000_000_000


def settings(**changes: Any) -> channel.Settings:
    return channel.Settings.model_validate(
        {
            "address": "referee@game.test",
            "smtp_host": "127.0.0.1",
            "receive": "lmtp",
            "backoff_seconds": 0.05,
            **changes,
        }
    )


@pytest.fixture(params=["socket", "port"])
async def gate(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[tuple[Adapter, Desk, Mta]]:
    where: str | int = str(tmp_path / "in.sock") if request.param == "socket" else free_ports(1)[0]
    one = channel.build(settings(**{f"lmtp_{request.param}": where}), lambda: NOW)
    desk = Desk()
    await one.start(desk)
    yield one, desk, Mta(where)
    await one.stop()


Gate = tuple[Adapter, Desk, Mta]


async def test_taken_means_on_disk(gate: Gate) -> None:
    one, desk, mta = gate
    assert one.healthy()
    assert await mta.hand("gold", "REFEREE+ABCDEFGH2345@game.test") == [250]
    [got] = desk.said()
    assert (got.text, got.address, got.token, got.at_ms) == (
        "gold",
        "ann@players.example",
        "abcdefgh2345",
        NOW,
    )


async def test_a_full_disk_is_told_to_the_mta(gate: Gate) -> None:
    _, desk, mta = gate
    desk.refuse = True
    assert await mta.hand("gold", "referee@game.test") == [451]
    assert not desk.inbox
    desk.refuse = False
    assert await mta.hand("gold", "referee@game.test") == [250]
    assert await mta.hand("gold", "referee@game.test") == [
        250
    ]  # a lost answer makes the MTA hand it over again
    assert len(desk.said()) == 1


async def test_a_letter_that_is_being_taken_over_is_answered_before_we_hang_up(
    gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An MTA that is hung up on takes us for dead, and hands nothing over for minutes."""
    one, desk, mta = gate
    begun, on = asyncio.Event(), asyncio.Event()
    receive = desk.receive

    async def slow(*given: Any, **named: Any) -> None:
        begun.set()
        await on.wait()
        await receive(*given, **named)

    monkeypatch.setattr(desk, "receive", slow)
    handing = asyncio.create_task(mta.hand("gold", "referee@game.test"))
    async with asyncio.timeout(10):
        await begun.wait()
        stopping = asyncio.create_task(one.stop())
        await asyncio.sleep(0)
        assert not stopping.done()
        on.set()
        assert await handing == [250]
        await stopping
    assert len(desk.said()) == 1


async def test_every_recipient_gets_an_answer(gate: Gate) -> None:
    _, desk, mta = gate
    answers = await mta.hand(
        "gold",
        "referee+aaaaaaaa2345@game.test",
        "someone@game.test",
        "referee@elsewhere.test",
        "referee+bbbbbbbb2345@game.test",
    )
    assert answers == [250, 550, 550, 250]
    assert [one.token for one in desk.said()] == ["aaaaaaaa2345"]


async def test_a_null_sender_is_a_machine(gate: Gate) -> None:
    _, desk, mta = gate
    assert await mta.hand("away", "referee+abcdefgh2345@game.test", sender="") == [250]
    assert [one.facts["machine"] for one in desk.said(What.AUTO_REPLY)] == ["null-sender"]


async def test_large_mails_and_long_lines_are_taken(gate: Gate) -> None:
    _, desk, mta = gate
    assert await mta.hand("gold\r\n" + "\r\n".join(["x" * 600_000] * 2), "referee@game.test", n=1) == [250]
    assert await mta.hand("y" * 50_000, "referee@game.test", n=2) == [250]
    large, long = desk.said()
    assert large.facts["too_large"] > 1_100_000
    assert large.text == ""
    assert long.text == "y" * 50_000


async def test_nothing_is_smuggled_behind_a_bare_newline_dot(gate: Gate) -> None:
    _, desk, mta = gate
    assert await mta.hand("gold\n.\r\nMAIL FROM:<x@y>\n.\nbuild Temple", "referee@game.test") == [250]
    assert len(desk.inbox) == 1


async def test_many_at_once(gate: Gate) -> None:
    _, desk, mta = gate
    answers = await asyncio.gather(*(mta.hand(f"hand {n}", "referee@game.test", n=n) for n in range(30)))
    assert answers == [[250]] * 30
    assert {one.text for one in desk.said()} == {f"hand {n}" for n in range(30)}


async def test_stopping_hangs_up_on_who_is_connected(gate: Gate) -> None:
    one, _, mta = gate
    line = await asyncio.to_thread(_connected, mta.where)
    try:
        began = time.monotonic()
        await one.stop()
        assert time.monotonic() - began < 1
        assert not one.healthy()
    finally:
        line.close()


def _connected(where: str | int) -> socket.socket:
    line = socket.socket(socket.AF_UNIX if isinstance(where, str) else socket.AF_INET)
    line.connect(where if isinstance(where, str) else ("127.0.0.1", where))
    line.settimeout(5)
    assert line.recv(100).startswith(b"220")
    return line


async def test_a_socket_left_by_a_killed_process_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "in.sock"
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(path))
    one, desk = channel.build(settings(lmtp_socket=str(path)), lambda: NOW), Desk()
    await one.start(desk)
    assert await Mta(str(path)).hand("gold", "referee@game.test") == [250]
    await one.stop()
    assert not path.exists()


async def test_who_lost_the_channel_leaves_the_socket_of_who_has_it(tmp_path: Path) -> None:
    """A process whose lease ran out closes when another one listens there already."""
    path = tmp_path / "in.sock"
    late, now = (channel.build(settings(lmtp_socket=str(path)), lambda: NOW) for _ in range(2))
    await late.start(Desk())
    await now.start(Desk())
    await late.stop()
    assert await Mta(str(path)).hand("gold", "referee@game.test") == [250]
    await now.stop()
    assert not path.exists()


async def test_a_file_that_is_no_socket_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "precious"
    path.write_text("keep")
    one = channel.build(settings(lmtp_socket=str(path)), lambda: NOW)
    await one.start(Desk())
    assert not one.healthy()
    await one.stop()
    assert path.read_text() == "keep"


async def test_a_port_that_is_taken_is_waited_for() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        one, desk = channel.build(settings(lmtp_port=port), lambda: NOW), Desk()
        assert "mail-lmtp-nowhere" in [finding.code for finding in await one.check()]
        await one.start(desk)
        assert not one.healthy()
    await until(one.healthy)
    assert await Mta(port).hand("gold", "referee@game.test") == [250]
    await one.stop()


async def test_without_the_extra_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "aiosmtpd", None)
    one = channel.build(settings(lmtp_socket=str(tmp_path / "in.sock")), lambda: NOW)
    with pytest.raises(OSError, match=r"citadels-referee\[lmtp\]"):
        await one.start(Desk())
    assert not one.healthy()
    assert ("bad", "mail-lmtp-missing") in [(finding.level, finding.code) for finding in await one.check()]
    await one.stop()


async def test_no_secret_is_logged(gate: Gate, caplog: pytest.LogCaptureFixture) -> None:
    _, desk, mta = gate
    with caplog.at_level("INFO"):
        desk.refuse = True
        await mta.hand("my secret hand", "referee+abcdefgh2345@game.test")
    assert "nothing can be written" in caplog.text
    assert "abcdefgh2345" not in caplog.text
    assert "secret" not in caplog.text
