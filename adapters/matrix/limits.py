"""The homeserver's patience: one bucket for the whole account.

Synapse counts every event an account sends, whatever the room: by default about nine at
once, then one in five seconds.
"""

from __future__ import annotations

from referee.ports import Letter

_MINUTE_MS = 60_000


class TokenBucket:
    """`rate` events a second after a burst of `burst`; a rate of 0 is no limit."""

    def __init__(self, rate: float, burst: int) -> None:
        self.rate = rate
        self.burst = float(burst)
        self._level = float(burst)
        self._at_ms = 0
        self._held_ms = 0

    def delay_ms(self, letter: Letter, now_ms: int) -> int:
        """0 if one more event may go now (it is counted), else how long to wait."""
        return self.take(now_ms)

    def rest_ms(self, now_ms: int) -> int:
        """How long nothing may go anywhere: there is one bucket for all."""
        self._set_back(now_ms)
        level, at_ms = self._level, self._at_ms
        wait = self.take(now_ms)
        self._level, self._at_ms = level, at_ms
        return wait

    def spare(self, now_ms: int) -> int:
        """As `delay_ms`, for what may wait: half of the burst is left to letters."""
        return self.take(now_ms, 1.0 + self.burst / 2)

    def hold(self, retry_ms: int, now_ms: int) -> None:
        """The homeserver said stop: nothing goes for so long."""
        self._held_ms = max(self._held_ms, now_ms + retry_ms)
        self._level = 0.0
        self._at_ms = now_ms

    def take(self, now_ms: int, needed: float = 1.0) -> int:
        """0 if one more may go now (it is counted) and `needed` were there, else milliseconds to wait."""
        self._set_back(now_ms)
        if now_ms < self._held_ms:
            return self._held_ms - now_ms
        if not self.rate:
            return 0
        passed = max(0, now_ms - self._at_ms) if self._at_ms else 0
        self._level = min(self.burst, self._level + passed * self.rate / 1000)
        self._at_ms = now_ms
        needed = min(needed, self.burst)
        if self._level >= needed:
            self._level -= 1.0
            return 0
        return max(1, round((needed - self._level) / self.rate * 1000))

    def _set_back(self, now_ms: int) -> None:
        """A clock that was set back must not stop the channel for so long; less than a minute may as well be
        a caller who asked what the hour is a while ago.
        """
        back = self._at_ms - now_ms
        if back > _MINUTE_MS:
            self._held_ms -= back
            self._at_ms = now_ms
