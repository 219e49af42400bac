"""A process that receives from Telegram into a file, made to be killed: ``python -m
tests.adapters.telegram_victim URL TOKEN FILE``.
"""

from __future__ import annotations

import asyncio
import sqlite3
import sys
import time
from collections.abc import Sequence

from adapters.telegram import Settings, build
from referee.ports import Inbound


class Ledger:
    """A reception on one SQLite file."""

    def __init__(self, path: str) -> None:
        self.file = sqlite3.connect(path, isolation_level=None)
        self.file.executescript(
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
            "CREATE TABLE IF NOT EXISTS inbox (n INTEGER PRIMARY KEY, key TEXT UNIQUE, text TEXT);"
            "CREATE TABLE IF NOT EXISTS bookmark (name TEXT PRIMARY KEY, value TEXT);"
        )

    async def receive(
        self, batch: Sequence[Inbound], *, channel: str, cursor: dict[str, str] | None = None
    ) -> None:
        self.file.execute("BEGIN IMMEDIATE")
        self.file.executemany(
            "INSERT OR IGNORE INTO inbox (key, text) VALUES (?, ?)", [(one.key, one.text) for one in batch]
        )
        self.file.executemany("INSERT OR REPLACE INTO bookmark VALUES (?, ?)", list((cursor or {}).items()))
        self.file.execute("COMMIT")

    async def contested(self, channel: str, *, rivalled: bool) -> None:
        raise AssertionError("nobody else is there")

    async def bookmark(self, channel: str, name: str) -> str | None:
        row = self.file.execute("SELECT value FROM bookmark WHERE name = ?", (name,)).fetchone()
        return str(row[0]) if row else None


async def main(url: str, token: str, path: str) -> None:
    adapter = build(
        Settings.model_validate({"token": token, "base_url": url}), lambda: int(time.time() * 1000)
    )
    await adapter.start(Ledger(path))
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
