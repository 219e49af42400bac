"""Policies: how long an answer may take, and what becomes of one that does not come.

Pure arithmetic over moments, time zones and plain rows: no store, no service, no clock of its own.

    PRESETS, Policy, check(policy), to_json, from_json     the row (Quiet: quiet hours)
    Clock, due_ms, reminders, spend, vacation_ms …         the clock of a seat and a question
    agenda(policy, clock)                                  all that will ring for it
    shift, undone, jumped, broken                          our own outages
    Standing, step                                         what a miss does to a seat
    bound_ms                                               how long a game may take at most

Words for all of it are read in referee.text.reading.policy and written in referee.text.rendering.policies.
"""

from .agenda import ScheduledEvent, agenda, left_ms, quiet_until
from .bounds import answer_ms, bound_ms, wall_ms
from .checking import PolicyError, check, check_quiet, faults, known_zone
from .clock import (
    Clock,
    after,
    allowance_ms,
    due_ms,
    offer_due_ms,
    plan_ms,
    reminders,
    running_ms,
    spend,
    standing,
    started,
)
from .mercy import Do, Event, Standing, Step, at_once, excused, step
from .outages import broken, enough_answers, jumped, shift, undone
from .policy import ALL_DAYS, DAY_MS, HOUR_MS, MODES, SCHEMA, Policy, Quiet, ms
from .presets import DAILY, PRESETS, filled, named, scaled
from .spans import OPEN, Span, before, joined, skipping, within
from .stored import from_json, to_json
from .vacation import (
    begin_vacation,
    book_vacation,
    end_vacation,
    interrupted,
    repaused,
    spared,
    vacation_left_ms,
    vacation_ms,
)

__all__ = [
    "ALL_DAYS",
    "DAILY",
    "DAY_MS",
    "HOUR_MS",
    "MODES",
    "OPEN",
    "PRESETS",
    "SCHEMA",
    "Clock",
    "Do",
    "Event",
    "Policy",
    "PolicyError",
    "Quiet",
    "ScheduledEvent",
    "Span",
    "Standing",
    "Step",
    "after",
    "agenda",
    "allowance_ms",
    "answer_ms",
    "at_once",
    "before",
    "begin_vacation",
    "book_vacation",
    "bound_ms",
    "broken",
    "check",
    "check_quiet",
    "due_ms",
    "end_vacation",
    "enough_answers",
    "excused",
    "faults",
    "filled",
    "from_json",
    "interrupted",
    "joined",
    "jumped",
    "known_zone",
    "left_ms",
    "ms",
    "named",
    "offer_due_ms",
    "plan_ms",
    "quiet_until",
    "reminders",
    "repaused",
    "running_ms",
    "scaled",
    "shift",
    "skipping",
    "spared",
    "spend",
    "standing",
    "started",
    "step",
    "to_json",
    "undone",
    "vacation_left_ms",
    "vacation_ms",
    "wall_ms",
    "within",
]
