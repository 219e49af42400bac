"""A backup from the first byte to the proof: taken beside a running referee, unpacked, looked through, and
the oldest thrown away.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import NamedTuple

import msgspec

from referee.policy import DAY_MS
from referee.store import Heartbeat, Store, StoreFull, WrongDatabase
from referee.store.backups import BackupFolder, BadBackup, Manifest, beside, taken, unpacked, written

from .workers import AuditResult, audited

log = logging.getLogger(__name__)
#: how a file of one's own ends
_FILES = (".db", ".dump", ".sqlite", ".backup", ".zst")
#: a difference that takes a larger part of the whole one is none
_WORTH = 0.5
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
    full_days: int = 0,
) -> BackupResult:
    """Make a backup of the database at `url`: in the folder `target`, where the newest `keep` stay (0: all),
    or (`target` ends like a file) there. In a folder it is only what differs from the last whole one, as long
    as that is younger than `full_days` days and the difference small.

    Where the audit finds something the backup stays, unproven, and nothing is thrown away; the newest that
    was proven never is. Raises BadBackup where what was written can't be restored, a WrongDatabase,
    StoreBusy, StoreFull, ValueError.
    """
    now, file = clock_ms(), target.suffix in _FILES and not target.is_dir()
    shelf = BackupFolder(target.parent if file else target)
    with nullcontext() if file else shelf.held():
        since = now - full_days * DAY_MS
        path, manifest = (target, taken(url, target, now)) if file else _shelved(shelf, url, now, since)
        try:
            audit = proven(path, url, now, workers) if verify else None
        except StoreFull as full:  # no room to try it: it is a backup all the same
            # else there would be less room each night
            gone = shelf.thinned(keep, now) if keep and not file else []
            return BackupResult(path, manifest, None, gone, False, full.strerror or str(full))
        if audit is not None and not audit.flaws:
            manifest = msgspec.structs.replace(manifest, verified_ms=clock_ms())
            written(path, manifest)
        sound = audit is None or not audit.flaws
        gone = shelf.thinned(keep, now) if keep and sound and not file else []
        return BackupResult(path, manifest, audit, gone, bool(manifest.verified_ms) and _noted(url, now))


def _shelved(shelf: BackupFolder, url: str, now: int, since_ms: int) -> tuple[Path, Manifest]:
    """What differs from the last whole backup; where that is old, damaged or of no use, a whole one."""
    base = shelf.base(since_ms, now, url)
    if base is not None:
        path = shelf.place(now, url, difference=True)
        try:
            manifest = taken(url, path, now, base)
        except BadBackup:  # a whole one needs no other
            log.exception("the backup %s is damaged", base)
        else:
            if manifest.size < base.stat().st_size * _WORTH:
                return path, manifest
            beside(path).unlink(missing_ok=True)
            path.unlink(missing_ok=True)
    path = shelf.place(now, url)
    return path, taken(url, path, now)


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
