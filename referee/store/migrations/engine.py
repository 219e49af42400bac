"""The connection alembic works on: one real transaction around all steps.

Python's sqlite3 does not open a transaction before CREATE or ALTER by itself, so a migration that fails would
stay half done (measured). Here BEGIN IMMEDIATE is said by us. Foreign keys are off while tables are rebuilt,
and checked before the commit.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

from alembic.config import Config
from sqlalchemy import Connection, Engine, NullPool, create_engine, event


def engine(path: Path) -> Engine:
    """An engine for one migration."""

    def connect() -> sqlite3.Connection:
        conn = sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True, isolation_level=None)
        try:
            conn.execute("PRAGMA auto_vacuum = INCREMENTAL")  # heard by a new file only (`compacting`)
            conn.execute("PRAGMA journal_mode = WAL")
            conn.execute("PRAGMA synchronous = FULL")
            conn.execute("PRAGMA foreign_keys = OFF")
        except BaseException:
            conn.close()
            raise
        return conn

    made = create_engine("sqlite://", creator=connect, poolclass=NullPool)

    @event.listens_for(made, "begin")
    def begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    return made


def config(connection: Connection) -> Config:
    """Alembic's configuration, without a file."""
    settings = Config(attributes={"connection": connection})
    settings.set_main_option("script_location", "referee:store/migrations")
    settings.set_main_option("path_separator", "os")
    return settings


def check_references(connection: Any) -> None:
    """Raises ValueError when a row refers to nothing.

    (PostgreSQL looks after that itself, at each statement.)
    """
    if connection.dialect.name != "sqlite":
        return
    broken = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()
    if broken:
        raise ValueError(
            f"the migration would leave {len(broken)} rows that refer to nothing, first in {broken[0][0]}"
        )
