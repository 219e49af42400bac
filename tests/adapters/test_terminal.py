"""The terminal adapter passes the shared suite over a real unix socket."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import stat
import tempfile
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from adapters.terminal import Settings, build
from adapters.terminal.attachment import SeatConnection, SeatRefused
from adapters.terminal.protocol import LIMIT, as_name
from adapters.terminal.server import TerminalAdapter
from referee.ports import Adapter, Button, Fate, Letter, Reception, What
from tests.adapters.conformance import Conformance, Desk, until


def clock_ms() -> int:
    return time.time_ns() // 1_000_000


class TerminalRig:
    """A person with a client of their own at a socket in a directory of their own."""

    room = ""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.person = "Ana"
        self.desk = Desk()
        self.letters: list[dict[str, Any]] = []
        self.seat: SeatConnection | None = None
        self.running: asyncio.Task[None] | None = None

    @property
    def socket(self) -> Path:
        return self.home / "sockets" / "referee.sock"

    def adapter(self) -> Adapter:
        return Occupied(self) if self.running else build(Settings(socket=self.socket), clock_ms)

    async def attach(self) -> SeatConnection:
        if self.seat is None:
            self.seat = SeatConnection(self.socket, self.person, self.letters.append)
        if self.running is None:
            self.running = asyncio.create_task(self.seat.run())
        return self.seat

    async def detach(self) -> None:
        if self.running is not None:
            self.running.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self.running
            self.running = None

    async def say(self, text: str, *, room: bool = False) -> None:
        assert not room
        (await self.attach()).say(text)

    async def press(self, order: str) -> bool:
        assert order in self.letters[-1]["orders"]
        await self.say(order)
        return True

    async def read(self, *, room: bool = False) -> list[str]:
        await self.attach()
        return [letter["text"] for letter in self.letters]

    async def outage(self, on: bool) -> None:
        """The person leaves the terminal, and the socket's directory is not there; or both come back."""
        aside = self.home / "aside"
        if on:
            await self.detach()
            await asyncio.sleep(0.02)
            self.socket.parent.mkdir(exist_ok=True)
            self.socket.parent.rename(aside)
            self.socket.parent.write_text("in the way")
        else:
            self.socket.parent.unlink()
            aside.rename(self.socket.parent)
            await self.attach()


class Occupied(TerminalAdapter):
    """The adapter, started while the person is at the terminal: the client attaches by itself within
    moments.
    """

    def __init__(self, rig: TerminalRig) -> None:
        super().__init__(rig.socket, clock_ms)
        self.rig = rig

    async def start(self, reception: Reception) -> None:
        await super().start(reception)
        if self.healthy() and not self.rig.desk.refuse:
            await until(lambda: self.seated.lines(self.rig.person))


@pytest.fixture
async def rig() -> AsyncIterator[TerminalRig]:
    home = Path(tempfile.mkdtemp(prefix="ref"))  # short: a socket's path has room for 107 bytes
    rig = TerminalRig(home)
    await rig.attach()
    yield rig
    await rig.detach()
    shutil.rmtree(home)


class TestTerminal(Conformance):
    """The shared suite."""

    async def harm(self, rig: Any) -> None:
        hello = b'{"hello": "Eve", "key": "1"}\n'
        for line in (
            b"[" * 100_000 + b"]" * 100_000,
            b'{"say": ' + b'{"a":' * 50_000 + b"1" + b"}" * 50_000 + b"}",
            b'{"say": "x", "key": ' + b"9" * 10_000 + b"}",
            b'{"say": NaN, "key": "n"}',
            b'{"say": "\\ud800\\u0000", "key": "\\ud800"}',
            b'{"hello": "\\ud800"}',
            b'{"hello": ["Eve"]}',
            b'{"shown": {}}',
            b"\xff\x00",
            b"17",
            b'{"say": "x", "key": "' + b"k" * 100_000 + b'"}',
        ):
            _, writer = await asyncio.open_unix_connection(str(rig.socket), limit=1 << 20)
            writer.write(hello + line + b"\n")
            with contextlib.suppress(OSError):
                await writer.drain()
            writer.close()

    def nobody(self, rig: TerminalRig) -> str:
        return "Nobody ever said this name"


