"""The one process in which bots think, as the house asks it: begun by the first question, ended when there is
none for a while, begun anew when it dies.
"""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import Callable
from concurrent.futures import BrokenExecutor
from typing import TypeVar

import msgspec

from referee.isolated.worker import Worker, WorkerDied
from referee.rules import Move
from referee.search.search import Compared, Judged
from referee.search.thinking import Thought, read_answer, read_compared, read_judged

from ..core.counters import Tally
from ..core.settings import BotSettings

T = TypeVar("T")
#: what the process runs, given the processor time of one answer in seconds
BEGIN = "from referee.search.thinking import serve; serve({cpu_s})"
#: processor time of one answer: its effort times the first, and the second in seconds
_MARGIN, _MORE_S = 2.0, 1.0
#: by the clock it may take longer, as it gets what others leave of the processor: times the first, and the
#: seconds in which a process begins
_BUSY, _BEGINS_S = 10.0, 10.0
#: seconds after which a process that is asked nothing is ended
_IDLE_S = 120.0
#: bytes of an answer
_LARGEST = 1 << 16
#: after that many failures in a row nobody is let think for a while (ms): a hundred tables that each wait for
#: one would wait for an hour
_FAILURES, _REST_MS = 3, 60_000


class NoThought(Exception):
    """Nothing came of it.

    `why`: off (the house wants no such process), rest (it failed time and again just now), cpu, memory,
    ended, died (`isolated.worker`), slow (by the clock), answer (it was no move), process (none could be
    begun).
    """

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Thinker:
    """One question at a time.  `begin` is what its process runs (see `BEGIN`)."""

    def __init__(
        self, settings: BotSettings, tally: Tally, clock_ms: Callable[[], int], begin: str = BEGIN
    ) -> None:
        self._settings, self._tally, self._clock_ms = settings, tally, clock_ms
        self._cpu_s = _MARGIN * settings.effort + _MORE_S
        self._worker = Worker(begin.format(cpu_s=self._cpu_s), idle=_IDLE_S, largest=_LARGEST)
        self._failed = self._rested_ms = 0

    @property
    def process(self) -> subprocess.Popen[bytes] | None:
        """The one that thinks, while there is one."""
        return self._worker.process

    @property
    def rests(self) -> bool:
        """Whether nobody is let think for a while."""
        # longer only where the clock was set back
        return 0 < self._rested_ms - self._clock_ms() <= _REST_MS

    async def move(self, thought: Thought) -> Move:
        """What the bot answers.  Raises NoThought."""
        return await self._thought(thought, read_answer)

    async def judged(self, thought: Thought) -> list[Judged]:
        """What it thinks of the answers, the best first: of a thought that says so.  Raises NoThought."""
        return await self._thought(thought, read_judged)

    async def compared(self, thought: Thought) -> Compared:
        """What it thinks of the answer that was given there.  Raises NoThought."""
        return await self._thought(thought, read_compared)

    def close(self) -> None:
        """End the process, whatever it does."""
        self._worker.close()

    async def _thought(self, thought: Thought, read: Callable[[bytes], T]) -> T:
        try:
            found = await self._asked(thought, read)
        except NoThought as nothing:
            self._tally.thought(nothing.why, 0.0)
            raise
        self._failed = 0
        return found

    async def _asked(self, thought: Thought, read: Callable[[bytes], T]) -> T:
        if not self._settings.process:
            raise NoThought("off")
        if self.rests:
            raise NoThought("rest")
        loop = asyncio.get_running_loop()
        began = loop.time()
        try:
            answer = await self._worker.ask(msgspec.json.encode(thought), _BUSY * self._cpu_s + _BEGINS_S)
            found = read(answer)
        except (BrokenExecutor, ValueError, OSError) as error:  # a timeout is an OSError
            self._failed += 1
            if self._failed >= _FAILURES:
                self._failed, self._rested_ms = 0, self._clock_ms() + _REST_MS
            raise NoThought(_why(error)) from error
        self._tally.thought("own", loop.time() - began)
        return found


def _why(error: Exception) -> str:
    match error:
        case WorkerDied():
            return error.why
        case TimeoutError():
            return "slow"
        case OSError():
            return "process"
        case _:
            return "answer"
