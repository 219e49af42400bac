"""Backups: pg_dump writes the whole book as it was at one instant while the games go on.

The copy is written beside its target and renamed when it is on disk, so a backup is either whole or not there.  `pg_restore` reads it.
"""
from __future__ import annotations

import errno
import os
import shutil
import subprocess
from pathlib import Path

from psycopg import conninfo

from referee.store.backup import to_disk
from referee.store.errors import StoreFull, told_of
from referee.store.postgres.connection import Place


def dump(place: Place, target: Path) -> None:
    """Write a copy to `target`.  Blocks.  Raises StoreFull."""
    program = shutil.which("pg_dump")
    if program is None:
        raise StoreFull(errno.ENOENT, "pg_dump is not installed here; a backup needs it", str(target))
    part = target.with_name(f".{target.name}.part")
    asked = conninfo.conninfo_to_dict(place.info)
    secret = asked.pop("password", None)        # a password must not stand in the list of processes
    address = conninfo.make_conninfo(**{key: str(value) for key, value in asked.items() if value is not None})
    with told_of(target):
        part.unlink(missing_ok=True)
        os.close(os.open(part, os.O_CREAT | os.O_EXCL, 0o600))
        try:
            done = subprocess.run(  # noqa: S603 - our own words, no shell
                [program, "--format=custom", "--no-owner", "--no-password", f"--file={part}", f"--dbname={address}"],
                env={**os.environ, **({"PGPASSWORD": str(secret)} if secret else {})}, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
            if done.returncode:
                raise StoreFull(errno.EIO, f"pg_dump failed: {done.stderr.strip().splitlines()[-1] if done.stderr.strip() else done.returncode}", str(target))
            to_disk(part)
            os.replace(part, target)
            to_disk(target.parent)
        finally:
            part.unlink(missing_ok=True)
