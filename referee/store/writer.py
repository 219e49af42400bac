"""The writer: the one thread that changes the book.

Jobs that wait together are committed together, up to 64: each in a savepoint of its own, so one that fails takes nothing with
it but its own changes; one BEGIN IMMEDIATE, one COMMIT that is on the disk (synchronous=FULL), and only then do the
callers hear.  When the disk fails, the whole group is undone, everyone in it gets StoreFull, and the next group is tried as if
nothing had been: that is how the referee recovers when there is room again.
"""
from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable
from pathlib import Path

from referee.store.connection import BUSY_MS, SqliteTx, connect
from referee.store.errands import Answer, Clerk, Errand, attempt
from referee.store.errors import StoreFull, understood
from referee.store.locks import Turn

GROUP = 64


class Writer(Clerk):
    """Commits jobs in groups.  `checkpoints`: whether this process may move the WAL into the database (the owner)."""

    def __init__(self, path: Path, *, checkpoints: bool) -> None:
        self._path = path
        self._checkpoints = checkpoints
        self._turn = Turn(path, BUSY_MS / 1000)
        self._conn: sqlite3.Connection | None = None
        self._tx: SqliteTx | None = None
        super().__init__("store-writer", GROUP)

    def _serve(self, errands: list[Errand]) -> list[Answer]:
        answers: list[Answer] = []
        group: list[Errand] = []
        for errand in errands:
            if errand.alone:
                answers += self._group(group)
                answers.append(self._alone(errand))
                group = []
            else:
                group.append(errand)
        return answers + self._group(group)

    def _group(self, errands: list[Errand]) -> list[Answer]:
        if not errands:
            return []
        answers: list[Answer] = []
        try:
            conn, tx = self._ready()
            with self._turn.held():
                try:
                    conn.execute("BEGIN IMMEDIATE")
                    for errand in errands:
                        answers.append(self._job(conn, tx, errand))
                    conn.execute("COMMIT")
                except BaseException:
                    self._undo(conn)
                    raise
        except (sqlite3.Error, OSError) as error:
            return self._lost(errands, answers, error)
        return answers

    def _job(self, conn: sqlite3.Connection, tx: SqliteTx, errand: Errand) -> Answer:
        conn.execute("SAVEPOINT job")
        answer = attempt(errand.job, tx, errand)
        if not conn.in_transaction:  # SQLite itself gave up the whole transaction
            raise answer.error if isinstance(answer.error, OSError) else OSError("the transaction was given up")
        if answer.error is not None:
            conn.execute("ROLLBACK TO job")
        conn.execute("RELEASE job")
        return answer

    def _alone(self, errand: Errand) -> Answer:
        try:
            conn, _ = self._ready()
        except sqlite3.Error as error:
            return Answer(errand, None, understood(error, str(self._path)))
        return attempt(errand.job, conn, errand)

    def _lost(self, errands: list[Errand], answers: list[Answer], error: Exception) -> list[Answer]:
        """Nothing of this group is on disk: everyone hears so, except those whose job had failed by itself."""
        told: Callable[[], Exception]
        if isinstance(error, sqlite3.Error):
            told = lambda: understood(error, str(self._path))  # noqa: E731  # each caller needs an object of its own
        elif isinstance(error, StoreFull):
            told = lambda: _copy(error)  # noqa: E731
        else:
            told = lambda: StoreFull(error.errno, str(error), str(self._path))  # type: ignore[attr-defined]  # noqa: E731
        failed = {id(a.errand): a for a in answers if a.error is not None}
        return [failed.get(id(e)) or Answer(e, None, told()) for e in errands]

    def _ready(self) -> tuple[sqlite3.Connection, SqliteTx]:
        if self._conn is None or self._tx is None:
            self._conn = connect(self._path, writes=True, checkpoints=self._checkpoints)
            self._tx = SqliteTx(self._conn, self._path, writes=True)
        return self._conn, self._tx

    def _undo(self, conn: sqlite3.Connection) -> None:
        """Roll back and start afresh: after a failed disk write the connection's memory is not trusted."""
        with contextlib.suppress(sqlite3.Error):  # the first error is the one to tell
            if conn.in_transaction:
                conn.execute("ROLLBACK")
        with contextlib.suppress(sqlite3.Error):
            conn.close()
        self._conn = self._tx = None

    def _leave(self) -> None:
        if self._conn is not None:
            self._conn.close()
        self._turn.end()


def _copy(error: StoreFull) -> StoreFull:
    told = type(error)(error.errno, error.strerror, error.filename)
    told.reason = error.reason
    return told
