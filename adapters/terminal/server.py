"""The referee's end of the terminal: listens on the socket, hears lines, shows letters."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import re
import socket
from collections.abc import Callable
from pathlib import Path

from referee import connections
from referee.ports import Fate, Finding, Inbound, Letter, Limits, Receipt, Reception, What

from .open_connections import OpenConnections
from .protocol import ProtocolError, as_name, packed, unpacked

log = logging.getLogger(__name__)

CHANNEL = "terminal"
#: how soon the outbox worker asks again while nobody sits there
AWAY_MS = 2_000
#: how long a seat may take to say that it has shown a letter, in seconds
SHOW_SECONDS = 5.0
#: how soon an occupied socket is tried again, in seconds
RETRY_SECONDS = 2.0
#: how long somebody may take to say who they are, in seconds; the longest line that they may say, in bytes
HELLO_SECONDS, LONGEST = 10.0, 128 * 1024
#: terminals at once, at most
MOST = 2_000
#: how a shell calls a language
_TONGUE = re.compile(r"[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})?")


class TerminalLimits:
    """The terminal's limits: as fast as you like while somebody sits there, else later."""

    def __init__(self, seated: OpenConnections) -> None:
        self.seated = seated

    def delay_ms(self, letter: Letter, now_ms: int) -> int:
        """0 when the addressee is attached, or can't ever be (then sending fails for good)."""
        name = as_name(letter.address)
        return 0 if name is None or self.seated.lines(name) else AWAY_MS


