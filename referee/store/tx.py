"""Tx: what a job is given, inside one transaction: the verbs, and the questions that have a name.

The named ones are those the scheduler, the reception and the outbox worker ask all day long; each is served
by an index of its own, however many rows are behind it that are done.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sqlalchemy import Integer, bindparam, func, select, text
from sqlalchemy.sql.expression import ClauseElement
from sqlmodel import SQLModel

from referee.ids import PersonId
from referee.store.packed_games import PackedGames
from referee.store.table_layouts import sheet_of
from referee.store.tables import (
    Address,
    DailyLetter,
    Deadline,
    Game,
    Inbox,
    Outbox,
    Person,
    Seat,
)

if TYPE_CHECKING:
    from referee.store.league_tables import Season

_deadline, _inbox, _outbox = sheet_of(Deadline).table, sheet_of(Inbox).table, sheet_of(Outbox).table
_person, _address = sheet_of(Person).table, sheet_of(Address).table
_seat, _game = sheet_of(Seat).table, sheet_of(Game).table
_daily = sheet_of(DailyLetter).table
# Conditions of partial indexes must stand in the query word for word (see statements.py).
_OPEN, _NEW, _QUEUED = (
    text("deadline.done_ms = 0"),
    text("inbox.state = 'new'"),
    text("outbox.state = 'queued'"),
)
_WATCHED = text("season.due_ms <> 0")


def _n(name: str) -> Any:
    return bindparam(name, type_=Integer())


_DUE = (
    select(_deadline)
    .where(_OPEN, _deadline.c.due_ms <= _n("now"))
    .order_by(_deadline.c.due_ms, _deadline.c.id)
    .limit(_n("limit"))
)
_NEXT_DUE = select(func.min(_deadline.c.due_ms)).where(_OPEN)
_ANSWERED = (
    select(_deadline.c.kind, func.count())
    .where(text("deadline.kind IN ('answer', 'missed')"), _deadline.c.done_ms > _n("after"))
    .group_by(_deadline.c.kind)
)
_RUNG = select(func.count()).select_from(
    select(_deadline.c.id)
    .where(
        _deadline.c.kind == bindparam("kind", type_=_deadline.c.kind.type), _deadline.c.done_ms > _n("after")
    )
    .limit(_n("most"))
    .subquery()
)
_LONGEST_DUE = (
    select(_deadline.c.kind)
    .where(_OPEN, _deadline.c.due_ms <= _n("now"))
    .order_by(_deadline.c.due_ms, _deadline.c.id)
    .limit(_n("most"))
)
_ALL = 1 << 62
_INBOX_NEW = select(_inbox).where(_NEW).order_by(_inbox.c.id).limit(_n("limit"))
_OUTBOX_DUE = (
    select(_outbox)
    .where(_QUEUED, _outbox.c.not_before_ms <= _n("now"))
    .order_by(_outbox.c.not_before_ms, _outbox.c.id)
    .limit(_n("limit"))
)
_NEXT_OUTBOX = select(func.min(_outbox.c.not_before_ms)).where(_QUEUED)
_NEXT_DAILY = select(func.min(_daily.c.due_ms))
_WHO = (
    select(*_address.columns, *_person.columns)
    .join_from(_address, _person, _person.c.id == _address.c.person_id)
    .where(
        _address.c.channel == bindparam("channel", type_=_address.c.channel.type),
        _address.c.address == bindparam("address", type_=_address.c.address.type),
    )
)
_FINISHED = (
    select(_game.c.id)
    .join_from(_seat, _game, _game.c.id == _seat.c.game_id)
    .where(
        _seat.c.person_id == _n("person"),
        text("game.status = 'over' AND substr(seat.lessons, 1, 5) <> 'learn'"),
    )
    .limit(1)
)


def _seats(statuses: int, packed: bool) -> tuple[ClauseElement, list[str]]:
    names = [f"s{n}" for n in range(statuses)]
    statement = (
        select(*_seat.columns, *_game.columns)
        .join_from(_seat, _game, _game.c.id == _seat.c.game_id)
        .where(
            # word for word as the index has it: of years of packed games none is looked at
            text("seat.packed = 1" if packed else "seat.packed = 0"),
            _seat.c.person_id == _n("person"),
            _game.c.status.in_([bindparam(n, type_=_game.c.status.type) for n in names]),
        )
        .order_by(_game.c.id, _seat.c.no)
    )
    return statement, ["person", *names]


def _seasons() -> ClauseElement:
    # here and not above: a process that has no need of a league does not load its tables
    from referee.store.league_tables import Season

    season = sheet_of(Season).table
    return (
        select(season)
        .where(_WATCHED, season.c.due_ms <= _n("now"))
        .order_by(season.c.due_ms, season.c.id)
        .limit(_n("limit"))
    )


def _next_season() -> ClauseElement:
    from referee.store.league_tables import Season

    return select(func.min(sheet_of(Season).table.c.due_ms)).where(_WATCHED)


class Tx(PackedGames):
    """One transaction, as a job sees it.  Valid only while the job runs."""

    @abstractmethod
    def flaws(self) -> list[str]:
        """What is damaged in the file, in the database's own words; [] when all is well.

        Reads the whole file.
        """

    @abstractmethod
    def spare_pages(self) -> tuple[int, int]:
        """Pages of 4 kB that could be given back to the disk, and how many there are in all; (0, 0) where
        nobody has to ask for that.
        """

    @abstractmethod
    def give_back(self, pages: int) -> None:
        """Give that many of them back."""

    @abstractmethod
    def clock_ms(self) -> int:
        """The hour by the database's clock, which all processes share (SQLite's is the machine's own)."""

    def hold(self, game: Game) -> None:
        """Have this game to ourselves until the job is done, as `get` by its number does: for a game that
        came with something else (`seats_of`) and is to be worked on. The row is as it is then; where it is
        not, the job is run again.
        """

    @abstractmethod
    def follow(self, table: type[SQLModel]) -> None:
        """After a row was added under a number of one's own: the next one's is higher."""

    @abstractmethod
    def forget(self) -> None:
        """Undo whatever this job has changed so far; it may begin anew.

        Raises StoreFull when the disk fails.
        """

    def due(self, now_ms: int, limit: int) -> list[Deadline]:
        """Open deadlines whose time has come, oldest first."""
        return self._rows(Deadline, self._named("due", _DUE, "now", "limit", values=(now_ms, limit)))

    def next_due_ms(self) -> int | None:
        """When the earliest open deadline rings."""
        return self._first(self._named("next due", _NEXT_DUE))

    def answered_since(self, after_ms: int) -> dict[str, int]:
        """How many answers came in time ("answer") and how many did not ("missed") since then."""
        return dict(map(tuple, self._named("answered", _ANSWERED, "after", values=(after_ms,))))

    def rung_since(self, kind: str, after_ms: int, most: int = _ALL) -> int:
        """How many deadlines of a kind came to their end since then, counted up to `most`."""
        found = self._named("rung", _RUNG, "kind", "after", "most", values=(kind, after_ms, most))
        return int(found[0][0])

    def due_of(self, kind: str, now_ms: int, most: int) -> int:
        """How many are of a kind of those (up to `most`) that are due longest."""
        found = self._named("longest due", _LONGEST_DUE, "now", "most", values=(now_ms, most))
        return found.count((kind,))

    def inbox_new(self, limit: int) -> list[Inbox]:
        """What arrived and was not yet read, in order of arrival."""
        return self._rows(Inbox, self._named("inbox", _INBOX_NEW, "limit", values=(limit,)))

    def outbox_due(self, now_ms: int, limit: int, channels: Sequence[str] | None = None) -> list[Outbox]:
        """Queued letters that may go now, oldest first; only of these channels unless None."""
        if channels is not None:
            return self.outbox_in(channels, now_ms, limit)
        return self._rows(Outbox, self._named("outbox", _OUTBOX_DUE, "now", "limit", values=(now_ms, limit)))

    def next_outbox_ms(self, channels: Sequence[str] | None = None) -> int | None:
        """When the next queued letter may go; only of these channels unless None."""
        if channels is not None:
            return self.next_outbox_in(channels)
        return self._first(self._named("next outbox", _NEXT_OUTBOX))

    def next_daily_ms(self) -> int | None:
        """When the next daily letter goes."""
        return self._first(self._named("next daily", _NEXT_DAILY))

    def seasons_due(self, now_ms: int, limit: int) -> list[Season]:
        """Seasons that the office must look at, the longest overdue first."""
        from referee.store.league_tables import Season

        made = self._statements.once("seasons", lambda: (_seasons(), ["now", "limit"]))
        return self._rows(Season, self._ask(made, (now_ms, limit)))

    def next_season_ms(self) -> int | None:
        """When the office must look at a season next."""
        return self._first(self._ask(self._statements.once("next season", lambda: (_next_season(), [])), ()))

    def seats_of(
        self, person_id: PersonId, statuses: Sequence[str], *, packed: bool = False
    ) -> list[tuple[Seat, Game]]:
        """A person's seats at the games of these statuses, in order of the games: those that are not packed
        (what is played, and what has been over for days), or those that are.
        """
        if not statuses:
            return []
        prepared = self._statements.once(
            ("seats", len(statuses), packed), lambda: _seats(len(statuses), packed)
        )
        seat, game = sheet_of(Seat), sheet_of(Game)
        width = len(seat.columns)
        return [
            (seat.make(row[:width]), game.make(row[width:]))
            for row in self._ask(prepared, (person_id, *statuses))
        ]

    def has_finished(self, person_id: PersonId) -> bool:
        """Whether a person has ever played a game to its end, the guided one aside."""
        return bool(self._named("finished", _FINISHED, "person", values=(person_id,)))

    def whose(self, channel: str, address: str) -> tuple[Person, Address] | None:
        """The person behind an address."""
        rows = self._named("who", _WHO, "channel", "address", values=(channel, address))
        if not rows:
            return None
        mine, person = sheet_of(Address), sheet_of(Person)
        width = len(mine.columns)
        return person.make(rows[0][width:]), mine.make(rows[0][:width])

    def _named(
        self, name: str, statement: ClauseElement, *names: str, values: Sequence[Any] = ()
    ) -> list[Any]:
        return self._ask(self._statements.once(name, lambda: (statement, names)), values)

    @staticmethod
    def _rows(table: type[SQLModel], rows: list[Any]) -> list[Any]:
        return list(map(sheet_of(table).make, rows))

    @staticmethod
    def _first(rows: list[Any]) -> int | None:
        number: int | None = rows[0][0]
        return number
