"""A folder of backups, named by when they were made: `citadels-20261121T085001Z.db` (SQLite) or `.dump`
(PostgreSQL).

Only what bears such a name and has its manifest is ever thrown away, and never the newest one that was
proven.
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

from referee.store.backups.manifest import BadBackup, Manifest, beside, read
from referee.store.errors import StoreBusy, told_of

_NAME = re.compile(r"citadels-\d{8}T\d{6}Z\.(db|dump)")


class BackupFile(NamedTuple):
    """One of them."""

    path: Path
    manifest: Manifest


class BackupFolder:
    """The folder.  It is made, open to nobody else, when something is first put there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def place(self, made_ms: int, url: str) -> Path:
        """Where a backup of that moment goes."""
        stamp = datetime.fromtimestamp(made_ms / 1000, UTC).strftime("%Y%m%dT%H%M%SZ")
        return self.folder / f"citadels-{stamp}.{'dump' if url.startswith('postgresql') else 'db'}"

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
            for left in [*self.folder.glob(".citadels-*.part*"), *self.folder.glob(".citadels-*.trial*")]:
                left.unlink(missing_ok=True)
            yield
        finally:
            os.close(fd)

    def thinned(self, keep: int) -> list[Path]:
        """Throw away all but the newest `keep` and the newest that was proven; those that went."""
        kept = self.kept()
        proven = next((one for one in kept if one.manifest.verified_ms), None)
        gone = [one.path for one in kept[max(1, keep) :] if one is not proven]
        for path in gone:
            with told_of(path):
                beside(path).unlink(missing_ok=True)  # first: without it the other is nothing any more
                path.unlink(missing_ok=True)
        return gone
