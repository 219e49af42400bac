"""Which database a test's book is in: a file, or with REFEREE_TEST_STORE=postgres a database of a PostgreSQL of our own.

A book is named by a path, as if it were a file: the same path is the same book until the test is over (`forget`).
"""
from __future__ import annotations

import os
import shutil
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

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


def twin(path: Path, other: Path) -> None:
    """Make the book at `other` the same as that at `path`, which nobody has open."""
    if ON_POSTGRES:
        _books[other] = server().empty(_books[path])
    else:
        shutil.copy(path, other)


def forget() -> None:
    """The test is over: its databases go."""
    while _books:
        server().drop(_books.popitem()[1])


def end() -> None:
    """The session is over: the server goes."""
    while _started:
        _started.pop().end()
