"""Figures over many rows, for anyone who looks after the installation: messages and letters by day, channel
and state.

Rows of the inbox and the outbox are numbered as they come, so what is older than a moment is found by halving
the numbers, and only what is younger is counted: no index has to be kept for it by those who play.
"""

from __future__ import annotations

from typing import NamedTuple

from referee.store.columns import TableRow
from referee.store.operations import BasicOperations
from referee.store.tables import Inbox, Outbox

DAY_MS = 86_400_000


class DayCount(NamedTuple):
    """How many rows of a channel, in a state, that came on a day (days since 1970, UTC)."""

    channel: str
    state: str
    day: int
    rows: int


_TIMES: dict[type[TableRow], tuple[str, str]] = {
    Inbox: ("inbox", "inbox.at_ms"),
    Outbox: ("outbox", "outbox.created_ms"),
}
_LAST = {table: f"SELECT max({name}.id) FROM {name}" for table, (name, _) in _TIMES.items()}
_AT = {
    table: f"SELECT {at} FROM {name} WHERE {name}.id >= ? ORDER BY {name}.id LIMIT ?"
    for table, (name, at) in _TIMES.items()
}
_COUNTED = {
    table: f"SELECT {name}.channel, {name}.state, {at} / {DAY_MS} AS day, count(*) FROM {name} "
    f"WHERE {name}.id > ? GROUP BY {name}.channel, {name}.state, day"
    for table, (name, at) in _TIMES.items()
}
_OLDEST = (
    "SELECT outbox.channel, count(*), min(outbox.created_ms) FROM outbox "
    "WHERE outbox.state = 'queued' AND outbox.not_before_ms <= ? GROUP BY outbox.channel"
)
#: as the index of what is open is looked through: else what rang in years would be, too
_OPEN = "SELECT count(*) FROM deadline WHERE deadline.done_ms = 0 AND deadline.due_ms >= ?"
_LATE = "SELECT count(*) FROM deadline WHERE deadline.done_ms = 0 AND deadline.due_ms < ?"


class CountQueries(BasicOperations):
    """The questions that have to do with many rows."""

    def counted(self, table: type[TableRow], since_ms: int) -> list[DayCount]:
        """The rows of `Inbox` or `Outbox` that came since then, counted."""
        rows = self._asked(_COUNTED[table], self.before(table, since_ms))
        return [DayCount(channel, state, int(day), int(count)) for channel, state, day, count in rows]

    def before(self, table: type[TableRow], at_ms: int) -> int:
        """The number of the last row of `Inbox` or `Outbox` that came before that moment; 0 for none."""
        low = 0
        high = int(self._asked(_LAST[table])[0][0] or 0)
        while low < high:  # rows up to `low` came before, those above `high` did not
            middle = (low + high + 1) // 2
            found = self._asked(_AT[table], middle, 1)
            if found and found[0][0] < at_ms:
                low = middle
            else:
                high = middle - 1
        return low

    def unsent(self, now_ms: int) -> dict[str, tuple[int, int]]:
        """Letters that could go now, by channel: how many, and since when the oldest waits."""
        rows = self._asked(_OLDEST, now_ms)
        return {channel: (int(count), int(oldest)) for channel, count, oldest in rows}

    def open_deadlines(self) -> int:
        """Deadlines that have not rung yet."""
        return int(self._asked(_OPEN, 0)[0][0])

    def late(self, before_ms: int) -> int:
        """Deadlines that are open and should have rung before that moment."""
        return int(self._asked(_LATE, before_ms)[0][0])
