"""Migrations: bringing an older database up to date when the referee starts.

The steps lie in `migrations/versions`, one file each, "0001" first. All steps of one start are one
transaction: either the database is new, or it is as it was. A database that is already new costs one small
query; alembic is loaded only when there is work.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from importlib.resources import files
from pathlib import Path
from typing import Any

from referee.store.connection import BUSY_MS
from referee.store.errors import NewerDatabase, OlderDatabase, StrangeDatabase, understood


def revisions() -> list[str]:
    """The steps this version knows, in order."""
    folder = files("referee.store") / "migrations" / "versions"
    return sorted(entry.name[:4] for entry in folder.iterdir() if entry.name[:4].isdigit())


def revision_of(path: Path) -> str:
    """The step at which the file stands, "" when it is empty.

    Raises StrangeDatabase for a file that is not a referee's, StoreFull when it can't be read.
    """
    try:
        with closing(
            sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True, timeout=BUSY_MS / 1000)
        ) as conn:
            names = {name for (name,) in conn.execute("SELECT name FROM sqlite_master")}
            if not names:
                return ""
            if "alembic_version" not in names:
                raise StrangeDatabase(f"{path} is a database, but not a referee's")
            row = conn.execute("SELECT version_num FROM alembic_version").fetchone()
            return str(row[0]) if row else ""
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_NOTADB:
            raise StrangeDatabase(f"{path} is not a database") from error
        raise understood(error, str(path)) from error


def require_current(path: Path) -> None:
    """Raises NewerDatabase, OlderDatabase or StrangeDatabase unless the file is at the last step."""
    at, known = revision_of(path), revisions()
    if at and at not in known:
        raise NewerDatabase(
            f"{path} is at revision {at}; this referee knows {known[-1]}: upgrade the referee"
        )
    if at != known[-1]:
        raise OlderDatabase(
            f"{path} is at revision {at or 'none'}, not {known[-1]}: start the referee once, it brings it up"
        )


def bring_up(path: Path, to: str = "head") -> None:
    """Migrate the file to the last step (or to `to`, also backwards: "-1", "base").

    Raises NewerDatabase, StrangeDatabase, StoreFull; then the file is as it was.
    """
    at, known = revision_of(path), revisions()
    if at and at not in known:
        raise NewerDatabase(
            f"{path} is at revision {at}; this referee knows {known[-1]}: upgrade the referee"
        )
    if at == known[-1] and to == "head":
        return
    _alembic(path, at, to)


def _alembic(path: Path, at: str, to: str) -> None:
    # imported here: 0.2 s that a start without migrations does not pay
    from alembic import command
    from sqlalchemy import exc

    from referee.store.compacting import small_written_anew
    from referee.store.migrations.engine import config, engine

    back = to == "base" or to.startswith("-") or (to != "head" and to < at)
    motor = engine(path)
    try:
        with motor.connect() as connection:
            settings: Any = config(connection)
            (command.downgrade if back else command.upgrade)(settings, to)
    except exc.DBAPIError as error:
        if isinstance(error.orig, sqlite3.Error):
            raise understood(error.orig, str(path)) from error
        raise
    finally:
        motor.dispose()
    if at and not back:
        small_written_anew(path)
