"""Flood control: how often a bot may write before it is told to wait.

Stricter than the real server, which forgives short bursts: anyone who is never told to wait here is not told
there.
"""

from __future__ import annotations

import math
from collections import defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass, field

from .errors import flooded


@dataclass
class Flood:
    """Sliding windows.  `clock` gives seconds; `refused` counts the 429s handed out."""

    clock: Callable[[], float]
    per_chat_second: int = 1
    per_group_minute: int = 20
    overall_second: int = 30
    refused: int = 0
    _sent: dict[int | None, deque[float]] = field(default_factory=lambda: defaultdict(deque))

    def count(self, chat: int) -> None:
        """Count one message to `chat`, or refuse it with ``retry_after``."""
        now = self.clock()
        wait = max(
            self._wait(None, self.overall_second, 1.0, now),
            self._wait(chat, self.per_chat_second, 1.0, now),
            self._wait(chat, self.per_group_minute, 60.0, now) if chat < 0 else 0.0,
        )
        if wait > 0:
            self.refused += 1
            raise flooded(max(1, math.ceil(wait)))
        for key in (None, chat):
            self._sent[key].append(now)

    def _wait(self, key: int | None, most: int, window: float, now: float) -> float:
        times = self._sent[key]
        while times and times[0] <= now - 60.0:
            times.popleft()
        inside = [at for at in times if at > now - window]
        return inside[-most] + window - now if len(inside) >= most else 0.0
