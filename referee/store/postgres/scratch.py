"""A backup unpacked into a database of its own on the same server, which takes the place's name when it is
ready.

The referee's user needs the right to create databases for that (ALTER ROLE … CREATEDB). The names change in
one transaction: a database is always there under the old name, or the new one is.
"""

from __future__ import annotations

import contextlib
import errno
import logging
import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from psycopg import conninfo, sql
from sqlalchemy.engine import make_url

from referee.store.backups.layout import readable
from referee.store.backups.manifest import BadBackup, Manifest
from referee.store.errors import (
    MissingDatabase,
    OccupiedDatabase,
    StoreBusy,
    StoreFull,
    StrangeDatabase,
)
from referee.store.postgres.backup import counted, run
from referee.store.postgres.connection import ServerAddress, connect
from referee.store.postgres.errors import understood
from referee.store.postgres.schema import bring_up, revision_of

#: databases to be connected to while ours is made or renamed
_USUAL = ("postgres", "template1")
#: what pg_restore says when it is the server that failed it, not the dump
_AWAY = ("connection", "the database system is")
#: how long it is waited for others to leave
PATIENCE_S = 5.0
#: as long as PostgreSQL's names may be
_LONGEST = 63
_OTHERS = "SELECT count(*) FROM pg_stat_activity WHERE datname = %s AND backend_type = 'client backend'"


#: what is said of a database in which a backup is unpacked: an admin's own may have such a name, too
_MARK = "a backup that the referee unpacked to look at it"
#: databases of a name, so marked, that nobody is in and that nobody who lives unpacks
_LEFT = """
    SELECT datname FROM pg_database AS one
    WHERE datname ~ %s AND shobj_description(one.oid, 'pg_database') = %s AND NOT EXISTS (
        SELECT 1 FROM pg_stat_activity AS who WHERE one.datname IN (who.datname, who.application_name)
    )
"""
log = logging.getLogger(__name__)


@contextmanager
def database(backup: Path, manifest: Manifest, url: str, *, trial: bool) -> Iterator[ScratchDatabase]:
    """Unpacked from `backup`.  Raises BadBackup, StoreBusy, StoreFull."""
    place = ServerAddress(url)
    base = str(conninfo.conninfo_to_dict(place.info)["dbname"])
    short = base[: _LONGEST - 24]
    found = ScratchDatabase(manifest, url, base, f"{short}_{'trial' if trial else 'restoring'}_{os.getpid()}")
    try:
        with found.beside() as conn:
            if not trial:
                found.alone(conn)
            _clear(conn, short)
            # left by one that was killed: in a container the next has the same number
            conn.execute(sql.SQL("DROP DATABASE IF EXISTS {}").format(sql.Identifier(found.name)))
            # as long as this connection lasts, nobody takes the database for one that was left
            conn.execute("SELECT set_config('application_name', %s, false)", (found.name,))
            conn.execute(
                sql.SQL("CREATE DATABASE {} TEMPLATE template0 ENCODING 'UTF8'").format(
                    sql.Identifier(found.name)
                )
            )
            if trial:
                conn.execute(
                    sql.SQL("COMMENT ON DATABASE {} IS {}").format(sql.Identifier(found.name), _MARK)
                )
            try:
                found.fill(backup)
                yield found
            finally:
                # what went wrong first is what is to be told
                with (
                    contextlib.suppress(psycopg.Error),
                    found.beside() as other,
                ):
                    other.execute(
                        sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(found.name))
                    )
    except psycopg.Error as error:
        raise understood(error, place.name) from error


def _clear(conn: psycopg.Connection, short: str) -> None:
    """Throw away what others left who were killed.  Raises psycopg.Error."""
    names = f"^{re.escape(short)}_trial_[0-9]+$"
    for (name,) in conn.execute(_LEFT, (names, _MARK)).fetchall():
        try:
            conn.execute(sql.SQL("DROP DATABASE IF EXISTS {}").format(sql.Identifier(name)))
        except psycopg.Error as error:  # another's, or somebody is looking at it: in nobody's way
            log.warning("the database %s of a backup that was unpacked stays: %s", name, error)


