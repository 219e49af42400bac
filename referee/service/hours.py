"""Deadlines as rows: one to remind, one to answer, for each question that waits.

A row is claimed by setting `done_ms` where it is still 0, in the transaction that acts on it:
a deadline fires once, however many bells ring for it.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from referee.rules import Ask
from referee.store import Deadline, Game

from .sitting import Sitting, settings_of

HOUR_MS = 3_600_000


def running(sitting: Sitting, game_id: int | None) -> list[Deadline]:
    """The clocks of a table that run now."""
    return sitting.tx.all(Deadline, game_id=game_id, done_ms=0)


def open_due(clocks: Sequence[Deadline], seat: int | None) -> int:
    """When the seat's open question falls due, 0 if none is open."""
    return next((row.due_ms for row in clocks if row.seat == seat and row.kind == "answer"), 0)


def ask(sitting: Sitting, game: Game, waiting: Sequence[Ask], clocks: Sequence[Deadline], *, due_ms: int = 0) -> None:
    """Start the clocks of the questions that wait and stop all others of this table; `clocks` are those that run."""
    tx = sitting.tx
    assert game.id is not None
    wanted = {a.seat: a.number for a in waiting}
    table = settings_of(game)
    due = due_ms or sitting.now_ms + round(float(table["hours"]) * HOUR_MS)
    remind = due - round(float(table["reminder_hours"]) * HOUR_MS)
    idle = tuple(int(row.id or 0) for row in clocks if row.seat not in wanted)
    if idle:
        tx.change(Deadline, {"id": idle}, done_ms=sitting.now_ms)
    known = {(row.seat, row.kind): row for row in clocks}
    begun: list[dict[str, Any]] = []
    moved: dict[int | str, dict[str, Any]] = {}
    for seat, question in wanted.items():
        for kind, at in (("remind", remind), ("answer", due)):
            if kind == "remind" and at <= sitting.now_ms:
                continue
            old = known.get((seat, kind))
            if old is None:
                begun.append({"game_id": game.id, "seat": seat, "question": question, "kind": kind, "due_ms": at})
            elif old.question != question or due_ms:
                moved[int(old.id or 0)] = {"question": question, "due_ms": at}
    tx.add_all(Deadline, begun)
    tx.set_all(Deadline, moved)
    sitting.wakes.add("clock")


def claim(sitting: Sitting, row: Deadline) -> bool:
    """Take a due row for this transaction; False when somebody was quicker."""
    return sitting.tx.change(Deadline, {"id": row.id, "done_ms": 0}, done_ms=sitting.now_ms) == 1


def stop(sitting: Sitting, game_id: int) -> None:
    """Stop every clock of a table."""
    sitting.tx.change(Deadline, {"game_id": game_id, "done_ms": 0}, done_ms=sitting.now_ms)
