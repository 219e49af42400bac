"""The writer: the one thread that changes the database.

Jobs that wait together are committed together, up to 64, or as many as are done in ten milliseconds: each in
a savepoint of its own, so one that fails takes nothing with it but its own changes; one BEGIN IMMEDIATE, one
COMMIT that is on the disk (synchronous=FULL), and only then do the callers hear. When the disk fails, the
group is undone, everyone whose job was begun gets StoreFull, and the next group is tried as if nothing had
been: that is how the referee recovers when there is room again.
"""

from __future__ import annotations

import contextlib
import sqlite3
import time
from pathlib import Path

from referee.store.connection import BUSY_MS, SqliteTx, connect
from referee.store.errors import StoreFull, again, gave_up
from referee.store.jobs import Job, JobResult, JobThread, attempt
from referee.store.locks import WriteLock

GROUP = 64
LINGER = 0.02  # seconds after which a group is committed as it is: those who are done should hear of it


class Writer(JobThread):
    """Commits jobs in groups.

    `checkpoints`: whether this process may move the WAL into the database (the owner). `durable` off: a
    commit waits for no disk.
    """

    def __init__(self, path: Path, *, checkpoints: bool, durable: bool = True) -> None:
        self._path = path
        self._checkpoints = checkpoints
        self._durable = durable
        self._turn = WriteLock(path, BUSY_MS / 1000)
        self._conn: sqlite3.Connection | None = None
        self._tx: SqliteTx | None = None
        super().__init__("store-writer", GROUP)

    def _serve(self, errands: list[Job]) -> list[JobResult]:
        """Answers for the first few: as many as were done in good time."""
        answers: list[JobResult] = []
        begun = 0
        try:
            conn, tx = self._ready()
            with self._turn.held():
                try:
                    conn.execute("BEGIN IMMEDIATE")
                    # the usual case on a quiet evening: the transaction is its savepoint
                    if len(errands) == 1:
                        tx.saved = False
                        answers.append(attempt(errands[0].job, tx, errands[0]))
                        self._still(conn, answers[0])
                        conn.execute("COMMIT" if answers[0].error is None else "ROLLBACK")
                        return answers
                    until = time.monotonic() + LINGER
                    for errand in errands:
                        begun += 1
                        answers.append(self._job(conn, tx, errand))
                        if time.monotonic() > until:
                            break
                    conn.execute("COMMIT")
                except BaseException:
                    self._undo(conn)
                    raise
        except BaseException as error:
            # whatever it is, those who wait must hear of it and this thread must go on
            return self._lost(errands[:begun] or errands, answers, error)  # who was not begun has another try
        return answers

    def _job(self, conn: sqlite3.Connection, tx: SqliteTx, errand: Job) -> JobResult:
        conn.execute("SAVEPOINT job")
        tx.saved = True
        answer = attempt(errand.job, tx, errand)
        self._still(conn, answer)
        if answer.error is not None:
            conn.execute("ROLLBACK TO job")
        conn.execute("RELEASE job")
        return answer

    def _still(self, conn: sqlite3.Connection, answer: JobResult) -> None:
        """Raises StoreFull when SQLite itself gave up the whole transaction, as it does when the disk
        fails.
        """
        if not conn.in_transaction:
            raise answer.error if isinstance(answer.error, StoreFull) else gave_up(self._path)

    def _lost(self, errands: list[Job], answers: list[JobResult], error: BaseException) -> list[JobResult]:
        """Nothing of these is on disk: everyone hears so, except those whose job had failed by itself."""
        failed = {id(answer.errand): answer for answer in answers if answer.error is not None}
        return [
            failed.get(id(errand)) or JobResult(errand, None, again(error, str(self._path)))
            for errand in errands
        ]

    def _ready(self) -> tuple[sqlite3.Connection, SqliteTx]:
        if self._conn is None or self._tx is None:
            self._conn = connect(
                self._path, writes=True, checkpoints=self._checkpoints, durable=self._durable
            )
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
