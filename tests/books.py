"""Which database a test's book is in: a file, or with REFEREE_TEST_STORE=postgres a database of a PostgreSQL
of our own.

A book is named by a path, as if it were a file: the same path is the same book until the test is over
(`forget`).
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from referee.store.connection import touch
from referee.store.migrate import bring_up

if TYPE_CHECKING:
    from tests.servers.postgres import Postgres

ON_POSTGRES = os.environ.get("REFEREE_TEST_STORE") == "postgres"
_books: dict[Path, str] = {}
_started: list[Postgres] = []


@cache
def server() -> Postgres:
    """The one of this session, started when first asked for."""
    from tests.servers.postgres import Postgres

    _started.append(Postgres(durable=False))
    return _started[0]


def address(path: Path, *, postgres: bool = ON_POSTGRES) -> str:
    """The URL of the book at that path."""
    if not postgres:
        return f"sqlite:///{path}"
    if path not in _books:
        _books[path] = server().book()
    return server().url(_books[path])


@cache
def _blank() -> bytes:
    """A new SQLite book, as the steps of all versions make it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "blank.db"
        touch(path)
        bring_up(path)
        assert [one.name for one in path.parent.iterdir()] == [path.name]
        return path.read_bytes()


def fresh(path: Path) -> str:
    """The URL of the book at that path, which is laid there where there is none: a copy costs less than every
    version's step.
    """
    if not ON_POSTGRES and not path.exists():
        touch(path)
        path.write_bytes(_blank())
    return address(path)


def twin(path: Path, other: Path) -> None:
    """Make the book at `other` the same as that at `path`, which nobody has open."""
    if ON_POSTGRES:
        _books[other] = server().empty(_books[path])
    else:
        shutil.copy(path, other)


def behind(path: Path, *statements: str) -> None:
    """Change the book at `path` as somebody would who has the database's own tools."""
    for each in statements:
        if ON_POSTGRES:
            server().ask(each + (" ON office_log" if each.startswith("DROP TRIGGER") else ""), _books[path])
        else:
            with closing(sqlite3.connect(path)) as other, other:
                other.execute(each)


def forget() -> None:
    """The test is over: its databases go."""
    while _books:
        server().drop(_books.popitem()[1])


def end() -> None:
    """The session is over: the server goes."""
    while _started:
        _started.pop().end()
