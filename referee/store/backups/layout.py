"""What a backup holds, laid out as the file or dump that the database made: whatever it was packed with."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from referee.store.backups.compression import Base, Broken, Raw, expanded, remade
from referee.store.backups.manifest import BadBackup, Manifest, read
from referee.store.errors import StoreFull, told_of


def laid_out(backup: Path, manifest: Manifest, part: Path) -> None:
    """Fill the file `part`.  Raises BadBackup, StoreFull."""
    if not manifest.packing:
        with told_of(part):
            shutil.copyfile(backup, part)
        return
    try:
        with told_of(part), part.open("wb") as into:
            found = (
                expanded(backup, into, manifest.raw_size)
                if manifest.packing == "zstd"
                else remade(backup, _base(backup, manifest), into, part.parent, manifest.raw_size)
            )
    except StoreFull:
        raise
    except Broken as error:
        raise BadBackup("broken", file=backup, why=str(error)) from error
    if found != Raw(manifest.raw_size, manifest.raw_sha256):
        raise BadBackup("changed", file=backup)


def _base(backup: Path, manifest: Manifest) -> Base:
    path = backup.with_name(Path(manifest.base).name)
    return Base(path, read(path).raw_size)


@contextmanager
def readable(backup: Path, manifest: Manifest) -> Iterator[Path]:
    """A file that the database's own programs read, for as long as it is needed.

    Raises BadBackup, StoreFull.
    """
    if not manifest.packing:
        yield backup
        return
    folder = backup.parent if os.access(backup.parent, os.W_OK) else None
    with told_of(backup):
        fd, name = tempfile.mkstemp(dir=folder, prefix=f".{backup.name}.trial")
    os.close(fd)
    try:
        laid_out(backup, manifest, Path(name))
        yield Path(name)
    finally:
        Path(name).unlink(missing_ok=True)
