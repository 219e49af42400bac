"""A person at a terminal whose every line is kept account of: what was said, what was heard, what was shown.

Speaks the socket's own protocol (`adapters.terminal.protocol`). A line is repeated under the same key until
it is heard, as a seat does; now and then it is sent twice although it was heard, as after an answer
that got lost.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from dataclasses import dataclass
from pathlib import Path

from adapters.terminal.protocol import LIMIT, packed, unpacked
from tests.e2e.brain import Answer
from tests.e2e.sight import Shown, options

_AGAIN_SECONDS = 0.02
_TWICE = 0.1


@dataclass(frozen=True)
class Delivery:
    """A letter's first arrival, in wall milliseconds."""

    id: str
    text: str
    at_ms: int


class SocketPlayer:
    """See `tests.e2e.playing.Player`.  `tag` goes before every order, so that it names its table."""

    channel = "terminal"

    def __init__(self, path: Path, name: str, seed: object = 0) -> None:
        self.path = path
        self.name = name
        self.tag = ""
        self.said: dict[str, str] = {}
        self.unheard: dict[str, str] = {}
        self.repeated = 0
        self.deliveries: dict[str, Delivery] = {}
        self.again = 0  # letters that came once more
        self.letters: list[Shown] = []
        self._dice = random.Random(f"{seed}:{name}")
        self._writer: asyncio.StreamWriter | None = None
        self._running: asyncio.Task[None] | None = None

    async def start(self) -> None:
        self._running = asyncio.create_task(self._run())

    async def stop(self) -> None:
        if self._running is not None:
            self._running.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._running

    async def screen(self) -> list[Shown]:
        return self.letters

    async def say(self, text: str) -> None:
        key = f"n{len(self.said)}"
        self.said[key] = self.unheard[key] = text
        if self._writer is not None:
            self._write(key, text)

    async def answer(self, letter: Shown, answer: Answer) -> None:
        await self.say(f"{self.tag}{answer.words or answer.number}")

    def _write(self, key: str, text: str) -> None:
        assert self._writer is not None
        line = packed({"say": text, "key": key})
        self._writer.write(line)
        if self._dice.random() < _TWICE:
            self.repeated += 1
            self._writer.write(line)

    async def _run(self) -> None:
        while True:
            try:
                reader, writer = await asyncio.open_unix_connection(str(self.path), limit=LIMIT)
            except OSError:
                await asyncio.sleep(_AGAIN_SECONDS)
                continue
            try:
                writer.write(packed({"hello": self.name, "key": "hello"}))
                while (message := await unpacked(reader)) is not None:
                    if "welcome" in message:
                        self._writer = writer
                        for key, text in self.unheard.items():
                            self._write(key, text)
                    elif "heard" in message:
                        self.unheard.pop(message["heard"], None)
                    elif "letter" in message:
                        self._take(message["letter"])
                        writer.write(packed({"shown": message["letter"]["id"]}))
                    else:
                        assert "later" in message, message
                        break  # hang up and begin again
            except ConnectionError:
                pass  # the referee was killed
            finally:
                self._writer = None
                writer.close()
                with contextlib.suppress(OSError):
                    await writer.wait_closed()
            await asyncio.sleep(_AGAIN_SECONDS)

    def _take(self, letter: dict[str, str]) -> None:
        known = self.deliveries.get(letter["id"])
        if known is not None:
            assert known.text == letter["text"], "the same letter with other words"
            self.again += 1
            return
        self.deliveries[letter["id"]] = Delivery(letter["id"], letter["text"], time.time_ns() // 1_000_000)
        self.letters.append(Shown(letter["id"], letter["text"], options(letter["text"])))
