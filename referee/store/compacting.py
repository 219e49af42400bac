"""Giving room back to the disk.

A SQLite file keeps the pages that rows have left, and fills them with new rows. From its first day, or from
the day it was compacted, a file gives pages back while it is served (`Tx.give_back`, auto_vacuum
incremental). One that was made by an older referee can do so once it has been written anew: a small one when
it is brought up, a large one by `referee store compact`, while nobody serves from it.

On PostgreSQL what rows have left is used again by itself (autovacuum); `compacted` gives it to the disk.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

from referee.store.connection import connect, path_of
from referee.store.errors import MissingDatabase, understood
from referee.store.locks import Ownership
from referee.store.migrate import bring_up

#: a file up to this size is written anew when it is brought up: about a second
SMALL = 100 << 20
_INCREMENTAL = 2


class Compacted(NamedTuple):
    """Bytes that a database took, and takes now."""

    before: int
    after: int


def compacted(url: str) -> Compacted:
    """Write a database anew, without what rows have left.  Blocks; nobody may be at work on it.

    Raises a WrongDatabase, StoreBusy, StoreFull (there must be room for another one), ValueError.
    """
    if url.startswith("postgresql+"):
        from referee.store.store import NEEDS_PSYCOPG, is_psycopg

        try:
            from referee.store.postgres.compacting import vacuumed
        except ImportError as error:
            if not is_psycopg(error):
                raise
            raise ValueError(NEEDS_PSYCOPG) from error
        return Compacted(*vacuumed(url))
    path = path_of(url)
    if not path.is_file():
        raise MissingDatabase(f"there is no database at {path}")
    owner = Ownership(path)
    try:
        bring_up(path)
        before = path.stat().st_size
        try:
            written_anew(path)
        except sqlite3.Error as error:
            raise understood(error, str(path)) from error
        return Compacted(before, path.stat().st_size)
    finally:
        owner.end()


def gives_back(path: Path) -> bool:
    """Whether the file gives pages back while it is served.  Raises sqlite3.Error."""
    with closing(connect(path, writes=False)) as conn:
        return int(conn.execute("PRAGMA auto_vacuum").fetchone()[0]) == _INCREMENTAL


def written_anew(path: Path, most: int = 0) -> None:
    """Let the file give pages back from now on; one that is larger than `most` bytes (0: any) stays as it is.

    Either it is new, or it is as it was. Raises sqlite3.Error.
    """
    if most and (path.stat().st_size > most or gives_back(path)):
        return
    with closing(connect(path, writes=True, checkpoints=True)) as conn:
        conn.execute(f"PRAGMA auto_vacuum = {_INCREMENTAL}")
        conn.execute("VACUUM")
        conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def small_written_anew(path: Path) -> None:
    """The same of a small one; where the disk has no room for it, it stays as it is."""
    with suppress(sqlite3.Error):
        written_anew(path, SMALL)
