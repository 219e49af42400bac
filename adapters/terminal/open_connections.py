"""Who sits at which terminal, and which letters they have not yet confirmed."""

from __future__ import annotations

import asyncio
from collections import defaultdict

from referee.connections import UNREAD


class OpenConnections:
    """The open connections by name.  A person may sit at several terminals at once."""

    def __init__(self) -> None:
        self._lines: defaultdict[str, list[asyncio.StreamWriter]] = defaultdict(list)
        self._awaited: dict[tuple[asyncio.StreamWriter, str], asyncio.Future[bool]] = {}

    def lines(self, name: str) -> list[asyncio.StreamWriter]:
        """The connections of that person now."""
        return list(self._lines.get(name, ()))

    def enter(self, name: str, line: asyncio.StreamWriter) -> None:
        """Somebody attached."""
        self._lines[name].append(line)

    def leave(self, name: str | None, line: asyncio.StreamWriter) -> None:
        """That connection is gone, or takes another name."""
        if name is not None and line in self._lines.get(name, ()):
            self._lines[name].remove(line)
            if not self._lines[name]:
                del self._lines[name]
        for (at, _), answer in self._awaited.items():
            if at is line and not answer.done():
                answer.set_result(False)

    def shown(self, line: asyncio.StreamWriter, letter: str) -> None:
        """That terminal says it has shown the letter."""
        answer = self._awaited.get((line, letter))
        if answer is not None and not answer.done():
            answer.set_result(True)

    async def show(self, name: str, letter: str, words: bytes, seconds: float) -> bool:
        """Write `words` to every terminal of that person; True as soon as one has shown them,
        False when all hung up or `seconds` have passed."""
        loop = asyncio.get_running_loop()
        answers: dict[tuple[asyncio.StreamWriter, str], asyncio.Future[bool]] = {}
        for line in self.lines(name):
            if line.transport.get_write_buffer_size() > UNREAD:
                line.transport.abort()  # nothing is read there any more: it is begun anew, or gone
                continue
            answers[line, letter] = loop.create_future()
            line.write(words)
        self._awaited.update(answers)
        try:
            async with asyncio.timeout(seconds):
                for answer in asyncio.as_completed(list(answers.values())):
                    if await answer:
                        return True
        except TimeoutError:
            return False
        finally:
            for key in answers:
                self._awaited.pop(key, None)
        return False
