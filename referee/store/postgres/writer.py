"""The writer: a thread that changes the book, one job a transaction, beside any number of others in other processes.

Every transaction is SERIALIZABLE: what two jobs did at once is what they would have done one after the other, in some order, or one of them
is run again.  A game that a job works on is locked by the job's first look at it; who finds it locked gives up its run, waits
for the lock with nothing else in its hands (so nobody waits in a circle), and begins anew.
"""
from __future__ import annotations

import contextlib
import errno
import logging
import random
import time
from collections.abc import Iterator

import psycopg

from referee.store.errands import Answer, Clerk, Errand, attempt
from referee.store.errors import StoreBusy, StoreFull
from referee.store.postgres.connection import Place
from referee.store.postgres.errors import Anew, Lost, again, away, understood
from referee.store.postgres.line import Line
from referee.store.postgres.statements import holding, letting_go
from referee.store.postgres.tickets import Tickets
from referee.store.postgres.transaction import PostgresTx, say

log = logging.getLogger(__name__)
RUNS = 60               # of one job, before it is told that somebody else does not let go
VERDICT_S = 300.0       # how long it is tried to learn what became of a commit: who asks meanwhile waits
LEAVING_S = 10.0        # the same when the store is being closed


class PostgresWriter(Clerk):
    """Runs jobs that change something."""

    def __init__(self, place: Place, *, durable: bool = True, name: str = "store-writer") -> None:
        self._tickets = Tickets()
        self._line = Line(place, writes=True, durable=durable, ready=self._tickets.open)
        self._dice = random.Random()
        super().__init__(name, 1)

    def _serve(self, errands: list[Errand]) -> list[Answer]:
        return [self._one(errands[0])]

    def _one(self, errand: Errand) -> Answer:
        games: set[int] = set()
        careful = lost = False
        for run in range(RUNS):
            try:
                return self._run(errand, sorted(games), careful)
            except Anew as anew:
                careful = careful or anew.careful
                if anew.game is not None:
                    games.add(anew.game)
                elif not anew.careful:
                    time.sleep(self._dice.uniform(0, min(0.1, 0.001 * 2 ** min(run, 7))))
            except Lost as gone:                # nothing of it is on disk: the server may only have been restarted
                self._line.drop()
                if lost:
                    return Answer(errand, None, gone.told)
                lost = True
            except psycopg.Error as error:
                self._line.drop()
                return Answer(errand, None, understood(error, self._line.place.name))
            except Exception as error:  # whatever it is, who waits must hear of it and this thread must go on
                self._line.drop()
                return Answer(errand, None, error)
        return Answer(errand, None, StoreBusy(errno.EAGAIN, "others change the same rows all the time", self._line.place.name))

    def _run(self, errand: Errand, games: list[int], careful: bool) -> Answer:
        """Once.  Raises Anew, Lost, StoreFull, psycopg.Error."""
        tx = self._line.tx()
        with self._heard(), self._held(tx.conn, games):
            tx.begin(careful=careful)
            try:
                answer = attempt(errand.job, tx, errand)
            finally:
                fault = tx.end()
            if answer.error is None and fault is None:
                self._commit(tx)
                return answer
            if isinstance(answer.error, Lost):
                raise answer.error
            say(tx.conn, "ROLLBACK")
            if isinstance(answer.error, Anew):
                raise answer.error
            if answer.error is None:            # it went on after something had failed, and told nobody
                raise Anew(careful=True)
            return answer

    def _commit(self, tx: PostgresTx) -> None:
        """Raises Anew, Lost, psycopg.Error."""
        try:
            tag = say(tx.conn, self._tickets.commit() if tx.wrote else "COMMIT")
        except psycopg.Error as error:
            if again(error):
                say(tx.conn, "ROLLBACK")
                raise Anew from error
            if not away(error):
                raise
            self._line.drop()
            if not tx.wrote or not self._verdict():
                raise Lost(understood(error, self._line.place.name)) from error
            return
        if tag != "COMMIT":
            raise Anew

    def _verdict(self) -> bool:
        """Whether the commit whose answer was lost was made.  Waits for the server.  Raises StoreFull when it stays away."""
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
                    raise
            self._line.wait()
            time.sleep(0.01)

    @contextlib.contextmanager
    def _heard(self) -> Iterator[None]:
        """What the connection itself says becomes Anew or Lost where it is one of them."""
        try:
            yield
        except psycopg.Error as error:
            if away(error):
                raise Lost(understood(error, self._line.place.name)) from error
            if again(error):
                raise Anew from error
            raise

    @contextlib.contextmanager
    def _held(self, conn: psycopg.Connection, games: list[int]) -> Iterator[None]:
        """The locks of these games, waited for in their order, outside of the transaction."""
        if not games:
            yield
            return
        say(conn, holding(games))
        try:
            yield
        finally:
            if not conn.closed:                 # who is gone holds nothing
                with contextlib.suppress(psycopg.OperationalError):
                    say(conn, letting_go(games))

    def _leave(self) -> None:
        if self._line.conn is not None:
            with contextlib.suppress(psycopg.Error):
                self._tickets.close(self._line.conn)
        self._line.drop()
