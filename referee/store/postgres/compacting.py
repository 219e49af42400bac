"""Giving room back to the disk on PostgreSQL: every table written anew."""

from __future__ import annotations

import errno

import psycopg

from referee.store.errors import StoreBusy
from referee.store.postgres.connection import ServerAddress, connect
from referee.store.postgres.errors import understood
from referee.store.postgres.schema import require_current
from referee.store.postgres.statements import SCHEMA

_SIZE = "SELECT pg_database_size(current_database())"
_ALONE = f"SELECT pg_try_advisory_lock({SCHEMA}, 0)"


def vacuumed(url: str) -> tuple[int, int]:
    """Bytes before and after.  Blocks.

    Raises a WrongDatabase, StoreBusy while others are at work, StoreFull.
    """
    place = ServerAddress(url)
    require_current(place)
    try:
        with connect(place) as conn:
            if not _number(conn, _ALONE):
                raise StoreBusy(errno.EBUSY, "a referee is at work at this database", place.name)
            conn.execute("SET statement_timeout = 0")
            before = _number(conn, _SIZE)
            conn.execute("VACUUM (FULL, ANALYZE)")
            return before, _number(conn, _SIZE)
    except psycopg.Error as error:
        raise understood(error, place.name) from error


def _number(conn: psycopg.Connection, question: str) -> int:
    row = conn.execute(question).fetchone()
    return 0 if row is None else int(row[0])
