"""Bells between processes at one database: what has changed, in words, for those who would else look only now
and then.

A bell may be missed; who hears none looks by itself after a while. So words are hints and nothing is kept of
them.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable

#: said where it is not known what has changed: look at everything
EVERYTHING = "*"


class ChangeNotifier(ABC):
    """A store's own bell."""

    @abstractmethod
    def listen(self, heard: Callable[[frozenset[str]], None]) -> None:
        """From now on call `heard` on the running event loop, with the words that other processes ring."""

    @abstractmethod
    def ring(self, words: Iterable[str]) -> None:
        """Let all others hear these words soon.

        Never waits. Raises ValueError for a word with a line break in it, or none.
        """

    @abstractmethod
    async def overtaken(self) -> str:
        """Wait until this version may not write any more, since a newer one has brought the database up; a
        sentence that says so.
        """

    @abstractmethod
    def end(self) -> None:
        """Send what was rung, and be heard no more.  Blocks for a moment."""


class NoNotifier(ChangeNotifier):
    """Of a database in which one process is at work: there is nobody to hear."""

    def listen(self, heard: Callable[[frozenset[str]], None]) -> None:
        """Nothing will come."""

    def ring(self, words: Iterable[str]) -> None:
        """Nobody hears."""
        checked(words)

    async def overtaken(self) -> str:
        """Never: who migrates is the owner."""
        never: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        return await never

    def end(self) -> None:
        """There is nothing to end."""


def checked(words: Iterable[str]) -> set[str]:
    """The words.  Raises ValueError."""
    found = set(words)
    for word in found:
        if not word or not word.isprintable():
            raise ValueError(f"{word!r} is no word for a bell")
    return found
