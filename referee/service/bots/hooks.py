"""What the queue of thoughts tells those who asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from referee.ids import MoveNo
from referee.search.search import Compared, Judged
from referee.search.thinking import Thought
from referee.store import Deadline, Game, Tx

from ..core.hooks import Hook, Question
from ..core.unit_of_work import StateCache, UnitOfWork


class Decision(NamedTuple):
    """An order of a finished game that is to be judged, and what is to be thought about it."""

    no: MoveNo
    thought: Thought


def _none(tx: Tx, states: StateCache, now_ms: int, row: Deadline, effort: float) -> Decision | None:
    return None


def _no_more(uow: UnitOfWork, row: Deadline, decision: Decision | None, found: Compared | None) -> bool:
    return False


#: a hint for the seat and question of that row was thought about: the answers, the best first; none where
#: nobody could think
judged: Hook[[UnitOfWork, Game, Deadline, Sequence[Judged]]] = Hook("judged")
#: which decision the review of that row is to judge next, in the store's reader, whose states those are, and
#: with how much effort; None: it has judged all
to_judge: Question[[Tx, StateCache, int, Deadline, float], Decision | None] = Question("to judge", _none)
#: that was judged (no decision: there was none left; nothing found: nobody could think about it): whether
#: there is more
compared: Question[[UnitOfWork, Deadline, Decision | None, Compared | None], bool] = Question(
    "compared", _no_more
)
#: nobody can say what the review of that row is to judge next: why
broke: Hook[[UnitOfWork, Deadline, Exception]] = Hook("broke")
