"""What a question that waits sets in motion: reminders, a vacation that begins by itself, the deadline."""

from __future__ import annotations

from typing import NamedTuple

from .clock import Clock, due_ms, reminders, running_ms
from .days import quiet_spans
from .policy import Policy, Quiet
from .spans import covered
from .vacation import vacation_ms


class ScheduledEvent(NamedTuple):
    """At `at_ms` the clock rings: `kind` is "remind", "vacation" (it begins unless there was an answer) or
    "answer" (time is up).
    """

    at_ms: int
    kind: str


def agenda(policy: Policy, clock: Clock) -> tuple[ScheduledEvent, ...]:
    """All that will ring for this question, in order; () while the clock stands still without an end in
    sight. To be made anew whenever the clock changes: time was given back, a vacation began or ended. What
    already rang is in it, too.
    """
    due = due_ms(policy, clock)
    if due is None:
        return ()
    begins = vacation_ms(policy, clock)
    vacation = () if begins is None or begins > due else (ScheduledEvent(begins, "vacation"),)
    last = due if not vacation else vacation[0].at_ms
    return (
        *(ScheduledEvent(at, "remind") for at in reminders(policy, clock, due) if at < last),
        *vacation,
        ScheduledEvent(due, "answer"),
    )


def left_ms(policy: Policy, clock: Clock, now_ms: int) -> int | None:
    """How long the clock will run until the deadline; None where there is none in sight."""
    due = due_ms(policy, clock)
    return None if due is None else running_ms(policy, clock, max(now_ms, clock.delivered_ms), due)


def quiet_until(quiet: Quiet | None, zone: str, now_ms: int) -> int:
    """When something may ring for a player again: now, or when the quiet hours are over that it is now in
    (all of them, whatever the policy counts).
    """
    if quiet is None:
        return now_ms
    for one in quiet_spans(quiet, 24, zone, now_ms):
        if one.start > now_ms:
            break
        if covered((one,), now_ms):
            return one.end
    return now_ms
