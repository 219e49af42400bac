"""Which channels are open in this process.

On a file, and wherever one process is alone, all of them from start to stop. On a database that several
processes share those whose lease it has (`channel_leases`), until their time is over by a clock of its own.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

#: for how long it is believed that some process has a channel open, ms
_BELIEVED_MS = 4_000


def boot_ms() -> int:
    """Milliseconds on a clock that nobody sets; where there is one, it goes on while the machine sleeps."""
    return time.clock_gettime_ns(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)) // 1_000_000


class OpenChannels:
    """Made before everything that asks it; only the leases change it.

    `names`: the channels with a wire. `here`: those without one that are open in this process whatever others
    do, such as its own web pages. `shared`: other processes may have them open. `steady_ms`: a clock that
    nobody sets.
    """

    def __init__(
        self,
        names: Iterable[str],
        *,
        here: tuple[str, ...] = (),
        shared: bool = False,
        steady_ms: Callable[[], int] = boot_ms,
    ) -> None:
        self._names, self.here, self.shared, self.steady_ms = frozenset(names), here, shared, steady_ms
        self._open: set[str] = set()
        self._until_ms = 0
        self._somebody_ms: int | None = None
        #: the channels whose lease we have
        self.mine: frozenset[str] = frozenset()

    def channels(self) -> tuple[str, ...] | None:
        """The channels to which letters may go from here now; None: to all that there are."""
        if not self.shared:
            return None
        return (*(name for name in self._open if self.held(name)), *self.here)

    def held(self, name: str) -> bool:
        """Whether what comes from that channel, and what became of its letters, is ours to write down."""
        return (
            not self.shared
            or name not in self._names
            or (name in self.mine and self.steady_ms() < self._until_ms)
        )

    def served(self) -> bool:
        """Whether somebody has a channel open, so that players can be heard at all."""
        return not self.shared or (
            self._somebody_ms is not None and self.steady_ms() - self._somebody_ms < _BELIEVED_MS
        )

    def is_open(self, name: str) -> bool:
        """Whether it is open here."""
        return name in self.open

    @property
    def open(self) -> frozenset[str]:
        """The channels that are open here."""
        return frozenset(self._open) if self.shared else self._names

    @property
    def alive(self) -> bool:
        """Whether players can be heard here, which is what a sign of life tells."""
        return not self.shared or bool(self.mine)

    def expired(self) -> bool:
        """Whether we have leases whose time is over by our own clock."""
        return bool(self.mine) and self.steady_ms() >= self._until_ms

    def somebody_seen(self, at_ms: int) -> None:
        """Some process had a channel at that moment of the steady clock."""
        self._somebody_ms = at_ms

    def renew(self, mine: frozenset[str], until_ms: int) -> None:
        """Those leases are ours until that moment of the steady clock, and no others."""
        self.mine, self._until_ms = mine, until_ms

    def lose(self, names: frozenset[str]) -> None:
        """Those are ours no more, and not open here from this moment on."""
        self.mine -= names
        self._open -= names

    def opened(self, name: str) -> None:
        """Its wire listens."""
        self._open.add(name)

    def closed(self, name: str) -> None:
        """It does so no more."""
        self._open.discard(name)
