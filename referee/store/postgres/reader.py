"""The reader: looks things up while others write.  Each job sees the database as it was at one instant."""

from __future__ import annotations

import psycopg

from referee.store.jobs import Job, JobResult, JobThread, attempt
from referee.store.postgres.connection import ServerAddress
from referee.store.postgres.errors import ConnectionLost, TransactionRetry, away, understood
from referee.store.postgres.server_connection import ServerConnection


class PostgresReader(JobThread):
    """Answers one reading job after the other."""

    def __init__(self, place: ServerAddress) -> None:
        self._line = ServerConnection(place, writes=False)
        super().__init__("store-reader", 1)

    def _serve(self, errands: list[Job]) -> list[JobResult]:
        errand = errands[0]
        try:
            try:
                return [self._run(errand)]
            except (TransactionRetry, ConnectionLost):  # the server may only have been restarted
                return [self._run(errand)]
        except ConnectionLost as gone:
            return [JobResult(errand, None, gone.told)]
        except psycopg.Error as error:
            return [JobResult(errand, None, understood(error, self._line.place.name))]
        except BaseException as error:  # whatever it is, who waits must hear of it and this thread must go on
            return [JobResult(errand, None, error)]

    def _run(self, errand: Job) -> JobResult:
        """Once.  Raises TransactionRetry, ConnectionLost, StoreFull, psycopg.Error."""
        tx = self._line.tx()
        try:
            tx.begin()
            answer = attempt(errand.job, tx, errand)
            tx.end()
            if isinstance(answer.error, ConnectionLost):
                self._line.drop()
                raise answer.error
            tx.undo()
        except psycopg.Error as error:
            self._line.drop()
            if away(error):
                raise ConnectionLost(understood(error, self._line.place.name)) from error
            raise
        if isinstance(answer.error, TransactionRetry):
            raise answer.error
        return answer

    def _leave(self) -> None:
        self._line.drop()
