"""What the queue of thoughts tells those who asked."""

from __future__ import annotations

from collections.abc import Sequence

from referee.search.search import Judged
from referee.store import Deadline, Game

from ..core.hooks import Hook
from ..core.unit_of_work import UnitOfWork

#: a hint for the seat and question of that row was thought about: the answers, the best first; none where
#: nobody could think
judged: Hook[[UnitOfWork, Game, Deadline, Sequence[Judged]]] = Hook("judged")
