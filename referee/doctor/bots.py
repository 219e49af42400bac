"""Bots that think: how many questions wait for one?"""

from __future__ import annotations

import time

from referee.ports import Finding
from referee.service.deadlines import bot_questions
from referee.store import Deadline, Tx

#: a queue in which somebody waits for longer than this is too long, seconds
LONG_S = 120


def bots(tx: Tx) -> list[Finding]:
    """One finding where questions wait."""
    rows = tx.all(Deadline, kind=bot_questions.OF_THINKERS, done_ms=0)
    if not rows:
        return []
    since_ms = min(row.due_ms for row in rows) - bot_questions.PATIENCE_MS
    seconds = max(0, time.time_ns() // 1_000_000 - since_ms) // 1000
    return [Finding("warn" if seconds > LONG_S else "ok", "bots", {"count": len(rows), "seconds": seconds})]
