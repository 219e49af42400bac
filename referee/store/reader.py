"""The reader: a thread that looks things up while the writer writes.

Each job sees the database as it was at one instant: what was committed before it began, nothing of what
is being written.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

from referee.store.connection import SqliteTx, connect
from referee.store.errors import understood
from referee.store.jobs import Job, JobResult, JobThread, attempt


class Reader(JobThread):
    """Answers one reading job after the other."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._conn: sqlite3.Connection | None = None
        super().__init__("store-reader", 1)

    def _serve(self, errands: list[Job]) -> list[JobResult]:
        return [self._one(errands[0])]

    def _one(self, errand: Job) -> JobResult:
        try:
            if self._conn is None:
                self._conn = connect(self._path, writes=False)
            self._conn.execute("BEGIN")
            answer = attempt(errand.job, SqliteTx(self._conn, self._path, writes=False), errand)
            if self._conn.in_transaction:
                self._conn.execute("ROLLBACK")
        except sqlite3.Error as error:
            return JobResult(errand, None, understood(error, str(self._path)))
        return answer

    def _leave(self) -> None:
        if self._conn is not None:
            self._conn.close()
