"""Pressed buttons that wait for an answer.

Telegram lets a button spin until the press is answered. The referee answers with a `Letter`; if it says it by
a new message instead, or has nothing to say, or is slow, the spinning is stopped here without words: a late
toast is lost rather than the button stuck. A second tap on the same button right after the first goes no
further than here: a thumb that trembles means it once.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable

from referee.ports import Inbound, What

log = logging.getLogger(__name__)

#: the same button pressed again so soon is one press, seconds
DOUBLE_S = 5.0
#: who pressed what: chat, message, button, person
_Tap = tuple[str | None, str, str, str]


class ButtonPresses:
    """`answer` ends the spinning of one press; it is called `patience_s` after the press, unless settled
    before.
    """

    def __init__(self, answer: Callable[[str], Awaitable[None]], patience_s: float) -> None:
        self._answer = answer
        self._patience = patience_s
        self._waiting: dict[str, tuple[asyncio.TimerHandle, str]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        #: the last taps, oldest first: when, and the key of the update, which may come again
        self._taps: dict[_Tap, tuple[float, str]] = {}

    def without_repeats(self, batch: Iterable[Inbound]) -> list[Inbound]:
        """`batch` without second taps on the same button; nothing is remembered of it yet."""
        now, here, fresh = asyncio.get_running_loop().time(), dict[_Tap, tuple[float, str]](), []
        for one in batch:
            if one.what is What.BUTTON:
                at, key = here.get(_tap(one)) or self._taps.get(_tap(one)) or (now, one.key)
                if key != one.key and now - at < DOUBLE_S:
                    continue
                here[_tap(one)] = now, one.key
            fresh.append(one)
        return fresh

    def note(self, batch: Iterable[Inbound], taken: Iterable[Inbound]) -> None:
        """Remember the presses of `taken`, which are on disk now; the others in `batch` need no more."""
        loop = asyncio.get_running_loop()
        acted = {one.key for one in taken}
        for one in batch:
            press = one.facts.get("callback")
            if one.what is not What.BUTTON or not press or press in self._waiting:
                continue
            self._waiting[press] = loop.call_later(self._patience, self._tire, press), one.address
            if one.key in acted:
                self._taps.pop(_tap(one), None)
                self._taps[_tap(one)] = loop.time(), one.key
            else:
                self.settle(press)
                self._tire(press)
        while self._taps and loop.time() - next(iter(self._taps.values()))[0] >= DOUBLE_S:
            del self._taps[next(iter(self._taps))]

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


def _tap(one: Inbound) -> _Tap:
    return one.place, one.thread, one.payload, one.address
