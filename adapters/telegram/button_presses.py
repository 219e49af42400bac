"""Pressed buttons that wait for an answer.

Telegram lets a button spin until the press is answered. The referee answers with a `Letter`; if it says it by
a new message instead, or has nothing to say, or is slow, the spinning is stopped here without words: a late
toast is lost rather than the button stuck.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable

from referee.ports import Inbound, What

log = logging.getLogger(__name__)


class ButtonPresses:
    """`answer` ends the spinning of one press; it is called `patience_s` after the press, unless settled
    before.
    """

    def __init__(self, answer: Callable[[str], Awaitable[None]], patience_s: float) -> None:
        self._answer = answer
        self._patience = patience_s
        self._waiting: dict[str, tuple[asyncio.TimerHandle, str]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def note(self, batch: Iterable[Inbound]) -> None:
        """Remember the presses in `batch`, which is on disk now."""
        loop = asyncio.get_running_loop()
        for one in batch:
            press = one.facts.get("callback")
            if one.what is What.BUTTON and press and press not in self._waiting:
                self._waiting[press] = loop.call_later(self._patience, self._tire, press), one.address

    def settle(self, press: str) -> None:
        """The referee answers this one itself."""
        if waiting := self._waiting.pop(press, None):
            waiting[0].cancel()

    def satisfy(self, address: str) -> None:
        """A letter reached `address`: that was the answer to whatever this person pressed."""
        for press in [press for press, (_, who) in self._waiting.items() if who == address]:
            self.settle(press)
            self._tire(press)

    def _tire(self, press: str) -> None:
        self._waiting.pop(press, None)
        task = asyncio.ensure_future(self._answer(press))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def close(self) -> None:
        for handle, _ in self._waiting.values():
            handle.cancel()
        self._waiting.clear()
        for task in self._tasks:
            task.cancel()
