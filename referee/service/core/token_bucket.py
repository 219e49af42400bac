"""Token buckets, in memory: so much within so long a time."""

from __future__ import annotations

from dataclasses import dataclass

#: what an account at the gate is counted in
MESSAGES, BYTES, MILLISECONDS = "messages", "bytes", "milliseconds"


@dataclass(slots=True)
class TokenBucket:
    """`most` tokens in `span_ms` milliseconds; full to begin with.

    `unit`: what a token is, one of `MESSAGES`, `BYTES`, `MILLISECONDS`.
    """

    most: int
    span_ms: int
    left: float
    at_ms: int
    unit: str = MESSAGES

    def take(self, now_ms: int, tokens: float = 1) -> bool:
        """Take tokens, if there is one: more than are there leave a debt, of one bucket at most."""
        self.left = min(self.most, self.left + max(0, now_ms - self.at_ms) * self.most / self.span_ms)
        self.at_ms = now_ms
        if self.left < 1:
            return False
        self.left = max(self.left - tokens, -self.most)
        return True
