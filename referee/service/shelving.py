"""Proposals that nobody needs any more: what they asked for was done otherwise, or the table is no longer played at."""
from __future__ import annotations

import json

from referee.store import Deadline, Proposal, Tx

from .sitting import Sitting, written


def moot(sitting: Sitting, game_id: int | None, act: str = "") -> None:
    """Close what is open at a table, all of it or one act, without a word."""
    for row in sitting.tx.all(Proposal, game_id=game_id, state="open"):
        if act in ("", row.act):
            shut(sitting, row, "moot")


def shut(sitting: Sitting, row: Proposal, state: str) -> None:
    """Nobody can vote on it any more."""
    sitting.tx.set(Proposal, row.id, state=state, closed_ms=sitting.now_ms)
    sitting.tx.change(Deadline, {"game_id": row.game_id, "kind": "vote", "question": row.id, "done_ms": 0}, done_ms=sitting.now_ms)


def given_back(sitting: Sitting, since_ms: int) -> int:
    """Silence while we could not be reached is no yes: what was still open then lasts so much longer.  How many deadlines moved."""
    later = sitting.now_ms - since_ms
    rows = [row for row in sitting.tx.all(Deadline, kind=("vote", "gather"), done_ms=0) if row.due_ms > since_ms]
    for row in rows:
        sitting.tx.set(Deadline, row.id, due_ms=row.due_ms + later)
        if row.kind == "vote":
            sitting.tx.set(Proposal, row.question, due_ms=row.due_ms + later)
    return len(rows)


def joined(tx: Tx, old: int, new: int) -> None:
    """Two persons turned out to be one: what the one proposed, the other can't second."""
    for row in tx.all(Proposal, state="open"):
        held = json.loads(row.held)
        if old in (row.person_id, *held):
            tx.set(Proposal, row.id, person_id=new if row.person_id == old else row.person_id,
                   held=written(list(dict.fromkeys(new if one == old else one for one in held))))
