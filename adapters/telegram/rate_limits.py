"""How fast Telegram may be written to: per chat, per group and in all.

Sliding windows rather than leaky buckets: a bucket lets a burst and its refill into the same
second, and a strict server answers that with 429.  Edits count like messages; answers to buttons don't count.
"""

from __future__ import annotations

from collections import deque

from referee.ports import Letter

from .places import ChatPlace, chat_place

# a little longer than Telegram's own windows: what leaves a second apart may arrive closer together
SECOND_MS = 1_050
MINUTE_MS = 60_500
MOST_CHATS = 10_000


class TelegramLimits:
    """Implements `referee.ports.Limits`.  Times are the caller's, in milliseconds."""

    def __init__(
        self, *, chat_per_second: int = 1, group_per_minute: int = 20, overall_per_second: int = 30
    ) -> None:
        self._chat = (chat_per_second, SECOND_MS)
        self._group = (group_per_minute, MINUTE_MS)
        self._overall = (overall_per_second, SECOND_MS)
        self._times: dict[str, deque[int]] = {}
        self._now = 0

    def delay_ms(self, letter: Letter, now_ms: int) -> int:
        """0 if the letter may go now, and then it is counted; else the wait, and nothing is counted."""
        if letter.callback:
            return 0
        chat = _account(letter.address or letter.place or "")
        wait = self._wait(chat, now_ms)
        if wait == 0:
            self._count(chat, now_ms, now_ms)
        return wait

    def rest_ms(self, now_ms: int) -> int:
        """How long nothing may go to anybody."""
        self._set_back(now_ms)
        return self._free("", *self._overall, now_ms) - now_ms

    def reserve(self, chat: ChatPlace, now_ms: int) -> int:
        """Count one more message to `chat` at its next possible moment; the wait until then."""
        wait = self._wait(str(chat.chat), now_ms)
        self._count(str(chat.chat), now_ms + wait, now_ms)
        return wait

    def _set_back(self, now: int) -> None:
        """A clock that was set back must keep nobody silent for so long: what was counted goes back with it.

        Less than a minute may as well be a caller who asked what the hour is a while ago.
        """
        back = self._now - now
        if back > MINUTE_MS:
            self._times = {key: deque(one - back for one in times) for key, times in self._times.items()}
        self._now = now if back > MINUTE_MS else max(self._now, now)

    def _wait(self, chat: str, now: int) -> int:
        self._set_back(now)
        rules = [("", *self._overall), (chat, *self._chat)]
        if chat.startswith("-"):
            rules.append((chat, *self._group))
        # one rule's moment may be too early for another: move on until all agree
        at = now
        while (later := max(self._free(key, most, window, at) for key, most, window in rules)) > at:
            at = later
        return at - now

    def _free(self, key: str, most: int, window: int, at: int) -> int:
        times = self._times.get(key)
        inside = sorted(one for one in times if one > at - window) if times else []
        return inside[-most] + window if len(inside) >= most else at

    def _count(self, chat: str, at: int, now: int) -> None:
        for key in ("", chat):
            times = self._times.setdefault(key, deque())
            times.append(at)
            keep = now - (MINUTE_MS if key.startswith("-") else SECOND_MS)
            while times[0] <= keep:
                times.popleft()
        if len(self._times) > MOST_CHATS:
            self._times = {key: times for key, times in self._times.items() if times[-1] > now - MINUTE_MS}


def _account(text: str) -> str:
    """What is counted together: a chat with all its topics."""
    place = chat_place(text)
    return text if place is None else str(place.chat)
