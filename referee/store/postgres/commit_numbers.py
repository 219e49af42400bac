"""Tickets: whether a commit whose answer was lost was made.

When the line goes down between COMMIT and its answer, nobody has been told what became of it. So each writer
has a row of its own in which it counts its commits, in the very transaction: after the line is up again the
row tells. Looking changes the row as well, so a commit that has not come so far (it may still be on its way
to a server that does not know that we are gone) never will: PostgreSQL refuses it, since its transaction
began before our look.
"""

from __future__ import annotations

import uuid

import psycopg

from referee.store.postgres.pipeline import say
from referee.store.postgres.transaction import Words

#: the table's own statement: it is no part of the games' database, and SQLite has no need of it
TABLE = (
    "CREATE TABLE IF NOT EXISTS store_ticket (writer TEXT PRIMARY KEY, no BIGINT NOT NULL, "
    "looked BIGINT NOT NULL, at TIMESTAMPTZ NOT NULL)"
)
_KEEP = "7 days"  # after which the row of a writer that was killed is thrown away


class CommitNumbers:
    """One writer's."""

    def __init__(self) -> None:
        self._writer = uuid.uuid4().hex
        self._no = 0

    def open(self, conn: psycopg.Connection) -> None:
        """Be known, on a new connection.  Raises psycopg.Error."""
        say(conn, "BEGIN ISOLATION LEVEL READ COMMITTED")
        say(
            conn,
            (
                f"DELETE FROM store_ticket WHERE at < now() - interval '{_KEEP}' "  # noqa: S608 - our own
                f"AND writer <> '{self._writer}'"
            ),
        )
        # it may have been thrown away while we wrote nothing: then it says of no commit that it was made
        say(
            conn,
            (
                f"INSERT INTO store_ticket VALUES ('{self._writer}', -1, 0, now()) "  # noqa: S608 - our own
                "ON CONFLICT (writer) DO NOTHING"
            ),
        )
        say(conn, "COMMIT")

    def commit(self) -> list[Words]:
        """What commits with the next number."""
        self._no += 1
        return [
            (
                "INSERT INTO store_ticket VALUES (%s, %s, 0, now()) "
                "ON CONFLICT (writer) DO UPDATE SET no = excluded.no, at = excluded.at",
                (self._writer, self._no),
            ),
            ("COMMIT", ()),
        ]

    def committed(self, conn: psycopg.Connection) -> bool:
        """Whether the last one is on disk; if not, it never will be.  Raises psycopg.Error."""
        say(conn, "BEGIN ISOLATION LEVEL READ COMMITTED")
        row = conn.execute(
            "UPDATE store_ticket SET looked = looked + 1 WHERE writer = %s RETURNING no", (self._writer,)
        ).fetchone()
        say(conn, "COMMIT")
        return row is not None and int(row[0]) >= self._no

    def close(self, conn: psycopg.Connection) -> None:
        """Be known no more.  Raises psycopg.Error."""
        say(conn, f"DELETE FROM store_ticket WHERE writer = '{self._writer}'")  # noqa: S608 - our own hex
