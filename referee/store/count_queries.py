"""Figures over many rows, for anyone who looks after the installation: messages and letters by day, channel
and state.

Rows of the inbox and the outbox are numbered as they come, so what is older than a moment is found by halving
the numbers, and only what is younger is counted: no index has to be kept for it by those who play.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from sqlalchemy import Integer, bindparam, func, literal_column, select, text
from sqlmodel import SQLModel

from referee.store.operations import BasicOperations
from referee.store.table_layouts import sheet_of
from referee.store.tables import Deadline, Inbox, Outbox

DAY_MS = 86_400_000
_inbox, _outbox, _deadline = sheet_of(Inbox).table, sheet_of(Outbox).table, sheet_of(Deadline).table


class DayCount(NamedTuple):
    """How many rows of a channel, in a state, that came on a day (days since 1970, UTC)."""

    channel: str
    state: str
    day: int
    rows: int


def _n(name: str) -> Any:
    return bindparam(name, type_=Integer())


_TIMES = {Inbox: _inbox.c.at_ms, Outbox: _outbox.c.created_ms}
_LAST = {table: select(func.max(times.table.c.id)) for table, times in _TIMES.items()}
_AT = {
    table: select(times).where(times.table.c.id >= _n("id")).order_by(times.table.c.id).limit(_n("limit"))
    for table, times in _TIMES.items()
}
_COUNTED = {
    table: select(
        times.table.c.channel,
        times.table.c.state,
        literal_column(f"{times} / {DAY_MS}").label("day"),
        func.count(),
    )
    .where(times.table.c.id > _n("id"))
    .group_by(times.table.c.channel, times.table.c.state, literal_column("day"))
    for table, times in _TIMES.items()
}
_OLDEST = (
    select(_outbox.c.channel, func.count(), func.min(_outbox.c.created_ms))
    .where(text("outbox.state = 'queued'"), _outbox.c.not_before_ms <= _n("now"))
    .group_by(_outbox.c.channel)
)
#: as the index of what is open is looked through: else what rang in years would be, too
_OPEN = (
    select(func.count())
    .select_from(_deadline)
    .where(text("deadline.done_ms = 0"), _deadline.c.due_ms >= _n("from"))
)
_LATE = (
    select(func.count())
    .select_from(_deadline)
    .where(text("deadline.done_ms = 0"), _deadline.c.due_ms < _n("before"))
)


class CountQueries(BasicOperations):
    """The questions that have to do with many rows."""

    def counted(self, table: type[SQLModel], since_ms: int) -> list[DayCount]:
        """The rows of `Inbox` or `Outbox` that came since then, counted."""
        rows = self._ask(
            self._statements.once(("counted", table), lambda: (_COUNTED[table], ["id"])),
            (self.before(table, since_ms),),
        )
        return [DayCount(channel, state, int(day), int(count)) for channel, state, day, count in rows]

    def before(self, table: type[SQLModel], at_ms: int) -> int:
        """The number of the last row of `Inbox` or `Outbox` that came before that moment; 0 for none."""
        low = 0
        high = int(
            self._ask(self._statements.once(("last", table), lambda: (_LAST[table], [])), ())[0][0] or 0
        )
        while low < high:  # rows up to `low` came before, those above `high` did not
            middle = (low + high + 1) // 2
            found = self._ask(
                self._statements.once(("at", table), lambda: (_AT[table], ["id", "limit"])), (middle, 1)
            )
            if found and found[0][0] < at_ms:
                low = middle
            else:
                high = middle - 1
        return low

    def unsent(self, now_ms: int) -> dict[str, tuple[int, int]]:
        """Letters that could go now, by channel: how many, and since when the oldest waits."""
        rows = self._ask(self._statements.once("unsent", lambda: (_OLDEST, ["now"])), (now_ms,))
        return {channel: (int(count), int(oldest)) for channel, count, oldest in rows}

    def open_deadlines(self) -> int:
        """Deadlines that have not rung yet."""
        return int(self._ask(self._statements.once("open", lambda: (_OPEN, ["from"])), (0,))[0][0])

    def late(self, before_ms: int) -> int:
        """Deadlines that are open and should have rung before that moment."""
        return int(self._ask(self._statements.once("late", lambda: (_LATE, ["before"])), (before_ms,))[0][0])
