"""The schema on PostgreSQL: at which step it stands, and bringing it up.

The steps are SQLite's own (`referee.store.migrations`). All of one start are one transaction, under a lock:
of several processes that start at once one migrates, and the others find it done. Everybody who writes shares
a lock on the schema (`hold`), which the one who migrates needs alone: a version that is still at work never
meets a schema that it does not know.
"""

from __future__ import annotations

import errno
import time
from typing import Any

import psycopg

from referee.store.errors import (
    MissingDatabase,
    NewerDatabase,
    OlderDatabase,
    StoreBusy,
    StrangeDatabase,
)
from referee.store.migrate import revisions
from referee.store.postgres.commit_numbers import TABLE
from referee.store.postgres.connection import ServerAddress, connect
from referee.store.postgres.dialect import engine
from referee.store.postgres.errors import understood
from referee.store.postgres.statements import HOUSE_ROW, SCHEMA, STEPS

_TABLES = (
    "SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN "
    "('r', 'p')"
)
_AT = "SELECT version_num FROM alembic_version"
_HELD = f"""SELECT DISTINCT a.application_name FROM pg_locks l JOIN pg_stat_activity a USING (pid)
    WHERE l.locktype = 'advisory' AND l.classid = {SCHEMA} AND l.objid = 0 AND l.objsubid = 2
    AND l.granted AND l.pid <> pg_backend_pid()
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()) ORDER BY 1"""  # noqa: S608 - a constant
#: seconds: for who migrates until the others have stopped, for who opens until somebody else has migrated
PATIENCE_S, MIGRATION_S = 5.0, 120.0
_LOOK_S = 0.05


def revision_of(place: ServerAddress) -> str:
    """The step at which the database stands, "" when it is empty.

    Raises MissingDatabase, StrangeDatabase for one with other tables, StoreFull when it can't be reached.
    """
    try:
        with connect(place) as conn:
            return _revision(conn, place)
    except psycopg.Error as error:
        raise opening(error, place) from error


def standing(conn: psycopg.Connection, place: ServerAddress, *, locked: bool = False) -> None:
    """Raises NewerDatabase, OlderDatabase or StrangeDatabase unless the database is at the last step.

    `locked`: and it stays there until the transaction is over.  Raises psycopg.Error.
    """
    at, known = _revision(conn, place, " FOR KEY SHARE" if locked else ""), revisions()
    if at and at not in known:
        raise NewerDatabase(
            f"{place.name} is at revision {at}; this referee knows {known[-1]}: upgrade the referee"
        )
    if at != known[-1]:
        raise OlderDatabase(
            f"{place.name} is at revision {at or 'none'}, not {known[-1]}: start the referee once, "
            f"it brings it up"
        )


def require_current(place: ServerAddress) -> None:
    """`standing`, on a connection of its own.  Raises StoreFull as well."""
    try:
        with connect(place) as conn:
            standing(conn, place)
    except psycopg.Error as error:
        raise opening(error, place) from error


def hold(conn: psycopg.Connection, place: ServerAddress, patience: float = MIGRATION_S) -> None:
    """Share the lock on the schema, as long as this session lasts.

    Raises StoreBusy while somebody brings the schema up, psycopg.Error.
    """
    if not _got(conn, f"SELECT pg_try_advisory_lock_shared({SCHEMA}, 0)", patience):
        raise StoreBusy(errno.EAGAIN, "somebody is bringing this database up to a newer version", place.name)


def _got(conn: psycopg.Connection, asking: str, patience: float) -> bool:
    until = time.monotonic() + patience
    while True:
        row = conn.execute(asking).fetchone()
        if row is not None and row[0]:
            return True
        if time.monotonic() >= until:
            return False
        time.sleep(_LOOK_S)


def bring_up(place: ServerAddress, to: str = "head") -> None:
    """Migrate to the last step (or to `to`, also backwards: "-1", "base").

    Raises NewerDatabase, StrangeDatabase, MissingDatabase, StoreFull; then the database is as it was.
    """
    at, known = _known(place)
    if at == known[-1] and to == "head":
        return
    # imported here: 0.2 s that a start without migrations does not pay
    from alembic import command
    from sqlalchemy import exc, text

    from referee.store.migrations.engine import config

    motor = engine(place)
    try:
        with motor.connect() as connection:
            connection.execute(text(f"SELECT pg_advisory_xact_lock({STEPS}, 0)"))
            at, _ = _known(place)  # while we waited another process may have done it
            if at == known[-1] and to == "head":
                return
            _alone(connection.connection.driver_connection, place)
            back = to == "base" or to.startswith("-") or (to != "head" and to < at)
            settings: Any = config(connection)
            (command.downgrade if back else command.upgrade)(settings, to)
            for words in ("DROP TABLE IF EXISTS store_ticket",) if to == "base" else (TABLE, HOUSE_ROW):
                connection.execute(text(words))
            connection.commit()
    except exc.DBAPIError as error:
        if isinstance(error.orig, psycopg.Error):
            raise understood(error.orig, place.name) from error
        raise
    finally:
        motor.dispose()


def _alone(conn: Any, place: ServerAddress) -> None:
    """Have the schema to ourselves until this transaction is over.  Raises StoreBusy."""
    if not _got(conn, f"SELECT pg_try_advisory_xact_lock({SCHEMA}, 0)", PATIENCE_S):
        who = ", ".join(str(name) for (name,) in conn.execute(_HELD)) or "nobody knows who"
        raise StoreBusy(
            errno.EAGAIN,
            f"others are still at work at this database with an older version ({who}): stop them first",
            place.name,
        )


def _revision(conn: psycopg.Connection, place: ServerAddress, how: str = "") -> str:
    names = {str(name) for (name,) in conn.execute(_TABLES)}
    if not names:
        return ""
    if "alembic_version" not in names:
        raise StrangeDatabase(f"{place.name} is a database, but not a referee's")
    row = conn.execute(_AT + how).fetchone()
    return str(row[0]) if row else ""


def _known(place: ServerAddress) -> tuple[str, list[str]]:
    at, known = revision_of(place), revisions()
    if at and at not in known:
        raise NewerDatabase(
            f"{place.name} is at revision {at}; this referee knows {known[-1]}: upgrade the referee"
        )
    return at, known


def opening(error: psycopg.Error, place: ServerAddress) -> Exception:
    """What is to be said of an error at opening."""
    # a refused connection brings no SQLSTATE, only words
    if error.sqlstate == "3D000" or f'database "{_base(place)}" does not exist' in str(error):
        return MissingDatabase(
            f"the server has no database for {place.name}: make it with createdb, owned by the referee's user"
        )
    return understood(error, place.name)


def _base(place: ServerAddress) -> str:
    return str(psycopg.conninfo.conninfo_to_dict(place.info).get("dbname", ""))
