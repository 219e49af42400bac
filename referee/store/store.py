"""The store: the referee's database.  Jobs go in, answers come out, and what was answered is on disk.

    owner      `referee serve`: migrates, writes, checkpoints; one at a time to a file
    guest      a command that changes something beside a running referee
    read_only  a command that only looks

The owner is SQLite's: on PostgreSQL (`referee.store.postgres`) any number of processes write.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import TypeVar

from referee.store import backup
from referee.store.connection import make_folder, path_of, touch
from referee.store.errors import MissingDatabase, for_reading_only
from referee.store.jobs import JobThread
from referee.store.locks import Ownership
from referee.store.migrate import bring_up, require_current
from referee.store.notifiers import ChangeNotifier, NoNotifier
from referee.store.reader import Reader
from referee.store.tx import Tx
from referee.store.writer import Writer

T = TypeVar("T")
NEEDS_PSYCOPG = "a database on PostgreSQL needs psycopg: install citadels-referee[postgres]"


class Store:
    """An open database.

    Made by `Store.open`; must be closed. May be used from any thread and any event loop.

    `url` is its address, `name` the same for people to read, without a password; `path` is SQLite's file
    (None elsewhere).
    """

    def __init__(
        self,
        url: str,
        name: str,
        writer: JobThread | None,
        reader: Callable[[], JobThread],
        *,
        path: Path | None = None,
        copy: Callable[[Path], None],
        owner: Ownership | None = None,
        bell: ChangeNotifier | None = None,
        shared: bool = False,
    ) -> None:
        self.url, self.name, self.path = url, name, path
        self._owner = owner
        self._writer = writer
        self._reader, self._patient, self._visitors = reader(), reader(), reader()
        self._copy = copy
        self._bell = bell or NoNotifier()
        #: whether other processes may be at work at this database at the same time
        self.shared = shared

    @classmethod
    def open(
        cls,
        url: str,
        *,
        migrate: bool = True,
        guest: bool = False,
        read_only: bool = False,
        durable: bool = True,
        who: str = "",
    ) -> Store:
        """Open "sqlite:///path" or "postgresql+psycopg://user@host/base", as owner unless said otherwise; an
        owner makes and migrates what is missing (the database itself must be there on PostgreSQL). `who`
        ("serve") is how the database's list of sessions shows us, where it has one. `durable` off is for
        databases that nobody will miss (simulations): what was answered may be lost with the power.

        Raises StoreBusy when another owner has it, or others are at work with an older version of it, a
        WrongDatabase when the file is not ours to use, StoreFull when the disk does not let us, ValueError
        for another kind of address.
        """
        if url.startswith("postgresql+"):
            return cls._served(
                url, who, migrate=migrate and not (guest or read_only), read_only=read_only, durable=durable
            )
        path = path_of(url)
        if guest or read_only:
            if not path.is_file():
                raise MissingDatabase(f"there is no database at {path}")
            require_current(path)
            return cls(
                url,
                str(path),
                Writer(path, checkpoints=False) if guest and not read_only else None,
                partial(Reader, path),
                path=path,
                copy=partial(backup.copied, path),
            )
        make_folder(path)
        owner = Ownership(path)
        try:
            if migrate:
                touch(path)
                bring_up(path)
            elif not path.is_file():
                raise MissingDatabase(f"there is no database at {path}")
            else:
                require_current(path)
            return cls(
                url,
                str(path),
                Writer(path, checkpoints=True, durable=durable),
                partial(Reader, path),
                path=path,
                copy=partial(backup.copied, path),
                owner=owner,
            )
        except BaseException:
            owner.end()
            raise

    @classmethod
    def _served(cls, url: str, who: str, **how: bool) -> Store:
        """On a database server."""
        try:
            from referee.store.postgres.opening import opened
        except ImportError as error:
            if not is_psycopg(error):
                raise
            raise ValueError(NEEDS_PSYCOPG) from error
        name, writer, reader, copy, bell = opened(url, who=who, **how)
        return cls(url, name, writer, reader, copy=copy, bell=bell, shared=True)

    async def write(self, job: Callable[[Tx], T]) -> T:
        """Run `job` in the writer's thread; returns its result once it is on disk.

        What it raises is raised here, and nothing of it stays. StoreFull: nothing of it is on disk. A
        cancelled caller stops waiting, the job does not stop. The job must not block and must not keep the
        Tx.
        """
        result: T = await self._pen().ask(job)
        return result

    def write_now(self, job: Callable[[Tx], T]) -> T:
        """`write`, blocking: for commands and tests."""
        result: T = self._pen().ask_now(job)
        return result

    async def read(self, job: Callable[[Tx], T], *, patient: bool = False, visitor: bool = False) -> T:
        """Run `job` on a snapshot of what is committed, in a reader's thread.  It can't change anything.

        `patient` is for jobs that take milliseconds and hurry nobody: they stand in a queue of their own, not
        in front of the short questions of the inbox worker and the scheduler. `visitor` is for the pages of
        the person who looks in: they neither wait for a hundred letters that are being worded nor hold those
        up.
        """
        result: T = await (self._visitors if visitor else self._patient if patient else self._reader).ask(job)
        return result

    def read_now(self, job: Callable[[Tx], T]) -> T:
        """`read`, blocking."""
        result: T = self._reader.ask_now(job)
        return result

    async def backup(self, target: Path) -> None:
        """Write a complete copy to `target` (replaced in one step).

        Nobody's job waits for it. Raises StoreFull.
        """
        await asyncio.to_thread(self._copy, target)

    def backup_now(self, target: Path) -> None:
        """`backup`, blocking."""
        self._copy(target)

    async def close(self) -> None:
        """Finish what was asked, then let go of the file."""
        await asyncio.to_thread(self.close_now)

    def close_now(self) -> None:
        """`close`, blocking.  The readers go first, so that the last checkpoint is the writer's."""
        self._reader.end()
        self._patient.end()
        self._visitors.end()
        if self._writer is not None:
            self._writer.end()
        self._bell.end()
        if self._owner is not None:
            self._owner.end()
            self._owner = None

    def listen(self, heard: Callable[[frozenset[str]], None]) -> None:
        """Call `heard` on the running event loop with the words that other processes ring, or {"*"}: anything
        may have changed. A bell may be missed: look by yourself now and then. Where the database is not
        shared nothing comes.
        """
        self._bell.listen(heard)

    def ring(self, words: Iterable[str]) -> None:
        """Let the other processes hear these words, in some ten milliseconds.

        Never waits, and may be called from any thread. Raises ValueError for an empty word or one with a line
        break.
        """
        self._bell.ring(words)

    async def overtaken(self) -> str:
        """Wait until a newer version has brought the database up: from then on each `write` raises
        NewerDatabase, and this process should end. Returns a sentence that says so. Where the database is not
        shared it never comes to that.
        """
        return await self._bell.overtaken()

    def _pen(self) -> JobThread:
        if self._writer is None:
            raise for_reading_only(self.name)
        return self._writer


def is_psycopg(error: ImportError) -> bool:
    """Whether what could not be imported is psycopg, or the libpq that it needs."""
    return (error.name or "").partition(".")[0] in ("psycopg", "psycopg_binary") or "libpq" in str(error)
