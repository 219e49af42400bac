"""Whether a policy makes sense: each fault with what is wrong and what would be right."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from .policy import MODES, Policy, Quiet

#: field -> the least and the most it may be (hours, days or a count, as its name says)
BOUNDS: dict[str, tuple[float, float]] = {
    "move_hours": (1 / 60, 30 * 24),
    "grace_hours": (0, 30 * 24),
    "bank_hours": (0, 90 * 24),
    "bank_credit_hours": (0, 30 * 24),
    "quiet_most_hours": (0, 16),
    "vacation_days": (0, 60),
    "vacation_reserve_hours": (0, 90 * 24),
    "misses_excused": (0, 20),
    "probation_after": (1, 20),
    "replace_after": (1, 40),
    "alternate_hours": (1 / 60, 30 * 24),
    "unreachable_hours": (0, 14 * 24),
    "pause_days": (0, 90),
    "plan_delay_hours": (0, 1),
}


class PolicyError(Exception):
    """A policy that can't be played by.

    `code` names the sentence (table policy_faults of templates/), `facts` are what it needs: `field` is the
    name of a field of `Policy`, and mostly `value` what it is and `least`, `most` what it may be.
    """

    def __init__(self, code: str, **facts: Any) -> None:
        super().__init__(code, facts)
        self.code = code
        self.facts = facts


@cache
def _zones() -> frozenset[str]:
    """Those of this machine; looking them up reads a folder."""
    return frozenset(available_timezones())


#: no zone's name is longer
_LONGEST_ZONE = 64


def known_zone(zone: str) -> bool:
    """Whether this machine knows a time zone of that name."""
    return len(zone) <= _LONGEST_ZONE and _known_zone(zone)


@lru_cache(maxsize=1024)
def _known_zone(zone: str) -> bool:
    if zone not in _zones():
        return False
    try:
        ZoneInfo(zone)
    except (ValueError, OSError):  # listed, but its file is broken
        return False
    return True


def faults(policy: Policy) -> Iterator[PolicyError]:
    """Everything that is wrong with a policy, the plainest first."""
    wild = False
    for name, (least, most) in BOUNDS.items():
        value = getattr(policy, name)
        if not math.isfinite(value) or not least - 1e-9 <= value <= most + 1e-9:
            wild = True
            yield PolicyError("policy-range", field=name, value=value, least=least, most=most)
    if not policy.days or any(day not in range(7) for day in policy.days):
        yield PolicyError("policy-days", field="days")
    if not known_zone(policy.zone):
        yield PolicyError("policy-zone", field="zone", value=policy.zone)
    if policy.snap_hour is not None and not 0 <= policy.snap_hour < 24:
        yield PolicyError("policy-hour", field="snap_hour", value=policy.snap_hour)
    yield from quiet_faults(policy)
    for share in policy.remind_at:
        if not 0 < share < 1:
            yield PolicyError("policy-share", field="remind_at", value=share)
    if not wild:
        yield from _against_each_other(policy)
    if not (policy.caretaker or policy.bot):
        # the dull answer never builds: a table that everybody has left would stand for ever
        yield PolicyError("policy-endless", field="caretaker")


def quiet_faults(policy: Policy) -> Iterator[PolicyError]:
    """What is wrong with the quiet hours of a policy."""
    quiet = policy.quiet
    if quiet is None:
        return
    for hour in (quiet.start, quiet.end):
        if not 0 <= hour < 24:
            yield PolicyError("policy-hour", field="quiet", value=hour)
            return
    if quiet.mode not in MODES:
        yield PolicyError("policy-mode", field="quiet", value=quiet.mode, known=MODES)
    if quiet.hours > policy.quiet_most_hours + 1e-9:
        yield PolicyError("policy-quiet", field="quiet", value=quiet.hours, most=policy.quiet_most_hours)


def _against_each_other(policy: Policy) -> Iterator[PolicyError]:
    """Fields that are well by themselves but not together."""
    for small, large in (
        ("grace_hours", "move_hours"),
        ("bank_credit_hours", "bank_hours"),
        ("vacation_reserve_hours", "bank_hours"),
        ("plan_delay_hours", "move_hours"),
        ("probation_after", "replace_after"),
    ):
        if small == "vacation_reserve_hours" and not policy.vacation_days:
            continue
        if getattr(policy, small) > getattr(policy, large) and (policy.bank_hours or "bank" not in large):
            yield PolicyError(
                "policy-order",
                field=small,
                other=large,
                value=getattr(policy, small),
                most=getattr(policy, large),
            )
    if policy.misses_excused >= policy.probation_after:
        yield PolicyError(
            "policy-order",
            field="misses_excused",
            other="probation_after",
            value=policy.misses_excused,
            most=policy.probation_after - 1,
        )
    if policy.bank_hours and policy.grace_hours < 1 / 60:
        # an empty bank would leave no time at all
        yield PolicyError(
            "policy-range",
            field="grace_hours",
            value=policy.grace_hours,
            least=1 / 60,
            most=policy.move_hours,
        )


def check(policy: Policy) -> Policy:
    """The same policy.  Raises PolicyError with its first fault."""
    for fault in faults(policy):
        raise fault
    return policy


def check_quiet(policy: Policy, start: float, end: float, mode: str = "hold") -> None:
    """Whether a player at such a table may have these quiet hours.  Raises PolicyError."""
    for fault in quiet_faults(replace(policy, quiet=Quiet(start, end, mode))):
        raise fault
