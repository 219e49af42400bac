"""The seat's end of the socket: says lines until they are heard, hands letters on once."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .protocol import LIMIT, ProtocolError, packed, unpacked

#: between two attempts to attach, in seconds
AGAIN_SECONDS = 0.2
#: how many letters are remembered so as not to show one twice
REMEMBERED = 500


class SeatRefused(Exception):
    """The referee will not have this seat.  `code` as in `adapters.terminal.protocol`."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class SeatConnection:
    """One person at one terminal.

    `show` is called with each letter, once; `moved` with True when the referee was met, with False when it
    went away. `language` is the shell's, in which somebody new is spoken to.

    What is said is kept until the referee has it on disk, over restarts of the referee.
    """

    def __init__(
        self,
        path: Path,
        name: str,
        show: Callable[[dict[str, Any]], None],
        moved: Callable[[bool], None] = lambda _: None,
        language: str = "",
    ) -> None:
        self.path = path
        self.moved = moved
        self.name = name
        self.language = language
        self.show = show
        self.unheard: dict[str, dict[str, str]] = {}
        self.attached = asyncio.Event()
        self._stirred = asyncio.Event()
        self._seen: deque[str] = deque(maxlen=REMEMBERED)
        self._writer: asyncio.StreamWriter | None = None

    def say(self, text: str, about: str = "") -> None:
        """Say a line now, or as soon as somebody listens; `about`: the letter whose entry a number in it
        means, "" for the last one.
        """
        key = secrets.token_hex(12)
        self.unheard[key] = {"say": text, "key": key} | ({"about": about} if about else {})
        self._stirred.set()
        if self.attached.is_set() and self._writer is not None:
            self._writer.write(packed(self.unheard[key]))

    async def run(self) -> None:
        """Attach, and attach again whenever the referee was away; until cancelled.
        Raises `SeatRefused` when the referee refuses this seat for good."""
        while True:
            try:
                reader, writer = await asyncio.open_unix_connection(str(self.path), limit=LIMIT)
            except OSError:
                await asyncio.sleep(AGAIN_SECONDS)
                continue
            self._writer = writer
            try:
                writer.write(
                    packed({"hello": self.name, "language": self.language, "key": secrets.token_hex(12)})
                )
                while (message := await unpacked(reader)) is not None:
                    await self._take(message, writer)
            except ConnectionError:
                pass  # the referee stopped: attach again
            except ProtocolError as error:
                raise SeatRefused(error.code) from error
            finally:
                if self.attached.is_set():
                    self.moved(False)
                self.attached.clear()
                self._writer = None
                writer.close()
                with contextlib.suppress(OSError):
                    await writer.wait_closed()
            await asyncio.sleep(AGAIN_SECONDS)

    async def _take(self, message: dict[str, Any], writer: asyncio.StreamWriter) -> None:
        self._stirred.set()
        if "letter" in message:
            letter = message["letter"]
            if letter["id"] not in self._seen:
                self._seen.append(letter["id"])
                self.show({name: harmless(value) for name, value in letter.items()})
            writer.write(packed({"shown": letter["id"]}))
        elif "heard" in message:
            self.unheard.pop(message["heard"], None)
        elif "welcome" in message:
            self.attached.set()
            self.moved(True)
            for said in self.unheard.values():
                writer.write(packed(said))
        elif "later" in message:
            await asyncio.sleep(AGAIN_SECONDS)
            raise ConnectionResetError  # hang up and begin again: everything unheard is repeated in order
        elif "refused" in message:
            raise SeatRefused(message["refused"])
        await writer.drain()

    async def quiet(self, seconds: float) -> None:
        """Return once everything said is on disk and nothing has happened for so long (0: at once)."""
        while self.unheard or seconds:
            self._stirred.clear()
            try:
                async with asyncio.timeout(seconds or AGAIN_SECONDS):
                    await self._stirred.wait()
            except TimeoutError:
                if not self.unheard:
                    return


def harmless(value: Any) -> Any:
    """Text without the control characters that would move a screen's cursor or colour it."""
    return (
        value
        if not isinstance(value, str)
        else "".join(one for one in value if one in "\n\t" or (one >= " " and not "\x7f" <= one <= "\x9f"))
    )
