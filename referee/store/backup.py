"""Copies of a SQLite database while the games go on.

The copy is one instant of the database, read through a connection of its own on which one reading transaction
stays open from the first page to the last: who writes never waits for it, only the WAL is not begun anew
until it is over. (Copying the file would miss what is still in the WAL.) Pages go a few at a time and to the
disk at once, so that a commit that waits for the same disk does not find it full of ours. The copy is written
beside its target and renamed when it is on disk, so a backup is either whole or not there.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from referee.store.connection import connect
from referee.store.errors import told_of, understood

#: pages that are copied at once (4 kB each), how long others have the disk for themselves then, and how often
#: what others write is sent on, seconds
PAGES, PAUSE_S, TRICKLE_S = 256, 0.001, 0.05


def copied(path: Path, target: Path, *, pause_s: float = PAUSE_S) -> None:
    """Copy the database at `path` to `target`, in one step for anyone who looks.  Blocks.  Raises
    StoreFull."""
    whole(target, lambda part: pages(path, part, target, pause_s))


def whole(target: Path, make: Callable[[Path], None]) -> None:
    """Let `make` fill an empty file that only its owner may read, and put it in place of `target` once it is
    on disk. Raises StoreFull.
    """
    part = target.with_name(f".{target.name}.part")
    with told_of(target):
        # of one that was killed: SQLite would take it for this one's
        for left in (
            part,
            part.with_name(f"{part.name}-journal"),
        ):
            left.unlink(missing_ok=True)
        os.close(os.open(part, os.O_CREAT | os.O_EXCL, 0o600))
        try:
            with trickling(part):
                make(part)
            to_disk(part)
            os.replace(part, target)
            to_disk(target.parent)
        finally:
            part.unlink(missing_ok=True)


@contextmanager
def trickling(part: Path) -> Iterator[None]:
    """What is written there meanwhile goes to the disk little by little: all at once in the end, a commit
    beside it would wait for a second.
    """
    fd, done = os.open(part, os.O_RDWR), threading.Event()

    def trickle() -> None:
        while not done.wait(TRICKLE_S):
            with suppress(OSError):  # anyone who writes there hears of it, too
                os.fdatasync(fd)

    thread = threading.Thread(target=trickle, name="backup-trickle", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
        os.close(fd)


def pages(path: Path, part: Path, target: Path, pause_s: float) -> None:
    """Copy the database at `path` into the empty file `part`, which will be `target`.  Raises StoreFull."""
    fd = os.open(part, os.O_RDWR)

    def breathe(status: int, left: int, total: int) -> None:
        os.fdatasync(fd)
        time.sleep(pause_s)

    try:
        with closing(_reader(path)) as book, closing(sqlite3.connect(part, isolation_level=None)) as copy:
            copy.execute("PRAGMA journal_mode = OFF")  # nobody reads it before it is whole
            copy.execute("PRAGMA synchronous = OFF")
            book.backup(copy, pages=PAGES, progress=breathe)
            copy.execute("PRAGMA journal_mode = DELETE")  # one file, with nothing beside it
    except sqlite3.Error as error:
        raise understood(error, str(target)) from error
    finally:
        os.close(fd)


def _reader(path: Path) -> sqlite3.Connection:
    """A connection on which one reading transaction is open: without it every commit of somebody else would
    begin the copy anew.
    """
    try:
        conn = connect(path, writes=False)
        try:
            conn.execute("BEGIN")
            conn.execute("SELECT count(*) FROM sqlite_master").fetchone()
        except BaseException:
            conn.close()
            raise
    except sqlite3.Error as error:
        raise understood(error, str(path)) from error
    return conn


def to_disk(path: Path) -> None:
    """Wait until what was written there, or the names in a folder, are on the disk."""
    fd = os.open(path, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
