"""How long a game may take at most under its policy.

Counted so that no calendar, no time zone and no player can beat it, and therefore far from what games really
take. Not in it: our own outages and what an admin gives on top (both are added), and the gathering before the
first round.
"""

from __future__ import annotations

from .policy import DAY_MS, HOUR_MS, Policy, ms

#: answers of one seat that the table waits for in a round, one after the other
ANSWERS = 12
#: a deadline is acted upon so much late at most
LATE_MS = 60_000
#: clocks go forward or back by so much at most (Antarctica/Troll)
_SUMMER_MS = 2 * HOUR_MS


def _pace(policy: Policy) -> tuple[int, int]:
    """A period of the calendar (milliseconds), and how long every clock runs in it at least."""
    days = len(policy.days)
    if days == 7 and not policy.quiet_most_hours:
        return 1, 1
    a_day = DAY_MS - _SUMMER_MS - (ms(policy.quiet_most_hours) + _SUMMER_MS if policy.quiet_most_hours else 0)
    return (DAY_MS + _SUMMER_MS, a_day) if days == 7 else (7 * DAY_MS + _SUMMER_MS, days * a_day)


def wall_ms(policy: Policy, running: int) -> int:
    """In so much wall time every clock runs longer than `running` (both milliseconds), wherever it starts."""
    period, runs = _pace(policy)
    return running + 1 if period == runs else ((running + runs) // runs + 1) * period


def answer_ms(policy: Policy) -> int:
    """The longest that one answer may take, vacations and the like apart."""
    most = ms(policy.move_hours)
    if policy.bank_hours:
        most = min(most, ms(policy.grace_hours) + ms(policy.bank_hours))
    longest = wall_ms(policy, most)
    if policy.snap_hour is not None:
        longest += (1 if len(policy.days) == 7 else 8) * DAY_MS + _SUMMER_MS + wall_ms(policy, 0)
    return max(longest, ms(policy.plan_delay_hours)) + LATE_MS


def bound_ms(policy: Policy, players: int, rounds: int, answers: int = ANSWERS, newcomers: int = 0) -> int:
    """The longest a game of that many rounds may take.

    `answers`: how often each seat is waited for in a round at most; `newcomers`: how often somebody took a
    seat over, with a vacation of their own (at most once a round and seat: before that there is a miss).
    """
    still = (players + newcomers) * (
        policy.vacation_days * DAY_MS + ms(policy.unreachable_hours)
    ) + policy.pause_days * DAY_MS
    return players * rounds * answers * (answer_ms(policy) + _pace(policy)[0]) + wall_ms(policy, still)
