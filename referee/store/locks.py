"""Locks: one referee to a database, and one writer at a time among processes.

Both are `flock`s on empty files beside the database: they go when the process goes, however it dies.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from referee.store.errors import StoreBusy, told_of


def _beside(path: Path, ending: str) -> int:
    with told_of(path):
        return os.open(f"{path}{ending}", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)


class Ownership:
    """The right to serve: held from `open` to `close` by the process that runs the games."""

    def __init__(self, path: Path) -> None:
        """Raises StoreBusy when another referee has it."""
        self._fd = _beside(path, ".lock")
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            other = os.pread(self._fd, 20, 0).decode("ascii", "replace").strip()
            os.close(self._fd)
            raise StoreBusy(
                errno.EAGAIN,
                f"another referee (process {other or 'unknown'}) runs on this database",
                str(path),
            ) from None
        with contextlib.suppress(
            OSError
        ):  # only for the message above; on a full disk the lock holds without it
            os.pwrite(self._fd, f"{os.getpid():<20}".encode(), 0)

    def end(self) -> None:
        """Give it up."""
        os.close(self._fd)


class WriteLock:
    """Whose turn it is to write.

    A command such as `referee inbox retry` writes beside a running referee. SQLite would let it in right
    after the referee's commit, while the referee checkpoints: the moment that can damage the file before
    SQLite 3.51.3. So a writer holds this from its BEGIN until after its COMMIT and the checkpoint inside it.
    """

    def __init__(self, path: Path, patience: float) -> None:
        """`patience`: seconds to wait for a turn."""
        self._path = path
        self._patience = patience
        self._fd = _beside(path, ".turn")

    @contextmanager
    def held(self) -> Iterator[None]:
        """Raises StoreBusy when nobody lets go in time."""
        last = time.monotonic() + self._patience
        while True:
            try:
                fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > last:
                    raise StoreBusy(
                        errno.EAGAIN,
                        "another process is writing to the database and does not let go",
                        str(self._path),
                    ) from None
                time.sleep(0.002)
        try:
            yield
        finally:
            fcntl.flock(self._fd, fcntl.LOCK_UN)

    def end(self) -> None:
        """Forget it."""
        os.close(self._fd)
