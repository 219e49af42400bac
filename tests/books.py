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

from referee.store import migrate
from referee.store.connection import touch

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


#: brings a file up, one version's step after the other
by_steps = migrate._alembic
_LAST = migrate.revisions()[-1]


@cache
def _blank() -> bytes:
    """A new SQLite book, as the steps of all versions make it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "blank.db"
        touch(path)
        by_steps(path, "", "head")
        assert [one.name for one in path.parent.iterdir()] == [path.name]
        return path.read_bytes()


def copied(path: Path, at: str, to: str) -> None:
    """What brings a file up in tests: a new book is a copy of one that went through the steps, which costs a
    hundredth of them. (Some tests add a step.)
    """
    if to == "head" and not path.stat().st_size and migrate.revisions()[-1] == _LAST:
        path.write_bytes(_blank())
    else:
        by_steps(path, at, to)


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
