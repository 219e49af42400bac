"""How fast letters may leave: that many a minute in all, and a pause between two to one address."""

from __future__ import annotations

from collections import deque

from referee.ports import Letter

_MINUTE_MS = 60_000


class MailLimits:
    """Counts what it lets go; the clock is whatever `now_ms` says."""

    def __init__(self, per_minute: int, gap_seconds: float) -> None:
        self._per_minute = per_minute
        self._gap_ms = round(gap_seconds * 1000)
        self._sent: deque[int] = deque()
        self._last: dict[str, int] = {}
        self._now = 0

    def rest_ms(self, now_ms: int) -> int:
        """How long nothing may go to anybody."""
        back = self._now - now_ms
        if back > _MINUTE_MS:  # a clock that was set back must keep nobody silent for so long
            self._sent = deque(at - back for at in self._sent)
            self._last = {who: at - back for who, at in self._last.items()}
        self._now = now_ms if back > _MINUTE_MS else max(self._now, now_ms)
        while self._sent and self._sent[0] <= now_ms - _MINUTE_MS:
            self._sent.popleft()
        return self._sent[0] + _MINUTE_MS - now_ms if len(self._sent) >= self._per_minute else 0

    def delay_ms(self, letter: Letter, now_ms: int) -> int:
        """0 if the letter may go now (and is counted), else milliseconds to wait."""
        wait = self.rest_ms(now_ms)
        address = (letter.address or "").lower()
        if address in self._last:
            wait = max(wait, self._last[address] + self._gap_ms - now_ms)
        if wait > 0:
            return wait
        self._sent.append(now_ms)
        self._last[address] = now_ms
        if len(self._last) > 1000:
            self._last = {who: at for who, at in self._last.items() if at > now_ms - self._gap_ms}
        return 0
