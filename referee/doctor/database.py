"""The database: can it be opened, is it of this version, is there room beside it."""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

from referee.doctor.backups import backups
from referee.doctor.bots import bots
from referee.ports import Finding
from referee.service.deadlines.hold import held_since
from referee.states import GameStatus, InboxState, OutboxState
from referee.store import (
    Game,
    Inbox,
    MissingDatabase,
    NewerDatabase,
    OlderDatabase,
    Outbox,
    Store,
    StoreBusy,
    StoreFull,
    StrangeDatabase,
    Tx,
    WrongDatabase,
    shown,
)
from referee.store.compacting import SMALL, gives_back

#: the first SQLite in which a checkpoint can't meet a commit of another connection (sqlite.org/wal.html, "The
#: WAL-reset bug")
SAFE_SQLITE = (3, 51, 3)
#: free bytes below which the disk is called nearly full, and full
NEARLY, FULL = 500 << 20, 20 << 20


def database(url: str) -> Iterator[Finding]:
    """Findings about the store; nothing is written and nothing is migrated."""
    where, served = shown(url), url.startswith("postgresql")
    try:
        store = Store.open(url, read_only=True)
    except MissingDatabase as error:
        yield (
            Finding("bad", "database-broken", {"url": where, "why": str(error)})
            if served or Path(url.removeprefix("sqlite:///")).expanduser().exists()  # a folder, say
            else Finding("ok", "database-new", {"url": where})
        )
    except NewerDatabase as error:
        yield Finding("bad", "database-newer", {"url": where, "why": str(error)})
    except OlderDatabase as error:
        yield Finding("warn", "database-older", {"url": where, "why": str(error)})
    except StrangeDatabase as error:
        yield Finding("bad", "database-strange", {"url": where, "why": str(error)})
    except StoreBusy as error:
        yield Finding("warn", "database-busy", {"url": where, "why": str(error)})
    except (WrongDatabase, StoreFull, OSError, ValueError) as error:
        yield Finding("bad", "database-broken", {"url": where, "why": str(error)})
    else:
        try:
            yield Finding("ok", "database", {"url": where})
            yield from _room_kept(store)
            yield from store.read_now(_still)
            yield from store.read_now(_queues)
            yield from store.read_now(backups)
            yield from store.read_now(bots)
        finally:
            store.close_now()
    if sqlite3.sqlite_version_info < SAFE_SQLITE and not served:
        yield Finding(
            "warn", "sqlite-old", {"version": sqlite3.sqlite_version, "safe": ".".join(map(str, SAFE_SQLITE))}
        )
    if url.startswith("sqlite:///"):
        yield from _disk(Path(url.removeprefix("sqlite:///")).expanduser())


def _room_kept(store: Store) -> Iterator[Finding]:
    """A large file of an older referee does not shrink until it is compacted."""
    if store.path is None or (size := store.path.stat().st_size) <= SMALL:
        return
    if not gives_back(store.path):
        yield Finding("warn", "database-keeps-room", {"size_mb": size >> 20})


def _still(tx: Tx) -> list[Finding]:
    """What stands still until an admin has looked: all clocks, or single tables."""
    since_ms, frozen = held_since(tx), tx.count(Game, status=GameStatus.FROZEN)
    at = time.strftime("%Y-%m-%d %H:%M:%SZ", time.gmtime(since_ms / 1000))
    return [
        *([Finding("bad", "clocks-held", {"at": at})] if since_ms else []),
        *([Finding("warn", "games-frozen", {"count": frozen})] if frozen else []),
    ]


def _queues(tx: Tx) -> list[Finding]:
    """What waits for the admin."""
    counted = (
        ("inbox-shunted", tx.count(Inbox, state=InboxState.SHUNTED)),
        ("outbox-failed", tx.count(Outbox, state=OutboxState.FAILED)),
        ("outbox-unknown", tx.count(Outbox, state=OutboxState.UNKNOWN)),
    )
    return [Finding("warn", code, {"count": count}) for code, count in counted if count]


def _disk(path: Path) -> Iterator[Finding]:
    home = path.parent
    while not home.exists():
        home = home.parent
    if not os.access(home, os.W_OK | os.X_OK):
        yield Finding("bad", "disk-closed", {"path": str(home)})
        return
    free = shutil.disk_usage(home).free
    level, code = (
        ("bad", "disk-full")
        if free < FULL
        else ("warn", "disk-nearly-full")
        if free < NEARLY
        else ("ok", "disk")
    )
    yield Finding(level, code, {"path": str(home), "free_mb": free >> 20})
