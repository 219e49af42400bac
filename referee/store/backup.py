"""Backups: a whole copy of the book while the games go on.

`VACUUM INTO` reads one consistent snapshot and leaves no WAL behind; copying the file would miss what is still in the WAL.  The
copy is written beside its target and renamed when it is on disk, so a backup is either whole or not there.
"""
from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

from referee.store.errors import told_of, understood


def to(target: Path) -> Callable[[sqlite3.Connection], None]:
    """The job that copies its connection's database to `target`."""

    def copy(conn: sqlite3.Connection) -> None:
        part = target.with_name(f".{target.name}.part")
        with told_of(target):
            part.unlink(missing_ok=True)
            os.close(os.open(part, os.O_CREAT | os.O_EXCL, 0o600))  # VACUUM INTO takes an empty file, and keeps its mode
            try:
                conn.execute("VACUUM INTO ?", (str(part),))
                to_disk(part)
                os.replace(part, target)
                to_disk(target.parent)
            except sqlite3.Error as error:
                raise understood(error, str(target)) from error
            finally:
                part.unlink(missing_ok=True)

    return copy


def to_disk(path: Path) -> None:
    """Wait until what was written there, or the names in a folder, are on the disk."""
    fd = os.open(path, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
