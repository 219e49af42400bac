"""The hour by which everything goes where several processes share one database: the database's.

Each process reckons it from a clock of its machine that nobody sets, and puts that right by the database
whenever it looks. So no two of them disagree about what is due, and a machine whose clock is set wrong is no
harm to anybody who plays; its admin is told.
"""

from __future__ import annotations

import socket
from collections.abc import Callable

from referee.store import Meta, Store, Tx

from ..core.alerts import alert
from ..core.unit_of_work import UnitOfWork

#: what the hour may differ by without being put right; by how much a machine's clock may be off before its
#: admin hears of it, ms
_LITTLE_MS, OFF_MS = 1_000, 30_000


class SharedClock:
    """UTC milliseconds.

    `machine_ms` is the machine's own clock, believed until the database has told its hour; `steady_ms` is one
    that nobody sets.
    """

    def __init__(self, machine_ms: Callable[[], int], steady_ms: Callable[[], int]) -> None:
        self._machine_ms, self._steady_ms = machine_ms, steady_ms
        self._ahead_ms: int | None = None
        self._unsure_ms = 0
        #: by how much the machine's clock is ahead of the database's, where it is by so much that somebody
        #: should know; else 0
        self.off_ms = 0

    def __call__(self) -> int:
        return self._machine_ms() if self._ahead_ms is None else self._steady_ms() + self._ahead_ms

    def heard(self, before_ms: int, hour_ms: int, after_ms: int) -> None:
        """The database's hour, between two moments of the steady clock."""
        ahead, unsure = hour_ms - (before_ms + after_ms) // 2, (after_ms - before_ms) // 2
        if (
            self._ahead_ms is None
            or unsure < self._unsure_ms
            or abs(ahead - self._ahead_ms) > _LITTLE_MS + unsure
        ):
            self._ahead_ms, self._unsure_ms = ahead, unsure
        off = self._machine_ms() - self()
        if abs(off) > OFF_MS + unsure:
            self.off_ms = off
        elif abs(off) < OFF_MS // 2:
            self.off_ms = 0


class ClockDriftAlert:
    """Tells the admin once that this machine's clock is off, and once that it is right again, however many of
    its processes notice it.
    """

    def __init__(
        self,
        store: Store,
        clock_ms: Callable[[], int],
        uow: Callable[[Tx], UnitOfWork],
        woke: Callable[[UnitOfWork], None],
        name: str = "",
    ) -> None:
        self._store, self._clock_ms, self._uow, self._woke = store, clock_ms, uow, woke
        self._name = name or socket.gethostname()
        self._told: bool | None = (
            None  # whether the admin knows, so that it is written only when that changes
        )

    async def look(self) -> None:
        """Compare, where there is something to compare with.  Raises StoreFull."""
        if not isinstance(self._clock_ms, SharedClock) or self._told is bool(self._clock_ms.off_ms):
            return
        off_ms = self._clock_ms.off_ms

        def tell(tx: Tx) -> UnitOfWork:
            uow, name = self._uow(tx), f"clock-off {self._name}"
            if off_ms and tx.get(Meta, name) is None:
                tx.put(Meta, name=name, value=str(off_ms))
                alert(uow, "clock-off", machine=self._name, seconds=round(off_ms / 1000))
            elif not off_ms and tx.drop(Meta, name=name):
                alert(uow, "clock-right", machine=self._name)
            return uow

        self._woke(await self._store.write(tell))
        self._told = bool(off_ms)
