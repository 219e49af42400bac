"""What is to be done next, for one of several processes: rows that a job takes in hand.

A row so taken is this job's until its transaction is over. On PostgreSQL the others pass it over and take the
next one (SKIP LOCKED), so that nobody waits and nothing is done twice; on SQLite one job at a time writes, so
the oldest row is simply the next. What is taken must be changed by the job, such that it is found no more;
else the next to ask gets it again.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from referee.store.columns import TableRow
from referee.store.league_tables import Season
from referee.store.list_queries import ListQueries
from referee.store.statements import MINE, columns, several
from referee.store.tables import DailyLetter, Deadline, Inbox, Outbox

#: before every deadline
FIRST = (-(1 << 62), 0)
M = TypeVar("M", bound=TableRow)

# Conditions of partial indexes stand in the query word for word (see statements.py). Those of the two that
# end in a row's number say more than they need to: else PostgreSQL would look for a row of that number and
# state in them, from end to end, as long as it thinks they are small. LIMIT 1 is said literally: so it knows
# when it plans that one is enough.
_NEXT_INBOX = (
    f"SELECT {columns(Inbox)} FROM inbox WHERE inbox.state = 'new' AND (SELECT older.id FROM inbox AS older "
    "WHERE older.state = 'new' AND older.lane <> '' AND older.lane = inbox.lane AND older.id < inbox.id "
    f"LIMIT 1) IS NULL ORDER BY inbox.id LIMIT 1{MINE}"
)
_NEXT_DAILY = (
    f"SELECT {columns(DailyLetter)} FROM daily_letter WHERE daily_letter.due_ms <= ? "
    f"ORDER BY daily_letter.due_ms, daily_letter.id LIMIT 1{MINE}"
)
_NEXT_DUE = (
    f"SELECT {columns(Deadline)} FROM deadline WHERE deadline.done_ms = 0 AND deadline.due_ms <= ? "
    "AND deadline.due_ms >= ? AND (deadline.due_ms > ? OR deadline.id > ?){kinds} "
    f"ORDER BY deadline.due_ms, deadline.id LIMIT 1{MINE}"
)
_NEXT_SEASON = (
    f"SELECT {columns(Season)} FROM season WHERE season.due_ms <> 0 AND season.due_ms <= ?{{others}} "
    f"ORDER BY season.due_ms, season.id LIMIT 1{MINE}"
)
_QUEUED = "outbox.state = 'queued' AND outbox.channel <> ''"
_MAY_GO = f"{_QUEUED} AND outbox.channel = ? AND outbox.not_before_ms <= ?"
_OUTBOX = (
    f"SELECT {columns(Outbox)} FROM outbox WHERE {_MAY_GO}{{after}} "
    "ORDER BY outbox.not_before_ms, outbox.id LIMIT ?"
)
_OUTBOX_FROM, _OUTBOX_AFTER = (
    _OUTBOX.format(after=after) for after in ("", " AND (outbox.not_before_ms, outbox.id) > (?, ?)")
)
_OUTBOX_NEWEST = (
    f"SELECT {columns(Outbox)} FROM outbox WHERE {_MAY_GO} "
    "ORDER BY outbox.not_before_ms DESC, outbox.id DESC LIMIT ?"
)
_OUTBOX_FIRST = (
    f"SELECT {columns(Outbox)} FROM outbox WHERE {_QUEUED} AND outbox.channel = ? AND outbox.address = ? "
    "AND outbox.place = ? AND outbox.not_before_ms <= ? ORDER BY outbox.not_before_ms, outbox.id LIMIT 1"
)
_OUTBOX_MS = f"SELECT min(outbox.not_before_ms) FROM outbox WHERE {_QUEUED} AND outbox.channel = ?"
_COMING = (
    "SELECT min(outbox.not_before_ms) FROM outbox WHERE outbox.state = 'queued' AND outbox.not_before_ms > ?"
)
_COMING_OF = f"{_OUTBOX_MS} AND outbox.not_before_ms > ?"
_NAMES = f"SELECT min(outbox.channel) FROM outbox WHERE {_QUEUED} AND outbox.channel > ?"


class ClaimQueries(ListQueries):
    """The questions of who looks for work."""

    _writes: bool

    def next_due(
        self, now_ms: int, kinds: Sequence[str] = (), after: tuple[int, int] = FIRST
    ) -> Deadline | None:
        """The oldest open deadline that is due and that nobody else has in hand; of these `kinds` where some
        are named.

        `after` (due_ms, id): only those behind this one, in the order in which they come; for who looked at a
        row and left it as it is.
        """
        given = _padded(kinds)
        wanted = f" AND deadline.kind IN ({several(len(given))})" if given else ""
        return self._taken(Deadline, _NEXT_DUE.format(kinds=wanted), now_ms, after[0], *after, *given)

    def next_inbox(self) -> Inbox | None:
        """The oldest new message that nobody else has in hand, and whose sender has no older new one, in
        anybody's hands or none.
        """
        return self._taken(Inbox, _NEXT_INBOX)

    def next_daily(self, now_ms: int) -> DailyLetter | None:
        """The daily letter that is longest overdue and that nobody else has in hand."""
        return self._taken(DailyLetter, _NEXT_DAILY, now_ms)

    def next_season(self, now_ms: int, not_in: Sequence[int] = ()) -> Season | None:
        """The season that is longest overdue and that nobody else has in hand, none of these."""
        given = _padded(not_in)
        others = f" AND season.id NOT IN ({several(len(given))})" if given else ""
        return self._taken(Season, _NEXT_SEASON.format(others=others), now_ms, *given)

    def claim(self, table: type[TableRow], where: Mapping[str, Any], /, **values: Any) -> int:
        """`change`, but for rows that nobody else has in hand; how many.

        0: somebody was first, or is just about to be.
        """
        return self.change(table, where, **values)

    def outbox_of(
        self, channel: str, now_ms: int, limit: int, after: tuple[int, int] | None = None
    ) -> list[Outbox]:
        """Queued letters of one channel that may go now, oldest first; `after` (not_before_ms, id): only
        those behind this one.
        """
        if after is None:
            return self._rows(Outbox, _OUTBOX_FROM, channel, now_ms, limit)
        return self._rows(Outbox, _OUTBOX_AFTER, channel, now_ms, *after, limit)

    def outbox_newest(self, channel: str, now_ms: int, limit: int) -> list[Outbox]:
        """Queued letters of one channel that may go now, the newest first."""
        return self._rows(Outbox, _OUTBOX_NEWEST, channel, now_ms, limit)

    def outbox_first(self, channel: str, address: str, place: str, now_ms: int) -> Outbox | None:
        """The oldest queued letter to an address, or into a room, that may go now."""
        rows = self._rows(Outbox, _OUTBOX_FIRST, channel, address, place, now_ms)
        return rows[0] if rows else None

    def outbox_coming_ms(self, now_ms: int, channels: Sequence[str] | None = None) -> int | None:
        """When the next queued letter may go that may not go yet; only of these channels unless None."""
        if channels is None:
            return self._first(_COMING, now_ms)
        found = (self._first(_COMING_OF, channel, now_ms) for channel in dict.fromkeys(channels))
        return min((at for at in found if at is not None), default=None)

    def outbox_channels(self) -> list[str]:
        """The channels that have queued letters: a step in the index for each, however many letters there
        are.
        """
        found: list[str] = []
        while (name := self._asked(_NAMES, found[-1] if found else "")[0][0]) is not None:
            found.append(name)
        return found

    def outbox_in(self, channels: Sequence[str], now_ms: int, limit: int) -> list[Outbox]:
        """The same of several: a question for each, since no index has the letters of two channels in their
        order.
        """
        found = (self.outbox_of(channel, now_ms, limit) for channel in dict.fromkeys(channels))
        return list(heapq.merge(*found, key=lambda row: (row.not_before_ms, row.id)))[:limit]

    def next_outbox_in(self, channels: Sequence[str]) -> int | None:
        """When the next queued letter of these channels may go."""
        found = (self._first(_OUTBOX_MS, channel) for channel in dict.fromkeys(channels))
        return min((at for at in found if at is not None), default=None)

    def _taken(self, table: type[M], words: str, *values: Any) -> M | None:
        if not self._writes:
            raise TypeError("a job that was given to read() can't take anything in hand")
        rows = self._rows(table, words, *values)
        return rows[0] if rows else None


def _padded(values: Sequence[Any]) -> tuple[Any, ...]:
    """To a power of two, so that shapes stay few."""
    return (*values, *[values[-1]] * ((1 << (len(values) - 1).bit_length()) - len(values))) if values else ()
