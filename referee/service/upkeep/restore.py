"""A backup in its place: unpacked where nobody sees it, looked through, made fit for those who remember more
than it does, and put there.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from referee.store import Store
from referee.store.backups import Manifest, unpacked
from referee.text import Words

from ..core.settings import ServiceSettings
from ..core.unit_of_work import StateCache, UnitOfWork
from .after_restore import RestoreFollowUp, settled
from .workers import AuditResult, audited


class RestoreResult(NamedTuple):
    """What was put in place, what the audit found (where it found something and was not overruled, nothing
    was put anywhere), and where what had been there is now ("": nothing had).
    """

    manifest: Manifest
    audit: AuditResult
    aftermath: RestoreFollowUp | None
    aside: str


def restored(
    backup: Path,
    url: str,
    clock_ms: Callable[[], int],
    settings: ServiceSettings,
    *,
    aside: bool = False,
    flawed: bool = False,
    workers: int = 0,
) -> RestoreResult:
    """Put a backup in the place of the database at `url`.

    `aside`: what is there is moved, not refused; `flawed`: also where games have flaws.

    Blocks. Until the very end, and where anything is raised, the place is as it was. Raises BadBackup,
    OccupiedDatabase, another WrongDatabase, StoreBusy when a referee has it open, StoreFull, ValueError.
    """
    with unpacked(backup, url) as scratch:
        scratch.free(aside=aside)
        audit = audited(scratch.url, clock_ms(), workers)
        if audit.flaws and not flawed:
            return RestoreResult(scratch.manifest, audit, None, "")
        now = clock_ms()
        store = Store.open(scratch.url)
        try:
            aftermath = store.write_now(
                lambda tx: settled(
                    UnitOfWork(tx, now, Words(()), settings, StateCache(1)), scratch.manifest.made_ms
                )
            )
        finally:
            store.close_now()
        moved = scratch.settle(
            datetime.fromtimestamp(now / 1000, UTC).strftime("%Y%m%dT%H%M%SZ").lower(), aside=aside
        )
        return RestoreResult(scratch.manifest, audit, aftermath, moved)
