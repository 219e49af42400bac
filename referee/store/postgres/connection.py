"""A connection to PostgreSQL: from the store's address, set as the store wants it."""

from __future__ import annotations

import logging
import os
import socket

import psycopg
from psycopg import conninfo
from psycopg.types.numeric import Int8BinaryDumper
from psycopg.types.string import StrBinaryDumper
from sqlalchemy.engine import make_url

from referee.store.addresses import shown

#: seconds: for a connection to come about, for a lock that somebody else has, for a single statement
CONNECT_S, LOCK_S, STATEMENT_S = 5, 10, 120
_SHAPES = 1000  # statements a session keeps prepared: more than there are
logging.getLogger("psycopg").setLevel(logging.ERROR)  # it warns of what our own errors tell


class ServerAddress:
    """Where the database is.  `name` is for people to read: the address without its password."""

    def __init__(self, url: str, who: str = "") -> None:
        """`who` is how the server's list of sessions shows us, such as "serve".

        Raises ValueError for an address that is none of PostgreSQL's.
        """
        try:
            parsed = make_url(url)
        except Exception as error:  # SQLAlchemy's own kind, whose words show the address
            raise ValueError("that is no address of a database") from error
        if parsed.drivername != "postgresql+psycopg" or not parsed.database:
            raise ValueError(
                f"only postgresql+psycopg://user@host:port/database is understood, not {parsed.drivername}"
            )
        given = {
            "host": parsed.host,
            "port": parsed.port,
            "user": parsed.username,
            "password": parsed.password,
            "dbname": parsed.database,
        }
        asked = {**{key: value for key, value in given.items() if value is not None}, **parsed.query}
        self.name = shown(url)
        session = " ".join(filter(None, ("referee", who, socket.gethostname())))
        usual = {
            "connect_timeout": CONNECT_S,
            "keepalives_idle": 10,
            "keepalives_interval": 5,
            "keepalives_count": 3,
            "tcp_user_timeout": 20_000,
            "application_name": f"{session[:55]}:{os.getpid()}",
        }
        try:
            self.info = conninfo.make_conninfo(**{**usual, **asked})  # type: ignore[arg-type]  # a query's value may be a tuple; libpq says no to it
        except psycopg.Error as error:
            raise ValueError(
                f"the address says what PostgreSQL does not know: {str(error).strip()}"
            ) from None


def connect(place: ServerAddress, *, durable: bool = True) -> psycopg.Connection:
    """A connection in autocommit mode.  `durable` off: a commit waits for no disk.  Raises psycopg.Error."""
    conn = psycopg.connect(place.info, autocommit=True, prepare_threshold=1)
    try:
        conn.prepared_max = _SHAPES
        conn.adapters.register_dumper(
            int, Int8BinaryDumper
        )  # every number is a BIGINT, so that a statement has one shape
        conn.adapters.register_dumper(str, StrBinaryDumper)
        settings = {
            "client_encoding": "UTF8",
            "timezone": "UTC",
            "lock_timeout": f"{LOCK_S}s",
            "statement_timeout": f"{STATEMENT_S}s",
            # a process that was stopped in mid-job must not hold a game for ever
            "idle_in_transaction_session_timeout": "60s",
            "tcp_keepalives_idle": "10",
            "tcp_keepalives_interval": "5",
            "tcp_keepalives_count": "3",  # a machine that is gone holds nothing for long
            "enable_seqscan": "off",  # a table is small at first: a plan made then must do when it is large
            # what must be read from end to end looks so dear then that it would be compiled first, for 70 ms
            "jit": "off",
            "synchronous_commit": "on" if durable else "off",
            "default_transaction_isolation": "repeatable read",
        }
        conn.execute(
            f"SELECT {', '.join(['set_config(%s, %s, false)'] * len(settings))}",
            [word for pair in settings.items() for word in pair],
        )
    except BaseException:
        conn.close()
        raise
    return conn
