"""Deadlines of a table as a whole, told apart from those of a question: votes, and pauses that last too
long.
"""

from __future__ import annotations

from referee.states import DeadlineKind

from ..core.due import GIVEN_BACK, SET_BACK, due
from ..deadlines import open_proposals
from . import pause, votes

due(DeadlineKind.VOTE)(votes.time_over)
due(DeadlineKind.PAUSE)(pause.spent)
GIVEN_BACK.add("proposals", open_proposals.extend_proposals, __name__)
SET_BACK.add("proposals", open_proposals.take_back, __name__)
