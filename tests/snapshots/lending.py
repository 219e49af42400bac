"""Kept books, put back where a referee can open them: in a file, or in a database of a PostgreSQL of the
tests' own.
"""

from __future__ import annotations

import json
import lzma
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from tests import books
from tests.snapshots.keep import FOLDER

#: NNNN.sql or NNNN.pg: a revision, and the kind of database
KEPT = sorted(one.name.removesuffix(".xz") for one in FOLDER.glob("*.xz"))


def revision(name: str) -> str:
    """At which step of the schema that book is."""
    return name.partition(".")[0]


def told(name: str) -> dict[str, Any]:
    """What was written down beside a book: its hour, and its games."""
    found: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return found


def put_back(name: str, path: Path) -> str:
    """Put a book back; its URL.  One of SQLite is the file at `path`."""
    text = lzma.decompress((FOLDER / f"{name}.xz").read_bytes()).decode()
    if name.endswith(".pg"):
        base = books.server().empty()
        books.server().ask(text, base)
        return books.server().url(base)
    with closing(sqlite3.connect(path)) as book:
        book.execute("PRAGMA journal_mode = WAL")
        book.executescript(text)
    return f"sqlite:///{path}"


def no_server() -> str:
    """Why there can be no PostgreSQL here, "" when there can."""
    try:
        from tests.servers.postgres import missing
    except ImportError:
        return "left out: psycopg is not installed"
    return missing()
