"""The verbs on a PostgreSQL connection, one run of one job at a time.

A failed statement spoils a transaction in PostgreSQL, and a conflict may only mean that somebody else was
quicker. So at its first one a job is run again, carefully: it sees what is there by now, and has a savepoint
around each change, so that a conflict that is one is told to it, and it may go on. Jobs without conflicts,
nearly all, pay nothing for it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import psycopg
from psycopg.pq.abc import PGresult
from sqlmodel import SQLModel

from referee.store.errors import StoreConflict
from referee.store.errors import again as once_more
from referee.store.postgres.errors import ConnectionLost, TransactionRetry, again, away, understood
from referee.store.postgres.pipeline import StatementPipeline, say
from referee.store.postgres.statements import CLAIMED, FOLLOWING, GAMES, HOUSE, PostgresStatements, changes
from referee.store.statements import Prepared, shape_of
from referee.store.table_layouts import sheet_of
from referee.store.tables import Game
from referee.store.tx import Tx

M = TypeVar("M", bound=SQLModel)
T = TypeVar("T")
#: a statement and its values
Words = tuple[str, Sequence[Any]]
_FEW = 100  # rows that wait for the next statement; more are said at once
_STATEMENTS = PostgresStatements()
_NOW = Prepared("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint", ())


class PostgresTx(Tx):
    """Belongs to its connection's thread.

    `begin` and `end` are the writer's and the reader's; jobs see the verbs.
    """

    def __init__(self, conn: psycopg.Connection, name: str, *, writes: bool) -> None:
        super().__init__(_STATEMENTS)
        self.conn = conn
        self._voice = StatementPipeline(conn)
        self._name = name
        self._writes = writes
        self._thread = threading.get_ident()
        self._open = False
        self._careful = False
        self._fault: Exception | None = None  # what spoiled the transaction
        self._games: set[int] = set()  # whose locks this run has
        self._house = False  # whether it has the house to itself
        self._moved = False  # whether a game's row was changed
        self.wrote = False

    def begin(self, *, careful: bool = False) -> None:
        """Raises psycopg.Error.  (It goes with the first statement, unless the job is a careful one.)"""
        self._voice.forget()
        self._voice.later("BEGIN" if self._writes else "BEGIN READ ONLY", ())
        if careful:
            self._voice.flush()
        self._open, self._careful, self._house, self._fault = True, careful, False, None
        self.wrote = self._moved = False
        self._games.clear()

    def end(self) -> Exception | None:
        """The run is over; what spoiled it, if anything."""
        self._open = False
        return self._fault

    def commit(self, words: Sequence[Words]) -> str:
        """Say what waits, then these, of which the last is COMMIT; its tag.

        Raises psycopg.Error, TransactionRetry, LookupError.
        """
        *others, (sql, values) = words
        try:
            self._voice.ascertain()  # before it is too late
            for other in others:
                self._voice.later(*other)
            return (self._voice.say(sql, values).command_status or b"").decode()
        except psycopg.IntegrityError as error:
            self.undo()
            if self._careful:
                raise
            raise TransactionRetry(careful=True) from error
        except LookupError:
            self.undo()
            raise

    def flush(self) -> None:
        """Say what waits.  Raises psycopg.Error."""
        self._voice.flush()

    def undo(self) -> None:
        """Nothing of this run stays.  Raises psycopg.Error."""
        self._voice.forget()
        if self.conn.info.transaction_status != psycopg.pq.TransactionStatus.IDLE:
            say(self.conn, "ROLLBACK")

    def flaws(self) -> list[str]:
        """PostgreSQL looks after its files itself."""
        return []

    def spare_pages(self) -> tuple[int, int]:
        """What rows have left is used again by itself (autovacuum)."""
        return 0, 0

    def give_back(self, pages: int) -> None:
        """Nobody has to ask for it."""

    def clock_ms(self) -> int:
        return int(self._ask(_NOW, ())[0][0])

    def follow(self, table: type[SQLModel]) -> None:
        name = sheet_of(table).name
        self._ask(
            Prepared(
                f"SELECT setval(pg_get_serial_sequence('{name}', 'id'), "  # noqa: S608 - our own tables
                f'(SELECT max(id) FROM "{name}"))',
                (),
            ),
            (),
        )

    def forget(self) -> None:
        if not self._writes:
            raise TypeError("a job that was given to read() has changed nothing")
        try:
            self.undo()
            self.begin(careful=self._careful)
        except psycopg.Error as error:
            raise self._failed(error) from error

    def one(self, table: type[M], /, **equals: Any) -> M | None:
        game = equals.get("id") if table is Game and self._writes and len(equals) == 1 else None
        if not isinstance(game, int) or game in self._games:
            return super().one(table, **equals)
        sheet = sheet_of(table)
        sheet.check("id", game)
        rows = self._ask(_STATEMENTS.locked(), (game,))
        if not rows:
            if super().one(table, **equals) is None:
                return None
            raise TransactionRetry(
                (GAMES, game)
            )  # somebody is at this game: wait for them outside of the transaction, then look at it anew
        self._games.add(game)
        found: M = sheet.make(rows[0])
        return found

    def hold(self, game: Game) -> None:
        number = game.id
        if self._writes and number not in self._games:
            if not self._ask(_STATEMENTS.held(), (number,)):
                raise TransactionRetry((GAMES, number))
            self._games.add(number)

    def claim(self, table: type[SQLModel], where: Mapping[str, Any], /, **values: Any) -> int:
        sheet = sheet_of(table)
        for name, value in values.items():
            sheet.check(name, value)
        given = list(values.values())
        shape = shape_of(sheet, where, given)
        return self._tell(_STATEMENTS.claim(sheet, tuple(values), shape), given)

    @property
    def unmarked(self) -> set[int]:
        """Games that this run has locked; anyone who waits for one of them must see that something of it has
        changed.
        """
        return self._games if self.wrote and not self._moved else set()

    def _ask(self, prepared: Prepared, values: Sequence[Any]) -> list[Any]:
        return self._voice.rows(self._said(prepared, values))

    def _tell(self, prepared: Prepared, values: Sequence[Any]) -> int:
        return self._change(prepared, values).command_tuples or 0

    def _new(self, prepared: Prepared, values: Sequence[Any]) -> int | None:
        rows = self._voice.rows(self._change(prepared, values))
        return int(rows[0][0]) if rows else None

    def _many(self, prepared: Prepared, rows: Sequence[Sequence[Any]]) -> int:
        self._may_change(prepared)
        full = [(*values, *prepared.tail) for values in rows]
        return self._guarded(lambda: self._voice.repeat(prepared.sql, full))

    def _later(self, prepared: Prepared, rows: Sequence[Sequence[Any]]) -> None:
        if self._careful or len(rows) > _FEW:
            self._many(prepared, rows)
            return
        self._may_change(prepared)
        self._here()
        for values in rows:
            self._wait(prepared, values)

    def _surely(self, prepared: Prepared, values: Sequence[Any], what: str) -> None:
        if self._careful:
            super()._surely(prepared, values, what)
            return
        self._may_change(prepared)
        self._here()
        self._wait(prepared, values, what)

    def _wait(self, prepared: Prepared, values: Sequence[Any], what: str = "") -> None:
        try:
            self._voice.later(prepared.sql, (*values, *prepared.tail), what)
        except psycopg.Error as error:  # it could not be prepared
            raise self._failed(error) from error

    def _change(self, prepared: Prepared, values: Sequence[Any]) -> PGresult:
        self._may_change(prepared)
        if not self._careful:
            return self._said(prepared, values)
        return self._guarded(lambda: self._said(prepared, values))

    def _guarded(self, act: Callable[[], T]) -> T:
        """Within a savepoint where the job is a careful one."""
        self._here()
        try:
            if self._careful:
                say(self.conn, "SAVEPOINT change")
            try:
                done = act()
            except (psycopg.Error, StoreConflict) as error:
                told = self._failed(error) if isinstance(error, psycopg.Error) else error
                if self._careful and isinstance(told, StoreConflict):
                    say(self.conn, "ROLLBACK TO SAVEPOINT change")
                    self._fault = None
                raise told from error
            if self._careful:
                say(self.conn, "RELEASE SAVEPOINT change")
        except psycopg.Error as error:
            raise self._failed(error) from error
        return done

    def _said(self, prepared: Prepared, values: Sequence[Any]) -> PGresult:
        self._here()
        try:
            return self._voice.say(prepared.sql, (*values, *prepared.tail))
        except psycopg.Error as error:
            raise self._failed(error) from error
        except LookupError as error:  # of a change that was not waited for
            self._fault = error
            raise

    def _here(self) -> None:
        if not self._open or threading.get_ident() != self._thread:
            raise RuntimeError("this Tx was kept: it is of use only in its job")
        if self._fault is not None:
            raise once_more(self._fault, self._name)

    def _may_change(self, prepared: Prepared) -> None:
        if not self._writes:
            raise TypeError("a job that was given to read() would change something")
        of_all, of_game = changes(prepared.sql)
        self.wrote = True
        if of_all and not self._house:
            self._house = True
            self._here()
            try:  # a row of the house: two can't change it, nor who began before it was changed
                self._voice.flush()
                say(self.conn, CLAIMED)
            except psycopg.Error as error:
                if again(error):
                    raise TransactionRetry(HOUSE) from error
                raise self._failed(error) from error
        self._moved = self._moved or (of_game and len(self._games) == 1)

    def _failed(self, error: psycopg.Error) -> Exception:
        """What the job is to hear; TransactionRetry and ConnectionLost are not for it."""
        if again(error):
            raise TransactionRetry from error
        told = understood(error, self._name)
        if away(error):
            raise ConnectionLost(told) from error
        if isinstance(told, StoreConflict) and (not self._careful or error.diag.constraint_name in FOLLOWING):
            raise TransactionRetry(careful=True) from error
        if self.conn.info.transaction_status == psycopg.pq.TransactionStatus.INERROR:
            self._fault = told
        return told
