"""What PostgreSQL says, in the store's own words; and the two things that only the writer hears.

`TransactionRetry` and `ConnectionLost` are no Exceptions: a job that catches whatever goes wrong must not
catch them, its transaction is over.
"""

from __future__ import annotations

import errno

import psycopg
from psycopg import errors as pg

from referee.store.errors import StoreBroken, StoreBusy, StoreConflict, StoreFull


class TransactionRetry(BaseException):
    """This run of the job came to nothing, and the next may not: somebody else was at the same rows.

    `lock`: must be held before the next run begins. `careful`: every change needs a savepoint, since the job
    goes on after a conflict.
    """

    def __init__(self, lock: tuple[int, int] | None = None, *, careful: bool = False) -> None:
        super().__init__()
        self.lock = lock
        self.careful = careful


class ConnectionLost(BaseException):
    """The connection went away before the commit: nothing of this run is on disk.  `told` is what it said."""

    def __init__(self, told: Exception) -> None:
        super().__init__()
        self.told = told


# SQLSTATE, or its class: what it is, errno, reason, what the admin should read
_Said = tuple[type[StoreFull], int, str, str]
_AWAY: _Said = (
    StoreFull,
    errno.ECONNREFUSED,
    "away",
    "the database server can't be reached",
)
_STATES: dict[str, _Said] = {
    "53100": (
        StoreFull,
        errno.ENOSPC,
        "full",
        "the disk of the database server is full: make room there, nothing else is needed",
    ),
    "53300": (
        StoreBusy,
        errno.EAGAIN,
        "busy",
        "the database server has no connection left for us: raise max_connections, or stop a worker",
    ),
    "53": (StoreFull, errno.ENOMEM, "full", "the database server has run out of something: see its log"),
    "55P03": (StoreBusy, errno.EAGAIN, "busy", "another process works on the same rows and does not let go"),
    "57014": (StoreBusy, errno.EAGAIN, "busy", "the database server took too long"),
    "25006": (
        StoreFull,
        errno.EROFS,
        "read-only",
        "the database server takes no changes: it is a standby, or was set read-only",
    ),
    "42501": (
        StoreFull,
        errno.EACCES,
        "read-only",
        "the database's user lacks a right: it should own its tables",
    ),
    "28": (
        StoreFull,
        errno.EACCES,
        "away",
        "the database server does not let us in: check user, password and pg_hba.conf",
    ),
    "58": (StoreFull, errno.EIO, "io", "the disk of the database server reports an error: check its log"),
    "XX001": (StoreBroken, errno.EIO, "broken", "the database is damaged: restore the last backup"),
    "XX002": (
        StoreBroken,
        errno.EIO,
        "broken",
        "an index of the database is damaged: REINDEX, or restore the last backup",
    ),
    "57P": _AWAY,
    "08": _AWAY,
}
_KINDS = {"23505": "UNIQUE", "23503": "FOREIGN KEY", "23502": "NOT NULL", "23514": "CHECK"}
#: serialisation failure, deadlock, and whatever is said in a transaction that has failed already
_AGAIN = frozenset({"40001", "40P01", "25P02"})


def away(error: BaseException) -> bool:
    """Whether the connection is of no use any more."""
    if not isinstance(error, psycopg.OperationalError):
        return False
    state = error.sqlstate or ""
    return not state or state.startswith(("08", "57P", "25P03"))


def again(error: psycopg.Error) -> bool:
    """Whether the same job may well succeed at the next run."""
    return (error.sqlstate or "") in _AGAIN


def understood(error: psycopg.Error, name: str) -> Exception:
    """The store's own error; an unknown one comes back as it is (a bug of ours).

    `name` is the address without its password.

    Values never stand in it: PostgreSQL's details quote rows, so only its first line is told.
    """
    state = error.sqlstate or ""
    said = (
        (error.diag.message_primary or str(error)).strip().splitlines()[0]
        if str(error)
        else type(error).__name__
    )
    if isinstance(error, psycopg.IntegrityError) or state.startswith("23"):
        kind = _KINDS.get(state)
        return StoreConflict(
            f"{kind} constraint failed: {error.diag.constraint_name or error.diag.column_name or said}"
            if kind
            else said
        )
    if isinstance(error, pg.NumericValueOutOfRange):
        return OverflowError(said)
    found = (
        next((_STATES[key] for key in (state, state[:3], state[:2]) if key in _STATES), None)
        if state
        else None
    )
    if found is None and (away(error) or (not state and isinstance(error, psycopg.OperationalError))):
        found = _AWAY
    if found is None:
        return error
    kind_of, number, reason, sentence = found
    told = kind_of(number, f"{sentence} ({said})", name)
    told.reason = reason
    return told
