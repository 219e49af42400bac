"""By which policy tables are played that were made before there were policies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.policy import Policy

#: what they never reach
_NEVER = 1_000_000


def old_policy(table: Mapping[str, Any]) -> Policy:
    """That of a table with these settings: it keeps its hours."""
    hours = float(table["hours"])
    share = float(table.get("reminder_hours", 0)) / hours
    return Policy(
        move_hours=hours,
        grace_hours=hours,
        bank_hours=0,
        bank_credit_hours=0,
        quiet=None,
        quiet_most_hours=0,
        remind_at=(share,) if 0 < share < 1 else (),
        vacation_days=0,
        vacation_reserve_hours=0,
        misses_excused=0,
        probation_after=_NEVER,
        replace_after=_NEVER,
        first_round_miss=False,
        unreachable_hours=0,
        plan_delay_hours=0,
    )
