"""The SQLite connection: how the file is opened, and the verbs spoken on it.

WAL, synchronous=FULL, foreign keys on. Only the owner's writer checkpoints; every other connection has
wal_autocheckpoint=0. SQLite before 3.51.3 can damage a WAL file when one connection checkpoints while another
commits, and long-lived Linux distributions carry such versions: see `locks.WriteLock` for the other half of
the precaution.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sqlalchemy.dialects import sqlite
from sqlalchemy.engine import make_url
from sqlmodel import SQLModel

from referee.store.errors import gave_up, told_of, understood
from referee.store.statements import Prepared, Statements
from referee.store.tx import Tx

BUSY_MS = 5000  # how long to wait for another process before it counts as busy
_STATEMENTS = Statements(sqlite.dialect(paramstyle="qmark"))


def path_of(url: str) -> Path:
    """The file of "sqlite:///relative" or "sqlite:////absolute", with links followed: one database, one lock.

    Raises ValueError for anything else.
    """
    parsed = make_url(url)
    if parsed.drivername != "sqlite" or not parsed.database or parsed.database == ":memory:" or parsed.query:
        raise ValueError(
            f"only sqlite:///path and postgresql+psycopg://user@host/base are understood, "
            f"not {parsed.drivername}"
        )
    return Path(parsed.database).expanduser().resolve()


def make_folder(path: Path) -> None:
    """Make the file's folder where it is missing, open to nobody else."""
    with told_of(path):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)


def touch(path: Path) -> None:
    """Make the file where it is missing, readable by nobody else: addresses are in it."""
    with told_of(path):
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))


def connect(
    path: Path, *, writes: bool, checkpoints: bool = False, durable: bool = True
) -> sqlite3.Connection:
    """A connection for the calling thread, in autocommit mode.

    The file must exist. `durable` off: a commit waits for no disk.

    Raises sqlite3.Error.
    """
    conn = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=rw",
        uri=True,
        isolation_level=None,
        timeout=BUSY_MS / 1000,
        cached_statements=512,
    )
    try:
        if checkpoints:
            conn.execute("PRAGMA journal_mode = WAL")
            conn.execute(f"PRAGMA journal_size_limit = {64 << 20}")
        conn.execute(f"PRAGMA wal_autocheckpoint = {1000 if checkpoints else 0}")
        conn.execute(f"PRAGMA synchronous = {'FULL' if durable else 'OFF'}")
        conn.execute("PRAGMA foreign_keys = ON")
        if not writes:
            conn.execute("PRAGMA query_only = ON")
    except BaseException:
        conn.close()
        raise
    return conn


class SqliteTx(Tx):
    """The verbs on one SQLite connection.  Belongs to the connection's thread."""

    def __init__(self, conn: sqlite3.Connection, path: Path, *, writes: bool) -> None:
        super().__init__(_STATEMENTS)
        self._conn = conn
        self._path = path
        self._writes = writes
        self.saved = False  # the job has a savepoint of its own; else the whole transaction is its

    def flaws(self) -> list[str]:
        try:
            said = [str(line) for (line,) in self._conn.execute("PRAGMA quick_check(20)")]
        except sqlite3.DatabaseError as error:
            return [str(error)]
        return [] if said == ["ok"] else said

    def spare_pages(self) -> tuple[int, int]:
        if self._number("auto_vacuum") != 2:  # a file of an older referee can't
            return 0, 0
        return self._number("freelist_count"), self._number("page_count")

    def give_back(self, pages: int) -> None:
        if not self._writes:
            raise for_nothing()
        try:
            for _ in range(pages):  # of a pragma without rows Python takes one step, which is one page
                self._conn.execute("PRAGMA incremental_vacuum(1)")
        except sqlite3.Error as error:
            raise understood(error, str(self._path)) from error

    def _number(self, pragma: str) -> int:
        try:
            return int(self._conn.execute(f"PRAGMA {pragma}").fetchone()[0])
        except sqlite3.Error as error:
            raise understood(error, str(self._path)) from error

    def clock_ms(self) -> int:
        return time.time_ns() // 1_000_000

    def follow(self, table: type[SQLModel]) -> None:
        """That is how SQLite gives numbers."""

    def forget(self) -> None:
        if not self._writes:
            raise TypeError("a job that was given to read() has changed nothing")
        if not self._conn.in_transaction:
            raise gave_up(self._path)
        try:
            if self.saved:
                self._conn.execute("ROLLBACK TO job")
            else:
                self._conn.execute("ROLLBACK")
                self._conn.execute("BEGIN IMMEDIATE")
        except sqlite3.Error as error:
            raise understood(error, str(self._path)) from error

    def _ask(self, prepared: Prepared, values: Sequence[Any]) -> list[Any]:
        try:
            return self._conn.execute(prepared.sql, (*values, *prepared.tail)).fetchall()
        except sqlite3.Error as error:
            raise understood(error, str(self._path)) from error

    def _tell(self, prepared: Prepared, values: Sequence[Any]) -> int:
        return self._run(prepared, values).rowcount

    def _many(self, prepared: Prepared, rows: Sequence[Sequence[Any]]) -> int:
        if not self._writes:
            raise for_nothing()
        try:
            return self._conn.executemany(
                prepared.sql, [(*values, *prepared.tail) for values in rows] if prepared.tail else rows
            ).rowcount
        except sqlite3.Error as error:
            raise understood(error, str(self._path)) from error

    def _new(self, prepared: Prepared, values: Sequence[Any]) -> int | None:
        cursor = self._run(prepared, values)
        return cursor.lastrowid if cursor.rowcount else None

    def _run(self, prepared: Prepared, values: Sequence[Any]) -> sqlite3.Cursor:
        if not self._writes:
            raise for_nothing()
        try:
            return self._conn.execute(prepared.sql, (*values, *prepared.tail))
        except sqlite3.Error as error:
            raise understood(error, str(self._path)) from error


def for_nothing() -> TypeError:
    """What a job gets that would change something on a reader's connection."""
    return TypeError("a job that was given to read() would change something")
