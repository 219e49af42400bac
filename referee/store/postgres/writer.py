"""The writer: a thread that changes the database, one job a transaction, beside any number of others in other
processes.

Every transaction is REPEATABLE READ: it sees one instant, and where it would change what has changed since
then it is run again. That alone is not enough where a job looks at one row and changes another. So a game is
locked by a job's first look at it (`Tx.get`), and all jobs about one game are one after the other; and a job
that changes something of the whole installation (a league, a named policy, a list of people) changes a row of
the installation. Who finds a lock taken gives up its run, waits with nothing else in its hands (so nobody
waits in a circle), and begins anew. (SERIALIZABLE would promise more; measured with four workers, every
second order met another game's on a page of an index, and was run again for nothing.)
"""

from __future__ import annotations

import contextlib
import errno
import logging
import random
import time
from collections.abc import Iterator
from typing import Protocol

import psycopg

from referee.store.errors import StoreBusy, StoreFull
from referee.store.jobs import Job, JobResult, JobThread, attempt
from referee.store.postgres.commit_numbers import CommitNumbers
from referee.store.postgres.connection import ServerAddress
from referee.store.postgres.errors import ConnectionLost, TransactionRetry, again, away, understood
from referee.store.postgres.pipeline import say
from referee.store.postgres.server_connection import ServerConnection
from referee.store.postgres.statements import Lock, holding, letting_go, touching
from referee.store.postgres.transaction import PostgresTx

log = logging.getLogger(__name__)
RUNS = 60  # of one job, before it is told that somebody else does not let go
VERDICT_S = 300.0  # how long it is tried to learn what became of a commit: who asks meanwhile waits
LEAVING_S = 10.0  # the same when the store is being closed


class Schema(Protocol):
    """What keeps the schema as it is while we write (`bell`): see there."""

    intact: bool

    def check(self) -> None: ...
    def verify(self, conn: psycopg.Connection) -> None: ...


class PostgresWriter(JobThread):
    """Runs jobs that change something."""

    def __init__(
        self, place: ServerAddress, *, durable: bool = True, schema: Schema, name: str = "store-writer"
    ) -> None:
        self._schema = schema
        self._tickets = CommitNumbers()
        self._line = ServerConnection(place, writes=True, durable=durable, ready=self._tickets.open)
        self._dice = random.Random()
        super().__init__(name, 1)

    def _serve(self, errands: list[Job]) -> list[JobResult]:
        return [self._one(errands[0])]

    def _one(self, errand: Job) -> JobResult:
        locks: set[Lock] = set()
        careful = lost = False
        for run in range(RUNS):
            try:
                return self._run(errand, sorted(locks), careful)
            except TransactionRetry as anew:
                at_once = anew.careful and not careful
                careful = careful or anew.careful
                if anew.lock is not None:
                    locks.add(anew.lock)
                elif not at_once:
                    time.sleep(self._dice.uniform(0, min(0.1, 0.001 * 2 ** min(run, 7))))
            except (
                ConnectionLost
            ) as gone:  # nothing of it is on disk: the server may only have been restarted
                self._line.drop()
                if lost:
                    return JobResult(errand, None, gone.told)
                lost = True
            except psycopg.Error as error:
                self._line.drop()
                return JobResult(errand, None, understood(error, self._line.place.name))
            except Exception as error:  # whatever it is, who waits must hear of it and this thread must go on
                self._line.drop()
                return JobResult(errand, None, error)
        return JobResult(
            errand,
            None,
            StoreBusy(errno.EAGAIN, "others change the same rows all the time", self._line.place.name),
        )

    def _run(self, errand: Job, locks: list[Lock], careful: bool) -> JobResult:
        """Once.  Raises TransactionRetry, ConnectionLost, StoreFull, psycopg.Error."""
        self._schema.check()
        tx = self._line.tx()
        with self._heard(), self._held(tx.conn, locks):
            tx.begin(careful=careful)
            if not self._schema.intact:
                tx.flush()
                self._schema.verify(tx.conn)
            try:
                answer = attempt(errand.job, tx, errand)
            finally:
                fault = tx.end()
            if answer.error is None and fault is None:
                self._commit(tx)
                return answer
            if isinstance(answer.error, ConnectionLost):
                raise answer.error
            tx.undo()
            if isinstance(answer.error, TransactionRetry):
                raise answer.error
            if answer.error is None:  # it went on after something had failed, and told nobody
                return JobResult(errand, None, fault)
            return answer

    def _commit(self, tx: PostgresTx) -> None:
        """Raises TransactionRetry, ConnectionLost, psycopg.Error."""
        try:
            tag = tx.commit(
                [*touching(tx.unmarked), *self._tickets.commit()] if tx.wrote else [("COMMIT", ())]
            )
        except psycopg.Error as error:
            if again(error):
                tx.undo()
                raise TransactionRetry from error
            if not away(error):
                raise
            self._line.drop()
            if not tx.wrote or not self._verdict():
                raise ConnectionLost(understood(error, self._line.place.name)) from error
            return
        if tag != "COMMIT":
            raise TransactionRetry

    def _verdict(self) -> bool:
        """Whether the commit whose answer was lost was made.

        Waits for the server. Raises StoreFull when it stays away.
        """
        began = time.monotonic()
        last = began + VERDICT_S
        while True:
            try:
                return self._tickets.committed(self._line.tx().conn)
            except (psycopg.Error, StoreFull) as error:
                if isinstance(error, psycopg.Error):
                    self._line.drop()
                if time.monotonic() > (last if self._open else min(last, began + LEAVING_S)):
                    log.critical("it is not known whether the last change is on disk: %s", error)
                    if isinstance(error, StoreFull):
                        raise
                    # as anything of psycopg's the job would be run again, which may be on disk
                    raise StoreFull(errno.EIO, str(error), self._line.place.name) from error
            self._line.wait()
            time.sleep(0.01)

    @contextlib.contextmanager
    def _heard(self) -> Iterator[None]:
        """What the connection itself says becomes TransactionRetry or ConnectionLost where it is one."""
        try:
            yield
        except psycopg.Error as error:
            if away(error):
                raise ConnectionLost(understood(error, self._line.place.name)) from error
            if again(error):
                raise TransactionRetry from error
            raise

    @contextlib.contextmanager
    def _held(self, conn: psycopg.Connection, locks: list[Lock]) -> Iterator[None]:
        """Locks, waited for in their order, outside of the transaction."""
        if not locks:
            yield
            return
        say(conn, holding(locks))
        try:
            yield
        finally:
            if not conn.closed:  # who is gone holds nothing
                try:
                    say(conn, letting_go(locks))
                except psycopg.Error:  # in a transaction that failed: a new connection holds nothing, either
                    self._line.drop()

    def _leave(self) -> None:
        if self._line.conn is not None:
            with contextlib.suppress(psycopg.Error):
                self._tickets.close(self._line.conn)
        self._line.drop()
