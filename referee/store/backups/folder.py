"""A folder of backups, named by when they were made: `citadels-20261121T085001Z.db.zst` (SQLite) or
`.dump.zst` (PostgreSQL); `.db.diff.zst` for what differs from an earlier one; older ones are not compressed.

Only what bears such a name and has its manifest is ever thrown away, and never the newest one that was
proven, nor what one that stays differs from.
"""

from __future__ import annotations

import errno
import fcntl
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from referee.store.backups.making import PACKED
from referee.store.backups.manifest import BadBackup, Manifest, beside, read
from referee.store.errors import StoreBusy, told_of

_NAME = re.compile(r"citadels-\d{8}T\d{6}Z\.(db|dump)((\.diff)?\.zst)?")


class BackupFile(NamedTuple):
    """One of them."""

    path: Path
    manifest: Manifest


class BackupFolder:
    """The folder.  It is made, open to nobody else, when something is first put there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def place(self, made_ms: int, url: str, *, difference: bool = False) -> Path:
        """Where a backup of that moment goes."""
        stamp = datetime.fromtimestamp(made_ms / 1000, UTC).strftime("%Y%m%dT%H%M%SZ")
        kind = "dump" if url.startswith("postgresql") else "db"
        return self.folder / f"citadels-{stamp}.{kind}{'.diff' if difference else ''}{PACKED}"

    def base(self, since_ms: int, now_ms: int, url: str) -> Path | None:
        """The newest whole backup of such a database that was proven and made since then, for the next one to
        differ from; None where there is none. Of one from later than now nobody knows how old it is.
        """
        kind = "postgresql" if url.startswith("postgresql") else "sqlite"
        return next(
            (
                one.path
                for one in self.kept()
                if one.manifest.packing == "zstd"
                and one.manifest.database == kind
                and one.manifest.verified_ms
                and since_ms < one.manifest.made_ms <= now_ms
            ),
            None,
        )

    def kept(self) -> list[BackupFile]:
        """What lies there, the newest first.  A file whose manifest is missing or says nothing is none."""
        found = []
        for path in self.folder.glob("citadels-*") if self.folder.is_dir() else ():
            if _NAME.fullmatch(path.name) and beside(path).is_file():
                try:
                    found.append(BackupFile(path, read(path)))
                except BadBackup:
                    continue
        return sorted(found, key=lambda one: one.manifest.made_ms, reverse=True)

    @contextmanager
    def held(self) -> Iterator[None]:
        """One backup at a time; what a killed one left behind is thrown away.

        Raises StoreBusy, StoreFull.
        """
        with told_of(self.folder):
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            fd = os.open(self.folder / ".lock", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        try:
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise StoreBusy(
                    errno.EAGAIN, "another backup is being made there", str(self.folder)
                ) from None
            # the copy that such a file is made from has one point more in front
            for name in ("citadels-*.part*", "citadels-*.trial*"):
                for left in [*self.folder.glob(f".{name}"), *self.folder.glob(f"..{name}")]:
                    left.unlink(missing_ok=True)
            yield
        finally:
            os.close(fd)

    def thinned(self, keep: int, now_ms: int) -> list[Path]:
        """Throw away all but the newest `keep`, the newest that was proven, and what these differ from; those
        that went.

        What bears a later moment than now was made while the clock was ahead, or it is behind now: in either
        case before the one that has just been made, which would be the oldest by its name.
        """
        kept = sorted(self.kept(), key=lambda one: one.manifest.made_ms > now_ms)  # stable: else as they are
        proven = next((one for one in kept if one.manifest.verified_ms), None)
        stay = [one for n, one in enumerate(kept) if n < max(1, keep) or one is proven]
        needed = {one.path.name for one in stay} | {one.manifest.base for one in stay}
        gone = [one.path for one in kept if one.path.name not in needed]
        for path in gone:
            with told_of(path):
                beside(path).unlink(missing_ok=True)  # first: without it the other is nothing any more
                path.unlink(missing_ok=True)
        return gone
