"""Making a backup, whichever database it is of and at whichever step that stands: before an upgrade it is an
older one.
"""

from __future__ import annotations

import errno
import os
import sqlite3
from contextlib import closing, suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from referee.store import backup
from referee.store.backups.compression import Broken, Raw, compressed, differing
from referee.store.backups.manifest import (
    FORMAT,
    LAST,
    LIVE,
    BadBackup,
    DatabaseCounts,
    Manifest,
    beside,
    checked,
    hashed,
    written,
)
from referee.store.connection import path_of
from referee.store.errors import MissingDatabase, NewerDatabase, StoreFull, told_of, understood
from referee.store.migrate import revision_of, revisions
from referee.store.store import NEEDS_PSYCOPG, is_psycopg

#: how a backup is called that is compressed
PACKED = ".zst"


def taken(url: str, target: Path, now_ms: int, base: Path | None = None) -> Manifest:
    """Write a backup of the database at `url` to `target`, and its manifest.  Blocks; beside a running
    referee. Compressed where it is called so (.zst), then perhaps only what differs from the compressed
    backup `base` in the same folder.

    Raises a WrongDatabase, BadBackup for a base that is not what it was and for a file at `target` that is no
    backup, StoreFull (nothing is left of it then), ValueError for another address.
    """
    _may_be_replaced(url, target)
    fresh, raw = (target.with_name(f".{target.name}.part-{what}") for what in ("new", "raw"))
    try:
        manifest = _made(url, raw if target.suffix == PACKED else None, fresh, now_ms, base)
        written(fresh, manifest)
        # both at once: what was there before is whole until then
        with told_of(target):
            os.replace(fresh, target)
            os.replace(beside(fresh), beside(target))
            backup.to_disk(target.parent)
    finally:
        for left in (raw, fresh, beside(fresh)):
            with suppress(OSError):  # what went wrong first is what is to be told
                left.unlink()
    return manifest


def _may_be_replaced(url: str, target: Path) -> None:
    """Raises BadBackup for what is no backup: above all the database itself. A referee that serves would go
    on writing into a file that nobody finds any more.
    """
    own = url.startswith("sqlite:") and path_of(url) == target.resolve()
    if own or (target.exists() and not beside(target).exists()):
        raise BadBackup("not-over", file=target)


def _made(url: str, raw: Path | None, fresh: Path, now_ms: int, base: Path | None) -> Manifest:
    """Make a backup in the file `fresh`, by way of `raw` where it is to be compressed; what it is."""
    if raw is None:
        found, more = _copied(url, fresh), {}
    else:
        found = _copied(url, raw, plain=True)
        more = _packed(raw, fresh, base, pages=not url.startswith("postgresql+"))
    return Manifest(
        format=FORMAT if more else 1,
        database="postgresql" if url.startswith("postgresql") else "sqlite",
        version=own_version(),
        revision=found.revision,
        made_ms=now_ms,
        size=fresh.stat().st_size,
        sha256=hashed(fresh),
        rows=found.rows,
        last=found.last,
        live=found.live,
        **more,
    )


def _packed(raw: Path, target: Path, base: Path | None, *, pages: bool) -> dict[str, Any]:
    """Compress a copy, or what differs in it; what its manifest says of that."""
    told: dict[str, Any] = {}

    def make(part: Path) -> None:
        if base is None:
            found = compressed(raw, part)
            told.update(packing="zstd")
        else:
            before = checked(base)
            try:
                found, was = differing(raw, base, part, pages=pages)
            except StoreFull:
                raise
            except Broken as error:
                if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
                    raise  # our disk, not the base
                raise BadBackup("broken", file=base, why=str(error)) from error
            if was != Raw(before.raw_size, before.raw_sha256):
                raise BadBackup("changed", file=base)
            told.update(packing="difference", base=base.name, base_sha256=before.sha256)
        told.update(raw_size=found.size, raw_sha256=found.sha256)

    backup.whole(target, make)
    return told


def _copied(url: str, target: Path, *, plain: bool = False) -> DatabaseCounts:
    """The database's own file, or a dump, `plain` where it will be compressed."""
    if url.startswith("postgresql+"):
        try:
            from referee.store.postgres.backup import dumped
        except ImportError as error:
            if not is_psycopg(error):
                raise
            raise ValueError(NEEDS_PSYCOPG) from error
        return dumped(url, target, plain=plain)
    return _file(url, target)


def own_version() -> str:
    """Of the referee; "" where it is not installed."""
    try:
        return version("citadels-referee")
    except PackageNotFoundError:
        return ""


def _file(url: str, target: Path) -> DatabaseCounts:
    path = path_of(url)
    if not path.is_file():
        raise MissingDatabase(f"there is no database at {path}")
    at, known = revision_of(path), revisions()
    if not at:
        raise MissingDatabase(f"{path} is empty")
    if at not in known:
        raise NewerDatabase(
            f"{path} is at revision {at}; this referee knows {known[-1]}: upgrade the referee"
        )
    backup.copied(path, target)
    return counted(target)


def counted(path: Path) -> DatabaseCounts:
    """What is in a copy that nobody writes to.  Raises StoreFull."""
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as conn:
            tables = [
                str(name)
                for (name,) in conn.execute(
                    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
                )
            ]
            rows = {
                # the names of our own tables
                name: int(conn.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0])  # noqa: S608 - ours
                for name in sorted(tables)
            }
            last = {
                name: int(
                    conn.execute(
                        f'SELECT coalesce(max(id), 0) FROM "{name}"'  # noqa: S608 - as above
                    ).fetchone()[0]
                )
                for name in LAST
                if name in rows
            }
            return DatabaseCounts(
                rows,
                last,
                int(conn.execute(LIVE).fetchone()[0]),
                str(conn.execute("SELECT version_num FROM alembic_version").fetchone()[0]),
            )
    except sqlite3.Error as error:
        raise understood(error, str(path)) from error
