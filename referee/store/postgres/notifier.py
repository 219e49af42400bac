"""The bell line: a connection of its own for LISTEN and NOTIFY, and for the lock by which others know which
version is at work.

Words that are rung within a few milliseconds go in one NOTIFY, in a transaction of its own: in a job's
transaction it would make all commits of all processes wait for each other. While the line is there it holds a
lock on the schema, shared by all who write; who brings the schema up needs it alone (`schema`). After the
line was cut, and before it is back, nobody knows who did what meanwhile: the writer then looks at the schema
in every transaction.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import logging
import math
import select
import socket
import threading
import time
from collections.abc import Callable, Iterable

import psycopg
from psycopg.pq import ConnStatus

from referee.store.errors import WrongDatabase
from referee.store.notifiers import EVERYTHING, ChangeNotifier, checked
from referee.store.postgres.connection import ServerAddress, connect
from referee.store.postgres.pipeline import say
from referee.store.postgres.schema import hold, standing

log = logging.getLogger(__name__)
_CHANNEL = "citadels_referee"
_GATHER_S = 0.01  # words of so long go together
_ROOM = 7900  # bytes of a NOTIFY that PostgreSQL takes
_PAUSE_S = (0.05, 2.0)  # between two attempts at a server that is away: at first, at most

Heard = Callable[[frozenset[str]], None]


class PostgresNotifier(ChangeNotifier):
    """Open from the start; comes back by itself.

    `intact`: the line is there, so nobody can have changed the schema.
    """

    def __init__(self, place: ServerAddress) -> None:
        """Raises psycopg.Error, StoreBusy while somebody else brings the schema up, a WrongDatabase where it
        is not ours.
        """
        self._place = place
        self._gate = threading.Lock()  # of the three below
        self._words: set[str] = set()
        self._ears: list[tuple[asyncio.AbstractEventLoop, Heard]] = []
        self._open = True
        self._send_at = 0.0  # when the words go; 0: there are none
        self._wrong: concurrent.futures.Future[object] = concurrent.futures.Future()
        self._here, self._poke = socket.socketpair()
        self._poke.setblocking(False)
        try:
            self._conn: psycopg.Connection | None = self._connected(patience=None)
        except BaseException:
            self._here.close()
            self._poke.close()
            raise
        self.intact = True
        self._thread = threading.Thread(target=self._work, name="store-bell", daemon=True)
        self._thread.start()

    def listen(self, heard: Heard) -> None:
        with self._gate:
            self._ears.append((asyncio.get_running_loop(), heard))

    def ring(self, words: Iterable[str]) -> None:
        new = checked(words)
        with self._gate:
            if not new or not self._open:
                return
            first = not self._words
            self._words |= new
            if len(self._words) > _ROOM // 8:
                self._words = {EVERYTHING}
        if first:
            self._wake()

    async def overtaken(self) -> str:
        return str(await asyncio.shield(asyncio.wrap_future(self._wrong)))

    def check(self) -> None:
        """Raises a WrongDatabase when the schema is not this version's any more."""
        if self._wrong.done():
            error = self._wrong.result()
            assert isinstance(error, WrongDatabase)
            raise type(error)(*error.args)

    def verify(self, conn: psycopg.Connection) -> None:
        """The same by a look at the schema, in a transaction of `conn`: nobody changes it before that is
        over. Raises psycopg.Error.
        """
        try:
            standing(conn, self._place, locked=True)
        except WrongDatabase as error:
            self._overtake(error)
            raise

    def end(self) -> None:
        with self._gate:
            self._open = False
        self._wake()
        self._thread.join(3)  # it may hang at a server that does not answer; it is a daemon

    def _wake(self) -> None:
        with contextlib.suppress(
            BlockingIOError, OSError
        ):  # as many pokes as fit are enough; or it has ended
            self._poke.send(b".")

    def _connected(self, patience: float | None = 0.0) -> psycopg.Connection:
        conn = connect(self._place)
        try:
            hold(conn, self._place, **({} if patience is None else {"patience": patience}))
            standing(conn, self._place)
            say(conn, f"LISTEN {_CHANNEL}")
        except BaseException:
            conn.close()
            raise
        return conn

    def _work(self) -> None:
        pause, not_before = _PAUSE_S[0], 0.0
        try:
            while True:
                with self._gate:
                    open_ = self._open
                    if self._words and not self._send_at:
                        self._send_at = time.monotonic() + _GATHER_S
                if not open_:
                    self._send()
                    return
                now = time.monotonic()
                if self._conn is None and now >= not_before:
                    try:
                        self._conn = self._connected()
                        self.intact, pause = True, _PAUSE_S[0]
                        self._tell(frozenset({EVERYTHING}))  # who knows what we have missed
                        continue
                    except WrongDatabase as error:
                        self._overtake(error)
                        return
                    except (psycopg.Error, OSError) as error:
                        log.debug("the bell line is still down: %s", error)
                        not_before, pause = time.monotonic() + pause, min(2 * pause, _PAUSE_S[1])
                        continue
                self._pass(
                    None
                    if self._conn is not None and not self._send_at
                    else max(0.0, (self._send_at if self._conn is not None else not_before) - now)
                )
                if self._conn is not None and self._send_at and time.monotonic() >= self._send_at:
                    self._send()
        finally:
            self.intact = False
            self._drop()
            self._here.close()
            self._poke.close()

    def _pass(self, seconds: float | None) -> None:
        """Until something comes: a poke, or what others ring."""
        ears = select.poll()  # select() knows no more than 1024 files, and a house may have them open
        ears.register(self._here, select.POLLIN)
        if self._conn is not None:
            ears.register(self._conn.pgconn.socket, select.POLLIN)
        ready = {number for number, _ in ears.poll(None if seconds is None else math.ceil(seconds * 1000))}
        if self._here.fileno() in ready:
            self._here.recv(4096)
        if self._conn is not None and ready - {self._here.fileno()}:
            self._hear(self._conn)

    def _hear(self, conn: psycopg.Connection) -> None:
        try:
            conn.pgconn.consume_input()
        except psycopg.Error:
            self._lose()
            return
        self._heard(conn)
        if conn.pgconn.status == ConnStatus.BAD:
            self._lose()

    def _heard(self, conn: psycopg.Connection) -> None:
        words: set[str] = set()
        while (said := conn.pgconn.notifies()) is not None:
            if said.be_pid != conn.pgconn.backend_pid:
                words |= set(said.extra.decode("utf-8", "replace").split("\n"))
        if words:
            self._tell(frozenset(words))

    def _send(self) -> None:
        """Ring what was gathered.  What can't go now is kept."""
        with self._gate:
            words, self._words, self._send_at = self._words, set(), 0.0
        if not words or self._conn is None:
            return
        said = "\n".join(sorted(words)).encode()
        if len(said) > _ROOM:
            said = EVERYTHING.encode()
        try:
            conn = self._conn
            conn.pgconn.exec_params(f"SELECT pg_notify('{_CHANNEL}', $1)".encode(), [said])
            self._heard(conn)
            if conn.pgconn.status == ConnStatus.BAD:
                raise psycopg.OperationalError("the connection is lost")
        except psycopg.Error:
            with self._gate:
                self._words |= words
            self._lose()

    def _tell(self, words: frozenset[str]) -> None:
        with self._gate:
            ears = list(self._ears)
        for ear in ears:
            loop, heard = ear
            try:
                loop.call_soon_threadsafe(heard, words)
            except RuntimeError:  # that loop is closed: nobody listens any more
                with self._gate:
                    self._ears.remove(ear)

    def _lose(self) -> None:
        self.intact = False
        self._drop()
        log.warning("the bell line to the database is down: others are heard late until it is back")

    def _drop(self) -> None:
        if self._conn is not None:
            with contextlib.suppress(psycopg.Error):
                self._conn.close()
        self._conn = None

    def _overtake(self, error: WrongDatabase) -> None:
        with self._gate:
            if not self._wrong.done():
                log.critical("this referee can't write any more: %s", error)
                self._wrong.set_result(error)
