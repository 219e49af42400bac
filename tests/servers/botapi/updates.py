"""The queue of updates: kept until confirmed, filtered when made."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

NOT_BY_DEFAULT = {"chat_member", "message_reaction", "message_reaction_count"}


class Updates:
    """What the bot has not confirmed yet.

    May be filled from any thread; is waited for in the server's own loop.
    """

    def __init__(self, first_id: int) -> None:
        self.pending: list[dict[str, Any]] = []
        self.allowed: list[str] | None = None
        self.next_id = first_id
        #: what was pressed by whom: (message, button's data, person) -> the updates that told it
        self.presses: dict[tuple[int, str, int], list[int]] = {}
        self.poll = 0  # number of the newest getUpdates call: an older one must give way
        self._watchers: set[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = set()
        self._lock = threading.RLock()

    def allow(self, kinds: Any) -> None:
        """Take a new ``allowed_updates``; None leaves the earlier choice, an empty list means the default."""
        if isinstance(kinds, list):
            self.allowed = [str(kind) for kind in kinds] or None

    def wants(self, kind: str) -> bool:
        return kind in self.allowed if self.allowed is not None else kind not in NOT_BY_DEFAULT

    def add(self, kind: str, body: dict[str, Any]) -> int | None:
        """Queue one update and wake who waits; None when the bot does not want that kind."""
        with self._lock:
            if not self.wants(kind):
                return None
            number = self.next_id
            self.next_id += 1
            if kind == "callback_query":
                press = body.get("message", {}).get("message_id", 0), body.get("data", ""), body["from"]["id"]
                self.presses.setdefault(press, []).append(number)
            # a copy of this moment: later edits must not change what was reported
            self.pending.append(json.loads(json.dumps({"update_id": number, kind: body})))
        self.wake()
        return number

    def meant(self, first: int) -> list[str]:
        """The numbers of all updates from `first` on, but for presses of a button that the same person had
        pressed before: a bot may take two taps for one.
        """
        again = {number for told in self.presses.values() for number in told[1:]}
        return [str(number) for number in range(first, self.next_id) if number not in again]

    def add_raw(self, body: dict[str, Any]) -> int:
        """Queue something no client knows; for tests of their patience."""
        with self._lock:
            number = self.next_id
            self.next_id += 1
            self.pending.append({"update_id": number, **body})
        self.wake()
        return number

    def confirm(self, offset: int | None) -> None:
        """Forget everything below `offset`; a negative one keeps only the last so many."""
        with self._lock:
            if offset is None or offset == 0:
                return
            if offset < 0:
                self.pending = self.pending[offset:]
            else:
                self.pending = [one for one in self.pending if one["update_id"] >= offset]

    def waiting(self, limit: int) -> list[dict[str, Any]]:
        with self._lock:
            return list(self.pending[:limit])

    def wake(self) -> None:
        with self._lock:
            watchers = list(self._watchers)
        for loop, event in watchers:
            if not loop.is_closed():
                loop.call_soon_threadsafe(event.set)

    @contextmanager
    def watching(self) -> Iterator[asyncio.Event]:
        """An event that is set whenever something changed.  Clear it before looking, wait after."""
        one = (asyncio.get_running_loop(), asyncio.Event())
        with self._lock:
            self._watchers.add(one)
        try:
            yield one[1]
        finally:
            with self._lock:
                self._watchers.discard(one)
