"""Moving to another database: everything in a SQLite file into an empty database on PostgreSQL, compared row
by row before it counts.

The file's owner must have stopped: it is opened as an owner opens it, so nobody writes behind our back. The
target is one transaction from the first row to the last comparison: either the whole database is there, or
nothing is.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from typing import Any, NamedTuple

import psycopg
from psycopg import sql
from sqlalchemy import Table

from referee.store.columns import all_tables
from referee.store.connection import connect as connect_file
from referee.store.connection import path_of
from referee.store.errors import MissingDatabase, OccupiedDatabase, StoreBroken
from referee.store.errors import understood as of_sqlite
from referee.store.locks import Ownership
from referee.store.migrate import bring_up as bring_up_file
from referee.store.postgres.connection import ServerAddress, connect
from referee.store.postgres.errors import understood
from referee.store.postgres.pipeline import kept, read
from referee.store.postgres.schema import bring_up, revision_of

_AT_ONCE = 2000  # rows held in memory


class Copied(NamedTuple):
    """A table, and how many of its rows are there now, the same on both sides."""

    table: str
    rows: int


def copied(source: str, target: str) -> list[Copied]:
    """Copy "sqlite:///path" to an empty "postgresql+psycopg://…".  Blocks.

    Raises ValueError for other addresses, StoreBusy when a referee runs on the source, OccupiedDatabase when
    the target has rows, another WrongDatabase, StoreFull, or StoreBroken when what was read back is not what
    was written. Then the target is empty.
    """
    path, place = path_of(source), ServerAddress(target)
    if not path.is_file():
        raise MissingDatabase(f"there is no database at {path}")
    revision_of(place)  # is it there at all?  Before anything is done to the source
    owner = Ownership(path)
    try:
        bring_up_file(path)
        bring_up(place)
        with closing(connect_file(path, writes=False)) as book, connect(place) as conn, conn.transaction():
            conn.execute("SET LOCAL statement_timeout = 0")
            book.execute("BEGIN")
            return [_table(book, conn, table, place) for table in all_tables().sorted_tables]
    except psycopg.Error as error:
        raise understood(error, place.name) from error
    except sqlite3.Error as error:
        raise of_sqlite(error, str(path)) from error
    finally:
        owner.end()


def _table(book: sqlite3.Connection, conn: psycopg.Connection, table: Table, place: ServerAddress) -> Copied:
    name, columns = (
        sql.Identifier(table.name),
        sql.SQL(", ").join(sql.Identifier(column.name) for column in table.columns),
    )
    conn.execute(sql.SQL("LOCK TABLE {} IN ACCESS EXCLUSIVE MODE").format(name))
    if conn.execute(sql.SQL("SELECT 1 FROM {} LIMIT 1").format(name)).fetchone() is not None:
        raise OccupiedDatabase(
            f"{place.name} is not empty: there is something in {table.name}. Copy into a new database"
        )
    said = Digest()
    with conn.cursor().copy(sql.SQL("COPY {} ({}) FROM STDIN").format(name, columns)) as into:
        for row in said.of(_rows(book, table)):
            into.write_row([kept(value) for value in row])
    found = Digest()
    keys = sql.SQL(", ").join(sql.Identifier(column.name) for column in table.primary_key.columns)
    with conn.cursor(f"copy_{table.name}", binary=True) as back:
        back.itersize = _AT_ONCE
        back.execute(sql.SQL("SELECT {} FROM {} ORDER BY {}").format(columns, name, keys))
        for _ in found.of(row for (row,) in (read([each]) for each in back)):
            pass
    if (said.rows, said.hash) != (found.rows, found.hash):
        raise StoreBroken(
            5,
            (
                f"{table.name}: {said.rows} rows were written and {found.rows} read back, "
                f"or they differ; nothing was kept"
            ),
            place.name,
        )
    own = table.autoincrement_column
    if own is not None and said.rows:  # the next new row follows the last one that came
        conn.execute(
            sql.SQL("SELECT setval(pg_get_serial_sequence({}, {}), (SELECT max({}) FROM {}))").format(
                table.name, own.name, sql.Identifier(own.name), name
            )
        )
    return Copied(table.name, said.rows)


class Digest:
    """Counts rows and hashes them as they pass, in their order."""

    def __init__(self) -> None:
        self.rows = 0
        self._hash = hashlib.sha256()

    def of(self, rows: Iterable[Any]) -> Iterator[Any]:
        for row in rows:
            self.rows += 1
            self._hash.update(repr(tuple(row)).encode())
            yield row

    @property
    def hash(self) -> str:
        """Of all rows so far."""
        return self._hash.hexdigest()


def _rows(book: sqlite3.Connection, table: Table) -> Iterator[Any]:
    quoted = ", ".join(f'"{column.name}"' for column in table.columns)
    keys = ", ".join(f'"{column.name}"' for column in table.primary_key.columns)
    looking = book.execute(f'SELECT {quoted} FROM "{table.name}" ORDER BY {keys}')  # noqa: S608 - the names of our own tables
    while rows := looking.fetchmany(_AT_ONCE):
        yield from rows
