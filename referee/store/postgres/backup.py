"""Backups: pg_dump writes the whole database as it was at one instant while the games go on; what is counted
is of the same instant.

The copy is written beside its target and renamed when it is on disk, so a backup is either whole or not
there. `pg_restore` reads it.
"""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import psycopg
from psycopg import conninfo, sql

from referee.store.backup import whole
from referee.store.backups.manifest import LAST, LIVE, DatabaseCounts
from referee.store.errors import MissingDatabase, NewerDatabase, StoreFull
from referee.store.migrate import revisions
from referee.store.postgres.connection import ServerAddress, connect
from referee.store.postgres.errors import understood
from referee.store.postgres.schema import revision_of

_TABLES = (
    "SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN "
    "('r', 'p') ORDER BY relname"
)
#: of this session's own: which process commits to what; a dump does not need it
_NOT_COUNTED = frozenset({"store_ticket"})


def dumped(url: str, target: Path, *, plain: bool = False) -> DatabaseCounts:
    """Write a copy to `target`, uncompressed where it is to be `plain`.  Blocks.

    Raises a WrongDatabase, StoreFull, ValueError.
    """
    place = ServerAddress(url)
    at, known = revision_of(place), revisions()
    if not at:
        raise MissingDatabase(f"{place.name} is empty")
    if at not in known:
        raise NewerDatabase(
            f"{place.name} is at revision {at}; this referee knows {known[-1]}: upgrade the referee"
        )
    try:
        with connect(place) as conn, conn.transaction():
            conn.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            patient(conn)
            row = conn.execute("SELECT pg_export_snapshot()").fetchone()
            assert row is not None
            whole(target, lambda part: dump(place, part, target, str(row[0]), plain=plain))
            return counted(conn)
    except psycopg.Error as error:
        raise understood(error, place.name) from error


def dump(place: ServerAddress, part: Path, target: Path, snapshot: str = "", *, plain: bool = False) -> None:
    """Let pg_dump fill the file `part`, which will be `target`.  Raises StoreFull."""
    run(
        "pg_dump",
        place,
        target,
        "--format=custom",
        *(["--compress=0"] if plain else []),
        "--no-owner",
        "--no-privileges",
        f"--file={part}",
        *([f"--snapshot={snapshot}"] if snapshot else []),
    )


def copied(place: ServerAddress, target: Path) -> None:
    """Write a copy to `target`, without a manifest.  Blocks.  Raises StoreFull."""
    whole(target, lambda part: dump(place, part, target))


def counted(conn: psycopg.Connection) -> DatabaseCounts:
    """What is in a database, as its connection sees it.  Raises psycopg.Error."""
    tables = [str(name) for (name,) in conn.execute(_TABLES) if name not in _NOT_COUNTED]
    rows = {
        name: _number(conn, sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(name)))
        for name in tables
    }
    last = {
        name: _number(conn, sql.SQL("SELECT coalesce(max(id), 0) FROM {}").format(sql.Identifier(name)))
        for name in LAST
        if name in rows
    }
    row = conn.execute("SELECT version_num FROM alembic_version").fetchone()
    return DatabaseCounts(rows, last, _number(conn, sql.SQL(LIVE)), str(row[0]) if row else "")


def patient(conn: psycopg.Connection) -> None:
    """Let this transaction last as long as it takes."""
    conn.execute("SET LOCAL statement_timeout = 0")
    conn.execute("SET LOCAL idle_in_transaction_session_timeout = 0")


def run(name: str, place: ServerAddress, file: Path, *words: str) -> None:
    """Run one of PostgreSQL's own programs on a database.

    Raises StoreFull, naming `file`, with the last thing it said.
    """
    program = shutil.which(name)
    if program is None:
        raise StoreFull(errno.ENOENT, f"{name} is not installed here (Debian: postgresql-client)", str(file))
    asked = conninfo.conninfo_to_dict(place.info)
    secret = asked.pop("password", None)  # a password must not stand in the list of processes
    address = conninfo.make_conninfo(**{key: str(value) for key, value in asked.items() if value is not None})
    done = subprocess.run(  # noqa: S603 - our own words, no shell
        [program, "--no-password", *words, f"--dbname={address}"],
        env={**os.environ, "LC_MESSAGES": "C", **({"PGPASSWORD": str(secret)} if secret else {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode:
        raise StoreFull(
            errno.EIO, f"{name} failed: {_why(done.stderr.splitlines()) or done.returncode}", str(file)
        )


def _why(lines: Sequence[str]) -> str:
    """The last line that says an error."""
    said = [line.strip() for line in lines if line.strip()]
    wrong = [line for line in said if "error:" in line.lower()]
    return (wrong or said or [""])[0]


def _number(conn: psycopg.Connection, question: sql.SQL | sql.Composed) -> int:
    row = conn.execute(question).fetchone()
    return 0 if row is None else int(row[0])
