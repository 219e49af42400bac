"""What is counted while the referee runs, in memory only: it costs an order nothing, and begins anew with the
process.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping
from typing import Any

#: upper bounds of how long pages took, seconds
BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0)
#: this many kinds of anything are told apart; whatever comes after them is "other"
_KINDS = 64


class DurationHistogram:
    """How long something took: how often up to each bound, and all together."""

    def __init__(self) -> None:
        self.counts, self.total = [0] * (len(BOUNDS) + 1), 0.0

    def add(self, seconds: float) -> None:
        """Once more."""
        self.counts[bisect_left(BOUNDS, seconds)] += 1
        self.total += seconds


class Tally:
    """`messages` by what they wished for, `letters` by (channel, what became of them), `pages` by address,
    `full` disks met, `parked` by (channel, why), `let_go` by channel, `thoughts` of bots by what came of
    them ("own", or why their answer was another's), `thinking`: how long they took.
    """

    def __init__(self) -> None:
        self.messages: Counter[str] = Counter()
        self.letters: Counter[tuple[str, str]] = Counter()
        self.pages: dict[str, DurationHistogram] = {}
        self.parked: Counter[tuple[str, str]] = Counter()
        self.let_go: Counter[str] = Counter()
        self.thoughts: Counter[str] = Counter()
        self.thinking = DurationHistogram()
        self.full, self.full_ms = 0, 0

    def handled(self, about: Mapping[str, Any]) -> None:
        """A message was handled; `about` is what the log tells of it."""
        if "bot" in about:
            self.thoughts[about["bot"]] += 1
        intent = about.get("wish")
        if intent is not None:
            self.messages[intent if intent in self.messages or len(self.messages) < _KINDS else "other"] += 1

    def letter(self, channel: str, fate: str) -> None:
        """A letter met its fate."""
        self.letters[channel, fate] += 1

    def parked_one(self, channel: str, why: str) -> None:
        """Something could not be read, or written down."""
        key = (channel, why)
        self.parked[key if key in self.parked or len(self.parked) < _KINDS else ("other", "other")] += 1

    def page(self, address: str, seconds: float) -> None:
        """A page was answered."""
        known = self.pages.get(address)
        if known is None:
            known = self.pages.setdefault(
                address if len(self.pages) < _KINDS else "other", DurationHistogram()
            )
        known.add(seconds)

    def thought(self, outcome: str, seconds: float) -> None:
        """A bot had time to think, and this came of it."""
        self.thoughts[outcome] += 1
        self.thinking.add(seconds)

    def disk_full(self, now_ms: int) -> None:
        """Something could not be written down."""
        self.full, self.full_ms = self.full + 1, now_ms
