"""The store on a simulated disk: the real writer and readers, done by the loop itself instead of by threads.

A job is asked for, and some milliseconds later it is done: that is where others may come in between. At each
commit the disk may be full, slow, or the moment at which the process dies, before it or just after it.
"""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing, nullcontext
from functools import cache, partial
from pathlib import Path
from typing import Any

from referee.store import Store, backup
from referee.store.connection import SqliteTx
from referee.store.errors import StoreClosed
from referee.store.jobs import Job, _settle
from referee.store.reader import Reader
from referee.store.writer import GROUP, Writer
from tests.sim.loop import LIFE, Life, VirtualLoop

#: virtual seconds that a commit takes on a disk in good health, and a look
COMMIT_S, LOOK_S = 0.004, 0.0005


class Disk:
    """What the disk is like now.

    `full`: nothing can be written; `slow_s`: seconds that a commit takes longer; `deadly`: at which commit
    from now the process dies, and whether that is "before" or "after" it.
    """

    def __init__(self) -> None:
        self.full = False
        self.slow_s = 0.0
        self.deadly: tuple[int, str] | None = None
        self.commits = 0
        self.refused = 0

    def commit(self, do: Callable[[], Any], life: Life | None) -> Any:
        """Carry out a COMMIT, as far as the disk lets it."""
        if self.full:
            self.refused += 1
            raise full()
        when = ""
        if self.deadly is not None:
            self.deadly = (self.deadly[0] - 1, self.deadly[1])
            if self.deadly[0] <= 0:
                when, self.deadly = self.deadly[1], None
        if when == "before" and life is not None:
            life.end("killed before a commit")
            raise Died
        done = do()
        self.commits += 1
        if when == "after" and life is not None:
            life.end("killed after a commit")
        return done


class Died(BaseException):
    """The process ended in the middle of this."""


def full() -> sqlite3.OperationalError:
    """What SQLite says of a full disk."""
    error = sqlite3.OperationalError("database or disk is full")
    error.sqlite_errorcode, error.sqlite_errorname = sqlite3.SQLITE_FULL, "SQLITE_FULL"
    return error


class _Connection(sqlite3.Connection):
    disk: Disk
    life: Life | None

    def execute(self, sql: str, *given: Any) -> sqlite3.Cursor:
        if sql == "COMMIT":
            return self.disk.commit(lambda: sqlite3.Connection.execute(self, sql), self.life)
        return super().execute(sql, *given)


def _connected(path: Path) -> _Connection:
    found = sqlite3.connect(
        path, isolation_level=None, cached_statements=512, factory=_Connection, check_same_thread=False
    )
    found.execute("PRAGMA journal_mode = MEMORY")
    found.execute("PRAGMA synchronous = OFF")
    found.execute("PRAGMA foreign_keys = ON")
    found.execute("PRAGMA locking_mode = EXCLUSIVE")
    found.execute("PRAGMA cache_size = -8000")
    return found


class _Inline:
    """The half of a `JobThread` that had a thread."""

    _most: int

    def _ready_to_serve(self, loop: VirtualLoop, takes: Callable[[], float]) -> None:
        self._loop, self._takes = loop, takes
        self._life = LIFE.get()
        self._waiting: list[Job] = []
        self._at_work = False
        self._closed = False

    async def ask(self, job: Callable[[Any], Any]) -> Any:
        """Have it done and wait for the answer."""
        waiting = self._loop.create_future()
        self._enter(Job(job, waiting, self._loop))
        return await waiting

    def ask_now(self, job: Callable[[Any], Any]) -> Any:
        """The same at once: for anyone who looks from outside."""
        answer = self._serve([Job(job, self._loop.create_future(), self._loop)])[0]
        if answer.error is not None:
            raise answer.error
        return answer.result

    def _enter(self, errand: Job) -> None:
        if self._closed:
            raise StoreClosed("the store is closed")
        self._waiting.append(errand)
        if not self._at_work:
            self._at_work = True
            self._loop.call_later(self._takes(), self._go)

    def _go(self) -> None:
        try:
            answers = self._serve(self._waiting[: self._most])
        except Died:
            return
        if self._life is not None and self._life.dead:
            return  # on the disk, and nobody heard
        del self._waiting[: len(answers)]
        _settle(answers)
        if self._waiting:
            self._loop.call_later(self._takes(), self._go)
        else:
            self._at_work = False

    def end(self) -> None:
        """Do what was asked so far, then stop."""
        while self._waiting and not self._closed:
            self._go()
        self._closed = True


class _Writing(_Inline, Writer):
    def __init__(self, book: Book) -> None:
        self._path, self._book, self._most = book.path, book, GROUP
        self._turn = _NoTurn()
        self._conn = self._tx = None
        self._ready_to_serve(book.loop, lambda: COMMIT_S + book.disk.slow_s)

    def _serve(self, errands: list[Job]) -> Any:
        if self._life is not None and self._life.dead:
            raise Died
        return super()._serve(errands)

    def _lost(self, errands: Any, answers: Any, error: BaseException) -> Any:
        if isinstance(error, Died):
            self._book.conn.rollback()
            raise error
        return super()._lost(errands, answers, error)

    def _ready(self) -> Any:
        conn = self._book.conn
        conn.life = self._life
        if self._tx is None:
            self._tx = SqliteTx(conn, self._path, writes=True)
        return conn, self._tx

    def _undo(self, conn: sqlite3.Connection) -> None:
        if conn.in_transaction:
            conn.execute("ROLLBACK")
        self._tx = None

    def _leave(self) -> None:
        pass


class _NoTurn:
    """There is nobody else at this book."""

    def held(self) -> Any:
        return nullcontext()

    def end(self) -> None:
        pass


class _Reading(_Inline, Reader):
    def __init__(self, book: Book) -> None:
        self._path, self._book, self._most = book.path, book, 1
        self._conn = None
        self._ready_to_serve(book.loop, lambda: LOOK_S)

    def _serve(self, errands: list[Job]) -> Any:
        self._conn = self._book.conn
        return super()._serve(errands)

    def _leave(self) -> None:
        pass


class Book:
    """A book that outlives the referee's processes; one connection serves all of them, since nothing here
    ever happens at once.
    """

    def __init__(self, loop: VirtualLoop, folder: Path) -> None:
        self.loop, self.disk = loop, Disk()
        self.path = folder / "sim.db"
        shutil.copy(template(), self.path)
        self.conn = _connected(self.path)
        self.conn.disk, self.conn.life = self.disk, None

    def opened(self) -> Store:
        """The store, for the life in whose context this is called."""
        return Store(
            f"sqlite:///{self.path}",
            str(self.path),
            _Writing(self),
            partial(_Reading, self),
            path=self.path,
            copy=partial(backup.copied, self.path),
        )

    def look(self, job: Callable[[Any], Any]) -> Any:
        """Look at what is committed, from outside and in no time."""
        return job(SqliteTx(self.conn, self.path, writes=False))

    def close(self) -> None:
        self.conn.close()


@cache
def template() -> Path:
    """An empty book of today's revision."""
    folder = Path(tempfile.mkdtemp(prefix="sim"))
    path = folder / "empty.db"
    Store.open(f"sqlite:///{path}").close_now()
    with closing(sqlite3.connect(path)) as conn:
        conn.execute("PRAGMA journal_mode = DELETE")
    return path
