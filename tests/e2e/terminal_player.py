"""A person at a terminal: `referee seat` as a process, lines in, letters out."""

from __future__ import annotations

import asyncio
import sys

from adapters.terminal.piped import END
from tests.e2e.brain import Answer
from tests.e2e.installation import REPO, Installation, environment
from tests.e2e.sight import Shown, options


class TerminalPlayer:
    """See `tests.e2e.playing.Player`."""

    channel = "terminal"

    def __init__(self, installation: Installation, name: str) -> None:
        self.name = name
        self.tag = ""
        self.installation = installation
        self.letters: list[Shown] = []
        self.process: asyncio.subprocess.Process | None = None
        self._reading: asyncio.Task[None] | None = None

    async def start(self) -> None:
        self.process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "referee",
            "seat",
            "--attach",
            str(self.installation.socket),
            "--name",
            self.name,
            "--pipe",
            "--wait",
            "0.05",
            cwd=REPO,
            env=environment(),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        self._reading = asyncio.create_task(self._read())

    async def stop(self) -> None:
        if self.process is not None and self.process.returncode is None:
            self.process.terminate()
            await self.process.wait()
        if self._reading is not None:
            await self._reading

    async def screen(self) -> list[Shown]:
        return self.letters

    async def say(self, text: str) -> None:
        assert self.process is not None
        assert self.process.stdin is not None
        self.process.stdin.write(text.encode() + b"\n")
        await self.process.stdin.drain()

    async def answer(self, letter: Shown, answer: Answer) -> None:
        await self.say(f"{self.tag}{answer.words or answer.number}")

    async def _read(self) -> None:
        assert self.process is not None
        assert self.process.stdout is not None
        lines: list[str] = []
        while raw := await self.process.stdout.readline():
            line = raw.decode().rstrip("\n")
            if line == END:
                text = "\n".join(lines)
                self.letters.append(Shown(str(len(self.letters)), text, options(text)))
                lines = []
            else:
                lines.append(line)
