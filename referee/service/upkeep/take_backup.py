"""A backup from the first byte to the proof: taken beside a running referee, unpacked, looked through, and
the oldest thrown away.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import NamedTuple

import msgspec

from referee.store import Heartbeat, Store, StoreFull, WrongDatabase
from referee.store.backups import BackupFolder, Manifest, taken, unpacked, written

from .workers import AuditResult, audited

#: under this name the database keeps when the last backup was taken that was proven
HEARTBEAT = "backup"


class BackupResult(NamedTuple):
    """What was made; `audit` None: nobody tried it; `gone`: older ones that were thrown away; `noted`: the
    database knows of it; `unable`: why it could not be tried, "" for nothing.
    """

    path: Path
    manifest: Manifest
    audit: AuditResult | None
    gone: list[Path]
    noted: bool
    unable: str = ""


def kept(
    url: str,
    target: Path,
    clock_ms: Callable[[], int],
    *,
    keep: int = 0,
    verify: bool = True,
    workers: int = 0,
) -> BackupResult:
    """Make a backup of the database at `url`: in the folder `target`, where the newest `keep` stay (0: all),
    or (`target` ends like a file) there.

    Where the audit finds something the backup stays, unproven, and nothing is thrown away. Raises BadBackup
    where what was written can't be restored, a WrongDatabase, StoreBusy, StoreFull, ValueError.
    """
    now, file = clock_ms(), target.suffix in (".db", ".dump", ".sqlite", ".backup") and not target.is_dir()
    shelf = BackupFolder(target.parent if file else target)
    with nullcontext() if file else shelf.held():
        path = target if file else shelf.place(now, url)
        manifest = taken(url, path, now)
        try:
            audit = proven(path, url, now, workers) if verify else None
        except StoreFull as full:  # no room to try it: it is a backup all the same
            return BackupResult(path, manifest, None, [], False, full.strerror or str(full))
        if audit is not None and not audit.flaws:
            manifest = msgspec.structs.replace(manifest, verified_ms=clock_ms())
            written(path, manifest)
        sound = audit is None or not audit.flaws
        gone = shelf.thinned(keep) if keep and sound and not file else []
        return BackupResult(path, manifest, audit, gone, bool(manifest.verified_ms) and _noted(url, now))


def proven(backup: Path, url: str, now_ms: int, workers: int = 0) -> AuditResult:
    """Unpack a backup where nobody sees it, and look through every live game.

    Raises as `backups.unpacked`.
    """
    with unpacked(backup, url, trial=backup.parent) as scratch:
        return audited(scratch.url, now_ms, workers)


def _noted(url: str, now_ms: int) -> bool:
    """Write down in the live database when this was; False where that can't be: before an upgrade it is an
    older database.
    """
    try:
        store = Store.open(url, guest=True)
    except (WrongDatabase, OSError):
        return False
    try:
        store.write_now(lambda tx: tx.put(Heartbeat, name=HEARTBEAT, at_ms=now_ms))
    except OSError:
        return False
    finally:
        store.close_now()
    return True
