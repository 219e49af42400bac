"""The last backup that was proven: is there one, and of when?"""

from __future__ import annotations

import time

from referee.ports import Finding
from referee.service.upkeep.take_backup import HEARTBEAT
from referee.store import Game, Heartbeat, Tx

#: hours after which one is old: two nights
OLD_H = 50


def backups(tx: Tx) -> list[Finding]:
    """One finding; none where there is nothing yet that anybody would miss."""
    row = tx.get(Heartbeat, HEARTBEAT)
    if row is None:
        return [Finding("warn", "backup-none", {})] if tx.all(Game, limit=1) else []
    hours = max(0, time.time_ns() // 1_000_000 - row.at_ms) // 3_600_000
    return [
        Finding("warn", "backup-old", {"days": hours // 24})
        if hours > OLD_H
        else Finding("ok", "backup", {"hours": hours})
    ]
