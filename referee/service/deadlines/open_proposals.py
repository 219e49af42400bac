"""Proposals that nobody needs any more: what they asked for was done otherwise, or the table is no longer
played at.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from referee.ids import DeadlineId, GameId, ProposalId
from referee.policy import Span, within
from referee.states import DeadlineKind, ProposalState
from referee.store import Deadline, Game, Proposal

from ..core.unit_of_work import UnitOfWork
from . import clock_state


def moot(uow: UnitOfWork, game_id: GameId | None) -> None:
    """Close what is open at a table without a word."""
    for row in uow.tx.all(Proposal, game_id=game_id, state=ProposalState.OPEN):
        shut(uow, row, ProposalState.MOOT)


def done_otherwise(uow: UnitOfWork, game_id: GameId, act: str, facts: Mapping[str, Any]) -> None:
    """Close what asks for an act that is done now, without a word; the same about another player is not."""
    for row in uow.tx.all(Proposal, game_id=game_id, act=act, state=ProposalState.OPEN):
        if json.loads(row.facts).get("player") == facts.get("player"):
            shut(uow, row, ProposalState.MOOT)


def shut(uow: UnitOfWork, row: Proposal, state: ProposalState) -> None:
    """Nobody can vote on it any more."""
    uow.tx.set(Proposal, row.id, state=state, closed_ms=uow.now_ms)
    uow.tx.change(
        Deadline,
        {"game_id": row.game_id, "kind": DeadlineKind.VOTE, "question": row.id, "done_ms": 0},
        done_ms=uow.now_ms,
    )


def extend_proposals(uow: UnitOfWork, since_ms: int) -> int:
    """Silence while we could not be reached is no yes: what was still open then lasts so much longer.

    How many deadlines moved.
    """
    _no_later(uow)
    rows = _due_after(uow, since_ms)
    for row in rows:
        vote = uow.tx.get(Proposal, ProposalId(row.question)) if row.kind == DeadlineKind.VOTE else None
        # it may have begun meanwhile
        since = since_ms if vote is None else min(uow.now_ms, max(since_ms, vote.at_ms))
        _move(uow, row, Span(since, uow.now_ms), 1)
    return len(rows)


def take_back(uow: UnitOfWork, never: Sequence[Span]) -> None:
    """The same the other way round, for time that never was."""
    right = _no_later(uow)
    for gone in never:
        for row in _due_after(uow, gone.end):
            if row.id not in right:
                _move(uow, row, gone, -1)


def _no_later(uow: UnitOfWork) -> set[DeadlineId]:
    """A vote that began by a clock that was ahead begins now, and is as long; the rows of those."""
    moved: set[DeadlineId] = set()
    for row in _due_after(uow, uow.now_ms):
        vote = uow.tx.get(Proposal, ProposalId(row.question)) if row.kind == DeadlineKind.VOTE else None
        if vote is not None and vote.at_ms > uow.now_ms:
            due = row.due_ms - (vote.at_ms - uow.now_ms)
            uow.tx.set(Proposal, vote.id, at_ms=uow.now_ms, due_ms=due)
            uow.tx.set(Deadline, row.id, due_ms=due)
            moved.add(row.id)
    return moved


def _due_after(uow: UnitOfWork, at_ms: int) -> list[Deadline]:
    found = uow.tx.all(Deadline, kind=(DeadlineKind.VOTE, DeadlineKind.GATHER), done_ms=0)
    return [row for row in found if row.due_ms > at_ms]


def _move(uow: UnitOfWork, row: Deadline, gone: Span, sign: int) -> None:
    """By the length of a time, on or back; what of it lies in a pause of its season moves it by itself."""
    game = uow.tx.get(Game, row.game_id)
    held = [] if game is None else [Span(*one) for one in clock_state.read_clocks(game).held]
    due = row.due_ms + sign * (gone.end - gone.start - within(held, gone.start, gone.end))
    uow.tx.set(Deadline, row.id, due_ms=due)
    if row.kind == DeadlineKind.VOTE:
        uow.tx.change(Proposal, {"id": ProposalId(row.question)}, due_ms=due)
