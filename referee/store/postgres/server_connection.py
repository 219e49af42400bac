"""The line: the way to the server, while there is one, and when it may be tried again."""

from __future__ import annotations

import contextlib
import errno
import time
from collections.abc import Callable
from typing import Any

import psycopg

from referee.store.errors import StoreFull
from referee.store.postgres.connection import ServerAddress, connect
from referee.store.postgres.errors import understood
from referee.store.postgres.transaction import PostgresTx

_ME = "SELECT pid, backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid()"
_END = "SELECT pg_terminate_backend(pid, 2000) FROM pg_stat_activity WHERE pid = %s AND backend_start = %s"
#: who hangs in the middle of a job must not hold its rows for longer than its leases last
#: (`referee.service.outbound.channel_leases`); the job is run again when it wakes up
_HUNG = "SET idle_in_transaction_session_timeout = '5s'"
_WAIT_S = (0.05, 2.0)  # between two attempts to reach a server that is away: at first, at most


class ServerConnection:
    """The way to the server: a connection while there is one, and when it may be tried again."""

    def __init__(
        self,
        place: ServerAddress,
        *,
        writes: bool,
        ready: Callable[[psycopg.Connection], None] = lambda _: None,
        durable: bool = True,
    ) -> None:
        """`ready` is done once on each new connection."""
        self.place = place
        self._writes, self._durable, self._ready = writes, durable, ready
        self._tx: PostgresTx | None = None
        self._pause, self._not_before, self._told = _WAIT_S[0], 0.0, ""
        self._mine: tuple[Any, ...] | None = (
            None  # the server's process for the last connection: number, and since when
        )

    def tx(self) -> PostgresTx:
        """Raises StoreFull when there is no connection; who asks again soon hears so without another
        attempt.
        """
        if self._tx is not None and not self._tx.conn.closed:
            return self._tx
        if time.monotonic() < self._not_before:
            raise self._again()
        try:
            conn = connect(self.place, durable=self._durable)
            try:
                if self._writes:
                    conn.execute(_HUNG)
                self._end_the_last(conn)
                self._ready(conn)
            except BaseException:
                conn.close()
                raise
        except psycopg.Error as error:
            told = understood(error, self.place.name)
            self._told = str(told.strerror) if isinstance(told, StoreFull) else str(told)
            self._not_before = time.monotonic() + self._pause
            self._pause = min(2 * self._pause, _WAIT_S[1])
            raise told from error
        self._pause, self._not_before = _WAIT_S[0], 0.0
        self._tx = PostgresTx(conn, self.place.name, writes=self._writes)
        return self._tx

    def _end_the_last(self, conn: psycopg.Connection) -> None:
        """The server may not have heard that our last connection is gone: what that holds must not stand in
        our own way.
        """
        if self._mine is not None:
            conn.execute(_END, self._mine)
        self._mine = conn.execute(_ME).fetchone()

    def drop(self) -> None:
        """This connection is of no use any more."""
        if self._tx is not None:
            with contextlib.suppress(psycopg.Error):
                self._tx.conn.close()
        self._tx = None

    def wait(self) -> None:
        """Until it may be tried again."""
        time.sleep(max(0.0, self._not_before - time.monotonic()))

    @property
    def conn(self) -> psycopg.Connection | None:
        """The connection, where there is one."""
        return None if self._tx is None else self._tx.conn

    def _again(self) -> StoreFull:
        told = StoreFull(errno.ECONNREFUSED, self._told, self.place.name)
        told.reason = "away"
        return told
