"""Plans answer after their delay, also while deadlines are held: their players filed them."""

from __future__ import annotations

from referee.states import DeadlineKind

from ..core.due import SET_BACK, due
from . import run_plan

# the log does not tell who plans: anyone who reads it may play, too
due(DeadlineKind.PLAN, while_asked=True, always=True)(run_plan.run_due_plan)
SET_BACK.add("plans", run_plan.put_right, __name__)