def letter(number: str = "1", to: str = "Ana", text: str = "Your turn") -> Letter:
    return Letter(
        id=number, channel="terminal", address=to, text=text, buttons=((Button("take gold", "k1", "gold"),),)
    )


async def test_only_the_owner_can_open_the_socket(rig: TerminalRig) -> None:
    one = rig.adapter()
    await one.start(rig.desk)
    assert stat.S_IMODE(rig.socket.stat().st_mode) == 0o600
    assert one.healthy()
    await one.stop()
    assert not rig.socket.exists()
    assert not one.healthy()


async def test_a_name_is_introduced_once(rig: TerminalRig) -> None:
    for _ in range(2):
        one = rig.adapter()
        await one.start(rig.desk)
        await until(lambda: rig.seat and rig.seat.attached.is_set())
        await one.stop()
        await until(lambda: rig.seat and not rig.seat.attached.is_set())
    assert [x.name for x in rig.desk.said(What.REACHABLE)] == ["Ana"]


async def test_letters_wait_until_somebody_sits_there(rig: TerminalRig) -> None:
    one = rig.adapter()
    await one.start(rig.desk)
    await until(lambda: rig.seat and rig.seat.attached.is_set())
    assert one.limits.delay_ms(letter(), 0) == 0
    await rig.detach()
    await until(lambda: one.limits.delay_ms(letter(), 0) > 0)
    receipt = await one.send(letter())
    assert receipt.fate is Fate.LATER
    assert receipt.retry_ms > 0
    await rig.attach()
    await until(lambda: one.limits.delay_ms(letter(), 0) == 0)
    assert (await one.send(letter())).fate is Fate.SENT
    assert rig.letters[-1]["orders"] == ["gold"]
    await one.stop()


async def test_both_terminals_of_a_person_get_the_letter(rig: TerminalRig) -> None:
    one = rig.adapter()
    await one.start(rig.desk)
    also: list[dict[str, Any]] = []
    second = SeatConnection(rig.socket, "Ana", also.append)
    running = asyncio.create_task(second.run())
    await until(lambda: second.attached.is_set() and rig.seat and rig.seat.attached.is_set())
    assert (await one.send(letter())).fate is Fate.SENT
    await until(lambda: also and rig.letters)
    assert also == rig.letters
    await one.stop()
    running.cancel()


async def test_a_client_that_does_not_confirm_leaves_the_letter_unknown(rig: TerminalRig) -> None:
    await rig.detach()
    one = rig.adapter()
    await one.start(rig.desk)
    reader, writer = await asyncio.open_unix_connection(str(rig.socket))
    writer.write(b'{"hello": "Bea", "key": "x"}\n')
    assert b"welcome" in await reader.readline()
    sending = asyncio.create_task(one.send(letter(to="Bea")))
    assert b"letter" in await reader.readline()
    writer.close()  # hangs up without a word
    assert (await sending).fate is Fate.UNKNOWN
    await one.stop()


@pytest.mark.parametrize(
    ("said", "heard"),
    [
        ('"pt_BR"', "pt_BR"),
        ('"pt"', "pt"),
        ('"de_DE"', "de_DE"),
        ('""', ""),
        ("7", ""),
        ('"../../etc"', ""),
        ('"pt_BR; drop"', ""),
        ('["pt"]', ""),
        ('"' + "x" * 500 + '"', ""),
    ],
)
async def test_a_new_seat_may_say_its_language(rig: TerminalRig, said: str, heard: str) -> None:
    await rig.detach()
    one = rig.adapter()
    await one.start(rig.desk)
    reader, writer = await asyncio.open_unix_connection(str(rig.socket))
    writer.write(f'{{"hello": "Bea", "key": "x", "language": {said}}}\n'.encode())
    assert b"welcome" in await reader.readline()
    assert [came.language for came in rig.desk.inbox.values()] == [heard]
    writer.close()
    await one.stop()


