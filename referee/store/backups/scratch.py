"""A backup unpacked where nobody sees it: looked through, brought up, changed, and only then put in its
place, in one step.

Whatever goes wrong before that step leaves the place as it was; what was unpacked is thrown away.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import chain, count
from pathlib import Path
from typing import Protocol

from referee.store.backup import to_disk, whole
from referee.store.backups.layout import laid_out
from referee.store.backups.making import counted
from referee.store.backups.manifest import BadBackup, Manifest, checked
from referee.store.connection import connect, make_folder, path_of
from referee.store.errors import (
    OccupiedDatabase,
    StoreBroken,
    StoreBusy,
    StrangeDatabase,
    told_of,
    understood,
)
from referee.store.locks import Ownership
from referee.store.migrate import bring_up, revision_of, revisions
from referee.store.store import NEEDS_PSYCOPG, is_psycopg

#: endings of the files that belong to a SQLite database
_WITH = ("-wal", "-shm", ".lock", ".turn")


class Scratch(Protocol):
    """An unpacked database at the last step, at `url`, which nobody else knows of."""

    url: str
    manifest: Manifest

    @property
    def revision(self) -> str:
        """The step to which it was brought."""

    def free(self, *, aside: bool) -> None:
        """Raises OccupiedDatabase where there is something in its place, unless that is to be moved
        `aside`.
        """

    def settle(self, stamp: str, *, aside: bool) -> str:
        """Put it in its place, which must not be open anywhere.

        What is there already is moved aside, to a name with `stamp` in it, which is returned ("" where
        nothing was there). Raises OccupiedDatabase unless `aside` is said, StoreBusy, StoreFull.
        """


@contextmanager
def unpacked(backup: Path, place: str, *, trial: Path | None = None) -> Iterator[Scratch]:
    """Unpack a backup for the database at `place`, bring it up to the last step, and throw it away in the
    end.

    `trial`: it will never be settled, and a SQLite database is unpacked in that folder instead of beside its
    place. Raises BadBackup, another WrongDatabase, StoreBusy when a referee runs on the place, StoreFull,
    ValueError for another address.
    """
    manifest = checked(backup)
    if manifest.revision not in revisions():
        raise BadBackup("newer", file=backup, revision=manifest.revision, version=manifest.version)
    served = place.startswith("postgresql+")
    if (manifest.database == "postgresql") != served:
        raise BadBackup("other-database", file=backup, is_of=manifest.database)
    if served:
        try:
            from referee.store.postgres.scratch import database
        except ImportError as error:
            if not is_psycopg(error):
                raise
            raise ValueError(NEEDS_PSYCOPG) from error
        with database(backup, manifest, place, trial=trial is not None) as found:
            yield found
    else:
        with _file(backup, manifest, path_of(place), trial) as book:
            yield book


@contextmanager
def _file(backup: Path, manifest: Manifest, target: Path, trial: Path | None) -> Iterator[FileScratch]:
    if trial is None:
        make_folder(target)
    owner = Ownership(target) if trial is None else None  # no referee begins on it meanwhile
    scratch = FileScratch(
        manifest,
        target.with_name(f".{target.name}.restoring") if trial is None else trial / f".{backup.name}.trial",
        target,
    )
    try:
        scratch.drop()
        scratch.fill(backup)
        yield scratch
    finally:
        scratch.drop()
        if owner is not None:
            owner.end()


class FileScratch:
    """A SQLite database, in the folder of its place, so that a rename puts it there."""

    def __init__(self, manifest: Manifest, path: Path, target: Path) -> None:
        self.manifest, self.path, self.target, self.url = manifest, path, target, f"sqlite:///{path}"

    @property
    def revision(self) -> str:
        """As `Scratch` says."""
        return revision_of(self.path)

    def fill(self, backup: Path) -> None:
        """Copy it here, see that it is what the manifest says, bring it up.  Raises BadBackup, StoreFull."""

        whole(self.path, lambda part: laid_out(backup, self.manifest, part))
        try:
            if not revision_of(self.path):
                raise BadBackup("foreign", file=backup)
            rows = counted(self.path).rows
            with closing(sqlite3.connect(self.path)) as conn:
                said = [str(line) for (line,) in conn.execute("PRAGMA quick_check(5)")]
        except (StrangeDatabase, StoreBroken, sqlite3.Error) as error:
            raise BadBackup(
                "foreign" if isinstance(error, StrangeDatabase) else "broken", file=backup, why=str(error)
            ) from error
        if said != ["ok"]:
            raise BadBackup("broken", file=backup, why=said[0])
        if rows != self.manifest.rows:
            raise BadBackup("rows", file=backup)
        bring_up(self.path)

    def free(self, *, aside: bool) -> None:
        """As `Scratch` says."""
        if not aside and self.occupied():
            raise OccupiedDatabase(f"{self.target} is there already")

    def settle(self, stamp: str, *, aside: bool) -> str:
        """As `Scratch` says."""
        try:
            with closing(connect(self.path, writes=True, checkpoints=True)) as conn:
                conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except sqlite3.Error as error:
            raise understood(error, str(self.path)) from error
        self.free(aside=aside)
        with told_of(self.target):
            to_disk(self.path)
            self.given_away()
            moved = self.moved_aside(stamp)
            os.replace(self.path, self.target)
            to_disk(self.target.parent)
        return moved

    def given_away(self) -> None:
        """Where root restores, the database belongs to whom the old one, or its folder, belongs to: root does
        not serve.
        """
        if os.geteuid():
            return
        owner = (self.target if self.target.exists() else self.target.parent).stat()
        for path in (self.path, *(Path(f"{self.target}{ending}") for ending in _WITH[2:])):
            if path.exists():
                os.chown(path, owner.st_uid, owner.st_gid)

    def occupied(self) -> bool:
        """Whether there is a database with games or people in its place, or something that can't be read."""
        if not self.target.exists():
            return False
        try:
            with closing(sqlite3.connect(f"{self.target.absolute().as_uri()}?mode=rw", uri=True)) as conn:
                tables = {
                    name for (name,) in conn.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
                }
                return bool(tables) and (
                    "person" not in tables
                    or conn.execute("SELECT 1 FROM person LIMIT 1").fetchone() is not None
                )
        except sqlite3.Error:
            return True

    def moved_aside(self, stamp: str) -> str:
        """Give what is there another name as well; it goes from its own when the new one takes that.

        "" where nothing was there.  Raises StoreBusy.
        """
        there = self.target.exists()
        other = self._aside(stamp)
        if there:
            self._alone()
            try:
                os.link(self.target, other)
            except OSError:  # a file system without second names: a copy, and one is in place at any moment
                whole(other, self._copied)
        for ending in _WITH[:2]:  # beside another book it would be taken for that one's own
            with contextlib.suppress(FileNotFoundError):
                os.replace(f"{self.target}{ending}", f"{other}{ending}")
        return str(other) if there else ""

    def _alone(self) -> None:
        """What is there is one file, and nobody has it open: who closed it later would remove the WAL of the
        one in its place, by its name.  A damaged one takes its WAL along.
        """
        try:
            with closing(connect(self.target, writes=True, checkpoints=True)) as conn:
                conn.execute("PRAGMA journal_mode = DELETE")  # which SQLite does for the only one
        except sqlite3.Error as error:
            if isinstance(understood(error, str(self.target)), StoreBusy):
                raise StoreBusy(
                    errno.EBUSY,
                    "somebody has the database open: stop every referee, worker and console that has",
                    str(self.target),
                ) from error

    def _copied(self, part: Path) -> None:
        """Copy what is in place, with whom it belongs to."""
        shutil.copyfile(self.target, part)
        owner = self.target.stat()
        if not os.geteuid():
            os.chown(part, owner.st_uid, owner.st_gid)

    def _aside(self, stamp: str) -> Path:
        """A name that nothing has: an attempt of the same second may have been cut short."""
        names = (
            self.target.with_name(f"{self.target.stem}.aside-{stamp}{again}{self.target.suffix}")
            for again in chain([""], map("-{}".format, count(2)))
        )
        return next(name for name in names if not name.exists())

    def drop(self) -> None:
        """Throw away what is left."""
        for path in (self.path, *(Path(f"{self.path}{ending}") for ending in _WITH)):
            path.unlink(missing_ok=True)