class ScratchDatabase:
    """An unpacked backup in a database `name`, beside the one that is its place (`base`)."""

    def __init__(self, manifest: Manifest, place: str, base: str, name: str) -> None:
        self.manifest, self._place, self._base, self.name = manifest, place, base, name
        self.url = self._at(name)

    def _at(self, name: str) -> str:
        return make_url(self._place).set(database=name).render_as_string(hide_password=False)

    @property
    def revision(self) -> str:
        """As `backups.Scratch` says."""
        return revision_of(ServerAddress(self.url))

    @contextmanager
    def beside(self) -> Iterator[psycopg.Connection]:
        """A connection to the server, to none of our databases.  Raises psycopg.Error."""
        first: psycopg.Error | None = None
        for name in _USUAL:
            try:
                conn = connect(ServerAddress(self._at(name)))
            except psycopg.Error as error:
                first = first or error
                continue
            with contextlib.closing(conn):
                yield conn
            return
        assert first is not None
        raise first

    def alone(self, conn: psycopg.Connection) -> None:
        """Raises StoreBusy while anybody has the place open; who has just left is on the server's list for a
        moment more.
        """
        until = time.monotonic() + PATIENCE_S
        while (row := conn.execute(_OTHERS, (self._base,)).fetchone()) is not None and row[0]:
            if time.monotonic() < until:
                time.sleep(0.05)
                continue
            raise StoreBusy(
                errno.EBUSY,
                (
                    f"{row[0]} connections to the database are open: stop every referee, "
                    f"worker and console that has it open"
                ),
                self._base,
            )

    def fill(self, backup: Path) -> None:
        """Raises BadBackup, StoreFull, psycopg.Error."""
        place = ServerAddress(self.url)
        try:
            with readable(backup, self.manifest) as dump:
                run(
                    "pg_restore",
                    place,
                    backup,
                    "--no-owner",
                    "--no-privileges",
                    "--exit-on-error",
                    "--jobs=2",
                    str(dump),
                )
        except StoreFull as error:
            said = str(error)
            if error.errno == errno.ENOENT or "No space left" in said:
                raise
            if any(one in said for one in _AWAY):
                error.reason = "away"
                raise
            raise BadBackup("broken", file=backup, why=error.strerror) from error
        try:
            if not revision_of(place):
                raise BadBackup("foreign", file=backup)
        except StrangeDatabase as error:
            raise BadBackup("foreign", file=backup) from error
        with connect(place) as conn:
            conn.execute("SET statement_timeout = 0")
            if counted(conn).rows != self.manifest.rows:
                raise BadBackup("rows", file=backup)
            conn.execute("ANALYZE")
        bring_up(place)

    def free(self, *, aside: bool) -> None:
        """As `backups.Scratch` says."""
        if not aside and self._occupied():
            raise OccupiedDatabase(f"{ServerAddress(self._place).name} is not empty")

    def settle(self, stamp: str, *, aside: bool) -> str:
        """As `backups.Scratch` says."""
        self.free(aside=aside)
        there = self._occupied()
        moved = f"{self._base[: _LONGEST - len(stamp) - 7]}_aside_{stamp}"
        rename = sql.SQL("ALTER DATABASE {} RENAME TO {}")
        try:
            with self.beside() as conn:
                self.alone(conn)
                with conn.transaction():
                    if there is not None:
                        conn.execute(rename.format(sql.Identifier(self._base), sql.Identifier(moved)))
                    conn.execute(rename.format(sql.Identifier(self.name), sql.Identifier(self._base)))
                if there is False:
                    conn.execute(sql.SQL("DROP DATABASE {}").format(sql.Identifier(moved)))
        except psycopg.errors.ObjectInUse as error:
            raise StoreBusy(
                errno.EBUSY,
                "somebody has the database open: stop every referee, worker and console that has",
                self._base,
            ) from error
        except psycopg.Error as error:
            raise understood(error, ServerAddress(self._place).name) from error
        return moved if there else ""

    def _occupied(self) -> bool | None:
        """Whether the place has something in it; None where there is no such database.

        One that can't be looked at counts as full.
        """
        place = ServerAddress(self._place)
        try:
            if not revision_of(place):
                return False
            with connect(place) as conn:
                return conn.execute("SELECT 1 FROM person LIMIT 1").fetchone() is not None
        except MissingDatabase:
            return None
        except (psycopg.Error, StrangeDatabase, StoreFull):
            return True
