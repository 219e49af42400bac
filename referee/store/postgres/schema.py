"""The schema on PostgreSQL: at which step it stands, and bringing it up.

The steps are SQLite's own (`referee.store.migrations`).  All of one start are one transaction, under a lock: of several processes that
start at once one migrates, and the others find it done.
"""
from __future__ import annotations

from typing import Any

import psycopg

from referee.store.errors import MissingDatabase, NewerDatabase, OlderDatabase, StrangeDatabase
from referee.store.migrate import revisions
from referee.store.postgres.connection import Place, connect
from referee.store.postgres.dialect import engine
from referee.store.postgres.errors import understood
from referee.store.postgres.statements import HOUSE_ROW, STEPS
from referee.store.postgres.tickets import TABLE

_TABLES = "SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')"


def revision_of(place: Place) -> str:
    """The step at which the database stands, "" when it is empty.

    Raises MissingDatabase, StrangeDatabase for one with other tables, StoreFull when it can't be reached.
    """
    try:
        with connect(place) as conn:
            names = {str(name) for (name,) in conn.execute(_TABLES)}
            if not names:
                return ""
            if "alembic_version" not in names:
                raise StrangeDatabase(f"{place.name} is a database, but not a referee's")
            row = conn.execute("SELECT version_num FROM alembic_version").fetchone()
            return str(row[0]) if row else ""
    except psycopg.Error as error:
        raise _opening(error, place) from error


def require_current(place: Place) -> None:
    """Raises NewerDatabase, OlderDatabase or StrangeDatabase unless the database is at the last step."""
    at, known = _known(place)
    if at != known[-1]:
        raise OlderDatabase(f"{place.name} is at revision {at or 'none'}, not {known[-1]}: start the referee once, it brings it up")


def bring_up(place: Place, to: str = "head") -> None:
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
            at, _ = _known(place)               # while we waited another process may have done it
            if at == known[-1] and to == "head":
                return
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


def _known(place: Place) -> tuple[str, list[str]]:
    at, known = revision_of(place), revisions()
    if at and at not in known:
        raise NewerDatabase(f"{place.name} is at revision {at}; this referee knows {known[-1]}: upgrade the referee")
    return at, known


def _opening(error: psycopg.Error, place: Place) -> Exception:
    # a refused connection brings no SQLSTATE, only words
    if error.sqlstate == "3D000" or f'database "{_base(place)}" does not exist' in str(error):
        return MissingDatabase(f"the server has no database for {place.name}: make it with createdb, owned by the referee's user")
    return understood(error, place.name)


def _base(place: Place) -> str:
    return str(psycopg.conninfo.conninfo_to_dict(place.info).get("dbname", ""))
