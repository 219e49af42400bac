"""Deadlines of a table as a whole, told apart from those of a question: votes, and pauses that last too
long.
"""

from __future__ import annotations

from ..core.due import GIVEN_BACK, due
from ..deadlines import open_proposals
from . import pause, votes

due("vote")(votes.time_over)
due("pause")(pause.spent)
GIVEN_BACK.add("proposals", open_proposals.given_back, __name__)
