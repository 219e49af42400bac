"""What can go wrong with the database the referee keeps, and whose fault it is.

    StoreFull(OSError)        the disk: no room, read-only, input/output error.  The referee keeps running;
                              an adapter that sees it does not acknowledge, so nothing is lost
    ├─ StoreBusy              another process holds the file: a second referee, or a writer that does not let
      go
    └─ StoreBroken            the file is damaged; only a backup helps
    StoreClosed(RuntimeError) asked after `close`: a bug of ours
    StoreConflict(ValueError) a rule of the tables was broken (a key twice, a reference to nothing): a bug of
      the caller
    WrongDatabase(Exception)  the file can't be used by this version
    ├─ NewerDatabase          a newer referee wrote it: upgrade the referee
    ├─ OlderDatabase          it must be migrated first, and this opening may not (`migrate=False`, guest,
      read-only)
    ├─ StrangeDatabase        not ours: some other program's file
    ├─ MissingDatabase        there is none, and this opening may not create it
    └─ OccupiedDatabase       a copy was to go there, and it is not empty

`StoreFull` carries `errno`, `strerror` (a sentence for the admin), `filename` and `reason`, one of: full,
read-only, io, busy, broken.
"""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class StoreFull(OSError):
    """The database can't be written (or read) now; try again when the admin has made room."""

    reason = "full"


class StoreBusy(StoreFull):
    """Somebody else holds the file."""

    reason = "busy"


class StoreBroken(StoreFull):
    """The file is damaged."""

    reason = "broken"


class StoreClosed(RuntimeError):
    """The store was closed before the job could run."""


class StoreConflict(ValueError):
    """The job broke a rule of the tables; its changes were undone."""


class WrongDatabase(Exception):
    """The file can't be used by this version of the referee."""


class NewerDatabase(WrongDatabase):
    """Written by a newer referee."""


class OlderDatabase(WrongDatabase):
    """Must be migrated first."""


class StrangeDatabase(WrongDatabase):
    """Not a referee's database."""


class MissingDatabase(WrongDatabase):
    """There is no such file."""


class OccupiedDatabase(WrongDatabase):
    """There is something in it already."""


# SQLite's primary result codes (sqlite.org/rescode.html): class, errno, reason, what the admin should read
_DISK: dict[int, tuple[type[StoreFull], int, str, str]] = {
    sqlite3.SQLITE_FULL: (
        StoreFull,
        errno.ENOSPC,
        "full",
        "the disk (or quota) that holds the database is full: make room, nothing else is needed",
    ),
    sqlite3.SQLITE_READONLY: (
        StoreFull,
        errno.EROFS,
        "read-only",
        "the database can't be written: check its owner, its mode and how the disk is mounted",
    ),
    sqlite3.SQLITE_IOERR: (
        StoreFull,
        errno.EIO,
        "io",
        "the disk that holds the database reports an error: check the system's log",
    ),
    sqlite3.SQLITE_CANTOPEN: (
        StoreFull,
        errno.EIO,
        "io",
        "the database can't be opened: check that its folder exists and may be written",
    ),
    sqlite3.SQLITE_BUSY: (
        StoreBusy,
        errno.EAGAIN,
        "busy",
        "another process is writing to the database and does not let go",
    ),
    sqlite3.SQLITE_LOCKED: (
        StoreBusy,
        errno.EAGAIN,
        "busy",
        "another process is writing to the database and does not let go",
    ),
    sqlite3.SQLITE_CORRUPT: (
        StoreBroken,
        errno.EIO,
        "broken",
        "the database is damaged: restore the last backup",
    ),
    sqlite3.SQLITE_NOTADB: (
        StoreBroken,
        errno.EIO,
        "broken",
        "the database is damaged or is no database: restore the last backup",
    ),
}


def understood(error: sqlite3.Error, path: str) -> Exception:
    """The store's own error for SQLite's `error`; an unknown one comes back as it is (a bug of ours).

    A new object at every call: each waiting caller gets one of its own.
    """
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # absent where Python itself complains
    if code == sqlite3.SQLITE_CONSTRAINT or isinstance(error, sqlite3.IntegrityError):
        return StoreConflict(str(error))
    if code not in _DISK:
        return error
    kind, number, reason, sentence = _DISK[code]
    told = kind(number, f"{sentence} ({error})", path)
    told.reason = reason
    return told


def again(error: BaseException, path: str) -> BaseException:
    """A new object that says the same as `error`, in the store's own words where it has them."""
    if isinstance(error, sqlite3.Error):
        return understood(error, path)
    if isinstance(error, StoreFull):
        told = type(error)(error.errno, error.strerror, error.filename)
        told.reason = error.reason
        return told
    return error


@contextmanager
def told_of(path: Path) -> Iterator[None]:
    """What the system refuses around the file becomes a StoreFull that names it."""
    try:
        yield
    except StoreFull:
        raise
    except OSError as error:
        told = StoreFull(error.errno, f"{error.strerror}: {error.filename or path}", str(path))
        told.reason = {
            errno.ENOSPC: "full",
            errno.EDQUOT: "full",
            errno.EROFS: "read-only",
            errno.EACCES: "read-only",
        }.get(error.errno or 0, "io")
        raise told from error


def gave_up(path: Path) -> StoreFull:
    """What a job gets whose transaction SQLite itself has ended, as it does when the disk fails."""
    return StoreFull(errno.EIO, "SQLite gave up the transaction", str(path))


def for_reading_only(path: str) -> StoreFull:
    """What a job gets that would write through a store opened read-only."""
    told = StoreFull(errno.EROFS, "this store was opened for reading only", path)
    told.reason = "read-only"
    return told
