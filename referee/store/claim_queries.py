"""What is to be done next, for one of several processes: rows that a job takes in hand.

A row so taken is this job's until its transaction is over. On PostgreSQL the others pass it over and take the
next one (SKIP LOCKED), so that nobody waits and nothing is done twice; on SQLite one job at a time writes, so
the oldest row is simply the next. What is taken must be changed by the job, such that it is found no more;
else the next to ask gets it again.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import Integer, and_, bindparam, func, literal_column, select, text, tuple_
from sqlalchemy.sql.expression import ClauseElement
from sqlmodel import SQLModel

from referee.store.list_queries import ListQueries
from referee.store.statements import Prepared
from referee.store.table_layouts import sheet_of
from referee.store.tables import DailyLetter, Deadline, Inbox, Outbox

if TYPE_CHECKING:
    from referee.store.league_tables import Season

_deadline, _inbox, _outbox = sheet_of(Deadline).table, sheet_of(Inbox).table, sheet_of(Outbox).table
_daily = sheet_of(DailyLetter).table
_older = _inbox.alias("older")
#: before every deadline
FIRST = (-(1 << 62), 0)
_ONE: Any = literal_column("1")  # said literally, PostgreSQL knows when it plans that one is enough
M = TypeVar("M", bound=SQLModel)


def _n(name: str) -> Any:
    return bindparam(name, type_=Integer())


# Conditions of partial indexes stand in the query word for word (see statements.py). Those of the two that
# end in a row's number say more than they need to: else PostgreSQL would look for a row of that number and
# state in them, from end to end, as long as it thinks they are small.
_OPEN, _QUEUED = text("deadline.done_ms = 0"), text("outbox.state = 'queued' AND outbox.channel <> ''")
_BEFORE = select(_older.c.id).where(
    text("older.state = 'new' AND older.lane <> ''"),
    _older.c.lane == _inbox.c.lane,
    _older.c.id < _inbox.c.id,
)
_NEXT_INBOX = (
    select(_inbox)
    .where(text("inbox.state = 'new'"), _BEFORE.limit(_ONE).scalar_subquery().is_(None))
    .order_by(_inbox.c.id)
    .limit(_ONE)
    .with_for_update(skip_locked=True)
)
_NEXT_DAILY = (
    select(_daily)
    .where(_daily.c.due_ms <= _n("now"))
    .order_by(_daily.c.due_ms, _daily.c.id)
    .limit(_ONE)
    .with_for_update(skip_locked=True)
)
_CHANNEL: Any = _outbox.c.channel == bindparam("channel", type_=_outbox.c.channel.type)
_MAY: Any = _outbox.c.not_before_ms <= _n("now")
_OUTBOX = (
    select(_outbox)
    .where(_QUEUED, _CHANNEL, _MAY)
    .order_by(_outbox.c.not_before_ms, _outbox.c.id)
    .limit(_n("limit"))
)
_OUTBOX_AFTER = (
    select(_outbox)
    .where(
        _QUEUED, _CHANNEL, _MAY, tuple_(_outbox.c.not_before_ms, _outbox.c.id) > tuple_(_n("after"), _n("id"))
    )
    .order_by(_outbox.c.not_before_ms, _outbox.c.id)
    .limit(_n("limit"))
)
_OUTBOX_NEWEST = (
    select(_outbox)
    .where(_QUEUED, _CHANNEL, _MAY)
    .order_by(_outbox.c.not_before_ms.desc(), _outbox.c.id.desc())
    .limit(_n("limit"))
)
_OUTBOX_FIRST = (
    select(_outbox)
    .where(
        _QUEUED,
        _CHANNEL,
        _outbox.c.address == bindparam("address", type_=_outbox.c.address.type),
        _outbox.c.place == bindparam("place", type_=_outbox.c.place.type),
        _MAY,
    )
    .order_by(_outbox.c.not_before_ms, _outbox.c.id)
    .limit(_ONE)
)
_OUTBOX_MS = select(func.min(_outbox.c.not_before_ms)).where(_QUEUED, _CHANNEL)
_COMING = select(func.min(_outbox.c.not_before_ms)).where(
    text("outbox.state = 'queued'"), _outbox.c.not_before_ms > _n("now")
)
_COMING_OF = select(func.min(_outbox.c.not_before_ms)).where(
    _QUEUED, _CHANNEL, _outbox.c.not_before_ms > _n("now")
)
_NAMES = select(func.min(_outbox.c.channel)).where(
    _QUEUED, _outbox.c.channel > bindparam("channel", type_=_outbox.c.channel.type)
)


def _due(kinds: int) -> tuple[ClauseElement, list[str]]:
    names = [f"k{n}" for n in range(kinds)]
    after = and_(
        _deadline.c.due_ms >= _n("from"), (_deadline.c.due_ms > _n("after")) | (_deadline.c.id > _n("id"))
    )
    wanted = (
        [_deadline.c.kind.in_([bindparam(name, type_=_deadline.c.kind.type) for name in names])]
        if names
        else []
    )
    statement = select(_deadline).where(_OPEN, _deadline.c.due_ms <= _n("now"), after, *wanted)
    return statement.order_by(_deadline.c.due_ms, _deadline.c.id).limit(_ONE).with_for_update(
        skip_locked=True
    ), ["now", "from", "after", "id", *names]


def _seasons(left: int) -> tuple[ClauseElement, list[str]]:
    from referee.store.league_tables import Season

    names = [f"n{n}" for n in range(left)]
    season = sheet_of(Season).table
    others = [season.c.id.not_in([_n(name) for name in names])] if names else []
    statement = select(season).where(text("season.due_ms <> 0"), season.c.due_ms <= _n("now"), *others)
    return statement.order_by(season.c.due_ms, season.c.id).limit(_ONE).with_for_update(skip_locked=True), [
        "now",
        *names,
    ]


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
        prepared = self._statements.once(("next due", len(given)), lambda: _due(len(given)))
        return self._taken(Deadline, prepared, (now_ms, after[0], *after, *given))

    def next_inbox(self) -> Inbox | None:
        """The oldest new message that nobody else has in hand, and whose sender has no older new one, in
        anybody's hands or none.
        """
        return self._taken(Inbox, self._statements.once("next inbox", lambda: (_NEXT_INBOX, [])), ())

    def next_daily(self, now_ms: int) -> DailyLetter | None:
        """The daily letter that is longest overdue and that nobody else has in hand."""
        return self._taken(
            DailyLetter,
            self._statements.once("next daily in hand", lambda: (_NEXT_DAILY, ["now"])),
            (now_ms,),
        )

    def next_season(self, now_ms: int, not_in: Sequence[int] = ()) -> Season | None:
        """The season that is longest overdue and that nobody else has in hand, none of these."""
        from referee.store.league_tables import Season

        given = _padded(not_in)
        return self._taken(
            Season,
            self._statements.once(("next season in hand", len(given)), lambda: _seasons(len(given))),
            (now_ms, *given),
        )

    def claim(self, table: type[SQLModel], where: Mapping[str, Any], /, **values: Any) -> int:
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
            rows = self._ask(
                self._statements.once("outbox of", lambda: (_OUTBOX, ["channel", "now", "limit"])),
                (channel, now_ms, limit),
            )
        else:
            prepared = self._statements.once(
                "outbox of, after", lambda: (_OUTBOX_AFTER, ["channel", "now", "after", "id", "limit"])
            )
            rows = self._ask(prepared, (channel, now_ms, *after, limit))
        return list(map(sheet_of(Outbox).make, rows))

    def outbox_newest(self, channel: str, now_ms: int, limit: int) -> list[Outbox]:
        """Queued letters of one channel that may go now, the newest first."""
        rows = self._ask(
            self._statements.once("newest outbox of", lambda: (_OUTBOX_NEWEST, ["channel", "now", "limit"])),
            (channel, now_ms, limit),
        )
        return list(map(sheet_of(Outbox).make, rows))

    def outbox_first(self, channel: str, address: str, place: str, now_ms: int) -> Outbox | None:
        """The oldest queued letter to an address, or into a room, that may go now."""
        prepared = self._statements.once(
            "first of a chat", lambda: (_OUTBOX_FIRST, ["channel", "address", "place", "now"])
        )
        rows = self._ask(prepared, (channel, address, place, now_ms))
        found: Outbox | None = sheet_of(Outbox).make(rows[0]) if rows else None
        return found

    def outbox_coming_ms(self, now_ms: int, channels: Sequence[str] | None = None) -> int | None:
        """When the next queued letter may go that may not go yet; only of these channels unless None."""
        if channels is None:
            rows = self._ask(self._statements.once("coming outbox", lambda: (_COMING, ["now"])), (now_ms,))
            first: int | None = rows[0][0]
            return first
        prepared = self._statements.once("coming outbox of", lambda: (_COMING_OF, ["channel", "now"]))
        found = (self._ask(prepared, (channel, now_ms))[0][0] for channel in dict.fromkeys(channels))
        return min((at for at in found if at is not None), default=None)

    def outbox_channels(self) -> list[str]:
        """The channels that have queued letters: a step in the index for each, however many letters there
        are.
        """
        prepared = self._statements.once("channels of the outbox", lambda: (_NAMES, ["channel"]))
        found: list[str] = []
        while (name := self._ask(prepared, (found[-1] if found else "",))[0][0]) is not None:
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
        prepared = self._statements.once("next outbox of", lambda: (_OUTBOX_MS, ["channel"]))
        found = (self._ask(prepared, (channel,))[0][0] for channel in dict.fromkeys(channels))
        return min((at for at in found if at is not None), default=None)

    def _taken(self, table: type[M], prepared: Prepared, values: Sequence[Any]) -> M | None:
        if not self._writes:
            raise TypeError("a job that was given to read() can't take anything in hand")
        rows = self._ask(prepared, values)
        found: M | None = sheet_of(table).make(rows[0]) if rows else None
        return found


def _padded(values: Sequence[Any]) -> tuple[Any, ...]:
    """To a power of two, so that shapes stay few."""
    return (*values, *[values[-1]] * ((1 << (len(values) - 1).bit_length()) - len(values))) if values else ()
