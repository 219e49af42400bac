"""Tx: what a job is given, inside one transaction: the verbs, and the questions that have a name.

The named ones are those the scheduler, the reception and the outbox worker ask all day long; each is served
by an index of its own, however many rows are behind it that are done.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from referee.ids import PersonId
from referee.store.columns import TableRow
from referee.store.league_tables import Season
from referee.store.packed_games import PackedGames
from referee.store.statements import columns, several
from referee.store.table_layouts import sheet_of
from referee.store.tables import Address, Deadline, Game, Inbox, Outbox, Person, Seat

# Conditions of partial indexes must stand in the query word for word (see statements.py).
_DUE = (
    f"SELECT {columns(Deadline)} FROM deadline WHERE deadline.done_ms = 0 AND deadline.due_ms <= ? "
    "ORDER BY deadline.due_ms, deadline.id LIMIT ?"
)
_NEXT_DUE = "SELECT min(deadline.due_ms) FROM deadline WHERE deadline.done_ms = 0"
_ANSWERED = (
    "SELECT deadline.kind, count(*) FROM deadline WHERE deadline.kind IN ('answer', 'missed') "
    "AND deadline.done_ms > ? GROUP BY deadline.kind"
)
_INBOX_NEW = f"SELECT {columns(Inbox)} FROM inbox WHERE inbox.state = 'new' ORDER BY inbox.id LIMIT ?"
_OUTBOX_DUE = (
    f"SELECT {columns(Outbox)} FROM outbox WHERE outbox.state = 'queued' AND outbox.not_before_ms <= ? "
    "ORDER BY outbox.not_before_ms, outbox.id LIMIT ?"
)
_NEXT_OUTBOX = "SELECT min(outbox.not_before_ms) FROM outbox WHERE outbox.state = 'queued'"
_NEXT_DAILY = "SELECT min(daily_letter.due_ms) FROM daily_letter"
_SEASONS = (
    f"SELECT {columns(Season)} FROM season WHERE season.due_ms <> 0 AND season.due_ms <= ? "
    "ORDER BY season.due_ms, season.id LIMIT ?"
)
_NEXT_SEASON = "SELECT min(season.due_ms) FROM season WHERE season.due_ms <> 0"
_WHO = (
    f"SELECT {columns(Address)}, {columns(Person)} FROM address JOIN person ON person.id = address.person_id "
    "WHERE address.channel = ? AND address.address = ?"
)
_FINISHED = (
    "SELECT game.id FROM seat JOIN game ON game.id = seat.game_id WHERE seat.person_id = ? "
    "AND game.status = 'over' AND substr(seat.lessons, 1, 5) <> 'learn' LIMIT 1"
)
_SEATS = (
    f"SELECT {columns(Seat)}, {columns(Game)} FROM seat JOIN game ON game.id = seat.game_id "
    # word for word as the index has it: of years of packed games none is looked at
    "WHERE seat.packed = {packed} AND seat.person_id = ? AND game.status IN ({statuses}) "
    "ORDER BY game.id, seat.no"
)


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
    def follow(self, table: type[TableRow]) -> None:
        """After a row was added under a number of one's own: the next one's is higher."""

    @abstractmethod
    def forget(self) -> None:
        """Undo whatever this job has changed so far; it may begin anew.

        Raises StoreFull when the disk fails.
        """

    def due(self, now_ms: int, limit: int) -> list[Deadline]:
        """Open deadlines whose time has come, oldest first."""
        return self._rows(Deadline, _DUE, now_ms, limit)

    def next_due_ms(self) -> int | None:
        """When the earliest open deadline rings."""
        return self._first(_NEXT_DUE)

    def answered_since(self, after_ms: int) -> dict[str, int]:
        """How many answers came in time ("answer") and how many did not ("missed") since then."""
        return dict(map(tuple, self._asked(_ANSWERED, after_ms)))

    def inbox_new(self, limit: int) -> list[Inbox]:
        """What arrived and was not yet read, in order of arrival."""
        return self._rows(Inbox, _INBOX_NEW, limit)

    def outbox_due(self, now_ms: int, limit: int, channels: Sequence[str] | None = None) -> list[Outbox]:
        """Queued letters that may go now, oldest first; only of these channels unless None."""
        if channels is not None:
            return self.outbox_in(channels, now_ms, limit)
        return self._rows(Outbox, _OUTBOX_DUE, now_ms, limit)

    def next_outbox_ms(self, channels: Sequence[str] | None = None) -> int | None:
        """When the next queued letter may go; only of these channels unless None."""
        if channels is not None:
            return self.next_outbox_in(channels)
        return self._first(_NEXT_OUTBOX)

    def next_daily_ms(self) -> int | None:
        """When the next daily letter goes."""
        return self._first(_NEXT_DAILY)

    def seasons_due(self, now_ms: int, limit: int) -> list[Season]:
        """Seasons that the office must look at, the longest overdue first."""
        return self._rows(Season, _SEASONS, now_ms, limit)

    def next_season_ms(self) -> int | None:
        """When the office must look at a season next."""
        return self._first(_NEXT_SEASON)

    def seats_of(
        self, person_id: PersonId, statuses: Sequence[str], *, packed: bool = False
    ) -> list[tuple[Seat, Game]]:
        """A person's seats at the games of these statuses, in order of the games: those that are not packed
        (what is played, and what has been over for days), or those that are.
        """
        if not statuses:
            return []
        words = _SEATS.format(packed=int(packed), statuses=several(len(statuses)))
        seat, game = sheet_of(Seat), sheet_of(Game)
        width = len(seat.columns)
        return [
            (seat.make(row[:width]), game.make(row[width:]))
            for row in self._asked(words, person_id, *statuses)
        ]

    def has_finished(self, person_id: PersonId) -> bool:
        """Whether a person has ever played a game to its end, the guided one aside."""
        return bool(self._asked(_FINISHED, person_id))

    def whose(self, channel: str, address: str) -> tuple[Person, Address] | None:
        """The person behind an address."""
        rows = self._asked(_WHO, channel, address)
        if not rows:
            return None
        mine, person = sheet_of(Address), sheet_of(Person)
        width = len(mine.columns)
        return person.make(rows[0][width:]), mine.make(rows[0][:width])
