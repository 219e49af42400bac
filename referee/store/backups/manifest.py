"""What a backup says of itself: a small file beside it, `NAME.json`, written last, so that a backup without
one was never finished.

It holds no secret, but as the backup itself only its owner may read it.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from referee.states import ALIVE
from referee.store.backup import to_disk
from referee.store.errors import WrongDatabase, told_of

WHAT = "citadels-referee backup"
#: 2: it is packed
FORMAT = 2
_PIECE = 1 << 20


class BadBackup(WrongDatabase):
    """A file from which nothing is restored.

    `code`: missing, unlisted (nothing beside it says what is in it), baseless (what it differs from is not
    beside it), illegible (that can't be read), foreign,
    short, changed, newer, other-database, broken, rows, tool; not-over (no backup, which one is not to be
    written over); `facts` for its sentence.
    """

    def __init__(self, code: str, **facts: Any) -> None:
        super().__init__(f"{code}: {', '.join(f'{name} {value}' for name, value in facts.items())}")
        self.code, self.facts = code, facts


class DatabaseCounts(NamedTuple):
    """What a database holds at one instant: rows of each table, last numbers, live games, the revision."""

    rows: dict[str, int]
    last: dict[str, int]
    live: int
    revision: str


#: tables whose last number is noted: what was lost after a backup began there
LAST = ("journal", "inbox", "outbox")
_ALIVE = ", ".join(f"'{status}'" for status in ALIVE)
LIVE = f"SELECT count(*) FROM game WHERE status IN ({_ALIVE})"  # noqa: S608 - ours


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """`database`: sqlite or postgresql; `version` and `revision`: of the referee and of the tables; `rows`:
    how many in each table; `last`: the last number used in journal, inbox and outbox; `live`: games that are
    played; `verified_ms` 0: nobody has tried it. `packing`: "" for the database's own file or dump, zstd, or
    difference from the backup `base` beside it; `raw_size` and `raw_sha256`: of what is packed.
    """

    what: str = WHAT
    format: int = 1
    database: str
    version: str
    revision: str
    made_ms: int
    size: int
    sha256: str
    rows: dict[str, int]
    last: dict[str, int]
    live: int
    verified_ms: int = 0
    packing: str = ""
    raw_size: int = 0
    raw_sha256: str = ""
    base: str = ""
    base_sha256: str = ""


def beside(backup: Path) -> Path:
    """Where a backup's manifest lies."""
    return backup.with_name(f"{backup.name}.json")


def written(backup: Path, manifest: Manifest) -> None:
    """Put it beside the backup, in one step.  Raises StoreFull."""
    target = beside(backup)
    part = target.with_name(f".{target.name}.part")
    with told_of(target):
        try:
            part.unlink(missing_ok=True)
            fd = os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
            with open(fd, "wb") as file:
                file.write(msgspec.json.format(msgspec.json.encode(manifest), indent=2) + b"\n")
            to_disk(part)
            os.replace(part, target)
            to_disk(target.parent)
        finally:
            part.unlink(missing_ok=True)


def read(backup: Path) -> Manifest:
    """Raises BadBackup where there is none, or what there is says nothing."""
    try:
        text = beside(backup).read_bytes()
    except FileNotFoundError:
        raise BadBackup("unlisted", file=backup, wanted=beside(backup).name) from None
    except OSError as error:
        raise BadBackup("illegible", file=beside(backup), why=error.strerror or str(error)) from None
    try:
        found = msgspec.json.decode(text, type=Manifest)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadBackup("illegible", file=beside(backup), why=str(error)) from None
    if found.what != WHAT:
        raise BadBackup("illegible", file=beside(backup), why=f"it is of something else: {found.what}")
    if found.format > FORMAT:
        raise BadBackup("newer", file=backup, revision=found.revision, version=found.version)
    return found


def checked(backup: Path) -> Manifest:
    """The manifest, once every byte of the backup was found to be what it says.  Raises BadBackup."""
    if not backup.is_file():
        raise BadBackup("missing", file=backup)
    manifest = read(backup)
    size = backup.stat().st_size
    if size != manifest.size:
        raise BadBackup("short", file=backup, size=size, wanted=manifest.size)
    if hashed(backup) != manifest.sha256:
        raise BadBackup("changed", file=backup)
    if manifest.base:
        base = backup.with_name(Path(manifest.base).name)
        if not base.is_file():
            raise BadBackup("baseless", file=backup, base=base.name)
        if checked(base).sha256 != manifest.base_sha256:
            raise BadBackup("baseless", file=backup, base=base.name)
    return manifest


def hashed(path: Path) -> str:
    """The SHA-256 of a file, in hex.  Raises BadBackup when it can't be read."""
    digest = hashlib.sha256()
    try:
        for piece in _pieces(path):
            digest.update(piece)
    except OSError as error:
        raise BadBackup("illegible", file=path, why=error.strerror or str(error)) from None
    return digest.hexdigest()


def _pieces(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            yield piece
