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

from ..core.unit_of_work import ServiceSettings, Sitting, States
from .after_restore import Aftermath, settled
from .workers import Audit, audited


class Restored(NamedTuple):
    """What was put in place, what the audit found (where it found something and was not overruled, nothing
    was put anywhere), and where what had been there is now ("": nothing had).
    """

    manifest: Manifest
    audit: Audit
    aftermath: Aftermath | None
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
) -> Restored:
    """Put a backup in the place of the book at `url`.

    `aside`: what is there is moved, not refused; `flawed`: also where games have flaws.

    Blocks. Until the very end, and where anything is raised, the place is as it was. Raises BadBackup,
    OccupiedDatabase, another WrongDatabase, StoreBusy when a referee has it open, StoreFull, ValueError.
    """
    with unpacked(backup, url) as scratch:
        scratch.free(aside=aside)
        audit = audited(scratch.url, clock_ms(), workers)
        if audit.flaws and not flawed:
            return Restored(scratch.manifest, audit, None, "")
        now = clock_ms()
        store = Store.open(scratch.url)
        try:
            aftermath = store.write_now(
                lambda tx: settled(Sitting(tx, now, Words(()), settings, States(1)), scratch.manifest.made_ms)
            )
        finally:
            store.close_now()
        moved = scratch.settle(
            datetime.fromtimestamp(now / 1000, UTC).strftime("%Y%m%dT%H%M%SZ").lower(), aside=aside
        )
        return Restored(scratch.manifest, audit, aftermath, moved)