@pytest.mark.parametrize(
    "said",
    [
        b"not json\n",
        b"[]\n",
        b'{"say": "gold", "key": "1"}\n',
        b'{"hello": "", "key": "1"}\n',
        b'{"hello": "a\\nb", "key": "1"}\n',
        b'{"hello": "' + b"x" * 41 + b'"}\n',
        b"x" * (LIMIT + 2) + b"\n",
        b'{"hello": "Bea"}\n{"say": 7, "key": "1"}\n',
        b'{"hello": "Bea"}\n{"say": "gold"}\n',
        b'{"hello": "Bea"}\n{"dance": 1}\n',
    ],
)
async def test_what_is_not_the_protocol_is_refused(rig: TerminalRig, said: bytes) -> None:
    await rig.detach()
    one = rig.adapter()
    await one.start(rig.desk)
    reader, writer = await asyncio.open_unix_connection(str(rig.socket))
    writer.write(said)
    got = b""
    with contextlib.suppress(ConnectionError):  # the unread rest of a long line resets the connection
        while b"refused" not in got:
            line = await reader.readline()
            got += line
            assert line, got
        assert b"refused" in got
    writer.close()
    assert not rig.desk.said()
    assert one.healthy()
    await one.stop()


async def test_ten_kilobytes_of_emoji_and_lone_surrogates_arrive(rig: TerminalRig) -> None:
    one = rig.adapter()
    await one.start(rig.desk)
    await rig.say("🏰" * 10_000)
    await rig.say("gold \ud83c")
    await until(lambda: len(rig.desk.said()) == 2)
    assert [len(x.text) for x in rig.desk.said()] == [10_000, 6]
    await one.stop()


async def test_a_bad_name_is_told_to_the_person(rig: TerminalRig) -> None:
    one = rig.adapter()
    await one.start(rig.desk)
    with pytest.raises(SeatRefused, match="bad-name"):
        await SeatConnection(rig.socket, "two\nlines", rig.letters.append).run()
    await one.stop()


async def test_a_second_referee_waits_for_the_socket(rig: TerminalRig) -> None:
    one, two = rig.adapter(), rig.adapter()
    await one.start(rig.desk)
    await two.start(rig.desk)
    assert one.healthy()
    assert not two.healthy()
    await two.stop()
    assert rig.socket.exists(), "the second one must not take away the first one's socket"
    await one.stop()


async def test_a_socket_left_behind_is_replaced(rig: TerminalRig) -> None:
    import socket

    rig.socket.parent.mkdir(parents=True)
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(rig.socket))
    one = rig.adapter()
    await one.start(rig.desk)
    assert one.healthy()
    await one.stop()


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        ("Ana", "Ana"),
        ("  Zoë ", "Zoë"),
        ("Zoë", "Zoë"),
        ("O'Brien 🏰", "O'Brien 🏰"),
        ("", None),
        ("x" * 41, None),
        ("a\x00", None),
        ("a\u202eb", None),
        (7, None),
        (None, None),
    ],
)
def test_names(raw: object, name: str | None) -> None:
    assert as_name(raw) == name


async def test_who_lost_the_channel_leaves_the_socket_of_who_has_it(tmp_path: Path) -> None:
    """A process that hung past its lease closes when another one has put its own socket there."""
    late, now = (TerminalAdapter(tmp_path / "s", clock_ms) for _ in range(2))
    await late.start(Desk())
    assert late.server is not None
    late.server.close()
    await now.start(Desk())
    await late.stop()
    assert [one.level for one in await now.check()] == ["ok"]
    assert (tmp_path / "s").is_socket()
    await now.stop()
    assert not (tmp_path / "s").exists()