class TerminalAdapter:
    """The adapter; see `referee.ports.Adapter`."""

    name = CHANNEL
    markup = "terminal"
    can_edit = False
    idempotent = True
    rewrites = False

    def __init__(self, path: Path, clock_ms: Callable[[], int]) -> None:
        self.path = path
        self.clock_ms = clock_ms
        self.seated = OpenConnections()
        self.limits: Limits = TerminalLimits(self.seated)
        self.reception: Reception | None = None
        self.server: asyncio.Server | None = None
        self.listening: asyncio.Task[None] | None = None
        self._mark: tuple[int, ...] = ()  # of the socket that is ours
        self.conversations: set[asyncio.Task[None]] = set()
        most = connections.share(0.25, MOST)
        self.guests = connections.Connections(most, most)

    async def start(self, reception: Reception) -> None:
        """Listen.  A socket that cannot be had is tried again and again."""
        self.reception = reception
        if not await self._listen():
            self.listening = asyncio.create_task(self._keep_trying())

    async def _keep_trying(self) -> None:
        while True:
            await asyncio.sleep(RETRY_SECONDS)
            if await self._listen():
                return

    async def _listen(self) -> bool:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            if self.path.is_socket():
                if await _answers(self.path):
                    raise FileExistsError("another referee listens there")
                self.path.unlink()  # left behind by a referee that was killed
            door = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            door.setblocking(False)
            try:
                door.bind(str(self.path))
                self._mark = connections.mark_of(self.path)
                os.chmod(self.path, 0o600)  # before listen: nobody can have come in earlier
                self.server = await asyncio.get_running_loop().create_unix_server(
                    self.guests.guarded(self._reading), sock=door
                )
            except OSError:
                door.close()
                raise
        except OSError as error:
            log.warning("no socket", extra={"path": str(self.path), "error": str(error)})
            return False
        return True

    def _reading(self) -> asyncio.Protocol:
        reader = asyncio.StreamReader(LONGEST)
        return asyncio.StreamReaderProtocol(reader, self._meet)

    def _meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.server is None:  # came in while we were closing
            writer.close()
            return
        task = asyncio.create_task(self._converse(reader, writer))
        self.conversations.add(task)
        task.add_done_callback(self.conversations.discard)
        task.add_done_callback(lambda _: writer.close())  # also when it is cancelled before its first step

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        name: str | None = None
        try:
            while (message := await self._next(reader, known=name is not None)) is not None:
                if "hello" in message:
                    self.seated.leave(name, writer)
                    name = await self._greet(message, writer)
                elif name is None:
                    raise ProtocolError("hello-first")
                elif "say" in message:
                    await self._hear(name, message, writer)
                elif "shown" in message:
                    self.seated.shown(writer, str(message["shown"]))
                else:
                    raise ProtocolError("unknown-message")
        except ProtocolError as error:
            writer.write(packed({"refused": error.code}))
        except ConnectionError:
            log.debug("a seat hung up")
        finally:
            self.seated.leave(name, writer)
            await _closed(writer)

    @staticmethod
    async def _next(reader: asyncio.StreamReader, *, known: bool) -> dict[str, object] | None:
        """The next thing said; anyone who has not said who they are is not waited for long."""
        try:
            async with asyncio.timeout(None if known else HELLO_SECONDS):
                return await unpacked(reader)
        except TimeoutError:
            raise ProtocolError("hello-first") from None

    async def _greet(self, message: dict[str, object], writer: asyncio.StreamWriter) -> str | None:
        name, key = as_name(message["hello"]), str(message.get("key", ""))
        if name is None:
            writer.write(packed({"refused": "bad-name", "key": key}))
            return None
        if not await self._known(name):
            tongue = str(message.get("language", ""))
            first = Inbound(
                channel=CHANNEL,
                key=f"first:{name}",
                address=name,
                name=name,
                language=tongue if _TONGUE.fullmatch(tongue) else "",
                what=What.REACHABLE,
                at_ms=self.clock_ms(),
            )
            if not await self._written(first, {f"name:{name}": "1"}):
                writer.write(packed({"later": key}))
                return None
        writer.write(packed({"welcome": name, "key": key}))
        self.seated.enter(name, writer)
        await writer.drain()
        return name

    async def _hear(self, name: str, message: dict[str, object], writer: asyncio.StreamWriter) -> None:
        key, text = str(message.get("key", ""))[:80], message["say"]
        if not key or not isinstance(text, str):
            raise ProtocolError("unknown-message")
        one = Inbound(
            channel=CHANNEL,
            key=f"{name}:{key}",
            address=name,
            name=name,
            text=text,
            thread=str(message.get("about", ""))[:80] if text.strip()[:1].isdecimal() else "",
            message_id=key,
            at_ms=self.clock_ms(),
        )
        writer.write(packed({"heard" if await self._written(one, None) else "later": key}))
        await writer.drain()

    async def _written(self, one: Inbound, cursor: dict[str, str] | None) -> bool:
        assert self.reception is not None, "nobody can attach before the start"
        try:
            await self.reception.receive([one], channel=CHANNEL, cursor=cursor)
        except OSError as error:
            log.warning("not on disk", extra={"error": str(error)})
            return False
        return True

    async def _known(self, name: str) -> bool:
        return (
            self.reception is not None and await self.reception.bookmark(CHANNEL, f"name:{name}") is not None
        )

    async def send(self, letter: Letter) -> Receipt:
        """Show a letter at every terminal where its addressee sits; one that shows it is enough."""
        name = as_name(letter.address)
        if name is None or not (self.seated.lines(name) or await self._known(name)):
            return Receipt(Fate.FAILED, reason="no-such-address")
        if not self.seated.lines(name):
            return Receipt(Fate.LATER, retry_ms=AWAY_MS, detail="nobody sits there", whole=False)
        buttons = [button for row in letter.buttons for button in row if button.order]
        line = packed(
            {
                "letter": {
                    "id": letter.id,
                    "subject": letter.subject,
                    "text": letter.text,
                    "markup": letter.markup,
                    "orders": [button.order for button in buttons],
                    "numbered": any(button.number for button in buttons),
                }
            }
        )
        if await self.seated.show(name, letter.id, line, SHOW_SECONDS):
            return Receipt(Fate.SENT, wire_id=letter.id)
        return Receipt(Fate.UNKNOWN, detail="handed over, but not confirmed", whole=False)

    async def stop(self) -> None:
        """Hang up and take the socket away."""
        if self.listening is not None:
            self.listening.cancel()
        mine = self.server is not None
        if self.server is not None:
            self.server.close()
            self.server = None
        for task in tuple(self.conversations):
            task.cancel()
        await asyncio.gather(*self.conversations, return_exceptions=True)
        if mine:
            connections.take_away(self.path, self._mark)

    async def check(self) -> list[Finding]:
        """Whether the socket answers, or could be made."""
        where = {"path": str(self.path)}
        if len(os.fsencode(self.path)) > 100:  # the kernel's limit is 107 bytes
            return [Finding("bad", "terminal-path-long", where)]
        if self.path.is_socket() and await _answers(self.path):
            return [Finding("ok", "terminal-listening", where)]
        home = self.path.parent
        while not home.exists():
            home = home.parent
        if not home.is_dir() or not os.access(home, os.W_OK | os.X_OK):
            return [Finding("bad", "terminal-no-directory", where)]
        if self.path.exists() and not self.path.is_socket():
            return [Finding("bad", "terminal-occupied", where)]
        return [Finding("ok", "terminal-free", where)]

    def healthy(self) -> bool:
        """Whether the socket is open."""
        return self.server is not None and self.server.is_serving()


async def _answers(path: Path) -> bool:
    """Whether somebody listens at that socket."""
    try:
        _, writer = await asyncio.open_unix_connection(str(path))
    except OSError:
        return False
    await _closed(writer)
    return True


async def _closed(writer: asyncio.StreamWriter) -> None:
    writer.close()
    with contextlib.suppress(OSError):  # the other side may be gone already
        await writer.wait_closed()
