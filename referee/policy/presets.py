"""Policies by name: gentle, daily, brisk, live.

gentle   two days an answer, for people who play beside a full life
daily    a day an answer, for people who look in the morning and in the evening
brisk    half a day an answer, for people who look several times a day
live     minutes: everybody sits at the table at once, and no night interrupts it
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from .policy import Policy, Quiet, whole

DAILY = Policy()

PRESETS: Mapping[str, Policy] = MappingProxyType(
    {
        "gentle": Policy(
            move_hours=48,
            grace_hours=24,
            bank_hours=120,
            bank_credit_hours=12,
            vacation_days=21,
            vacation_reserve_hours=24,
            misses_excused=2,
            probation_after=3,
            replace_after=5,
            alternate_hours=48,
            unreachable_hours=48,
            pause_days=28,
        ),
        "daily": DAILY,
        "brisk": Policy(
            move_hours=12,
            grace_hours=6,
            bank_hours=36,
            bank_credit_hours=2,
            quiet=Quiet(23, 7),
            quiet_most_hours=9,
            vacation_days=4,
            vacation_reserve_hours=3,
            alternate_hours=12,
            unreachable_hours=12,
            pause_days=7,
        ),
        "live": Policy(
            move_hours=1 / 6,
            grace_hours=1 / 20,
            bank_hours=1 / 3,
            bank_credit_hours=1 / 60,
            quiet=None,
            quiet_most_hours=0,
            remind_at=(0.5, 0.2),
            vacation_days=0,
            vacation_reserve_hours=0,
            misses_excused=0,
            probation_after=1,
            replace_after=2,
            alternate_hours=1 / 6,
            unreachable_hours=1 / 6,
            pause_days=1,
            plan_delay_hours=0,
        ),
    }
)


def named(policy: Policy) -> str:
    """The name of the preset that this policy is, "" for one of its own."""
    return next((name for name, preset in PRESETS.items() if preset == policy), "")


def scaled(policy: Policy, move_hours: float) -> Policy:
    """The same policy with another time for an answer, the free part, the bank, its credit and the reserve in
    proportion.
    """
    if policy.move_hours <= 0 or whole(move_hours) == policy.move_hours:
        return policy
    share = move_hours / policy.move_hours
    grace = (
        min(move_hours, max(1 / 60, policy.grace_hours * share)) if policy.bank_hours else policy.grace_hours
    )
    bank = max(1 / 60, policy.bank_hours * share) if policy.bank_hours else 0
    return replace(
        policy,
        move_hours=move_hours,
        grace_hours=grace,
        bank_hours=bank,
        bank_credit_hours=min(bank, policy.bank_credit_hours * share),
        vacation_reserve_hours=min(bank, policy.vacation_reserve_hours * share),
        plan_delay_hours=min(move_hours, policy.plan_delay_hours),
    )


def filled(preset: Policy, said: Mapping[str, Any]) -> Policy:
    """A preset with what somebody said about it (fields of `Policy`): what was not said follows from that
    where it must.

    Another time for an answer brings its free part, bank, credit and reserve along; no bank has no credit; a
    smaller bank no greater credit or reserve; quiet hours where there were none are allowed as long as they
    are.
    """
    made = scaled(preset, said["move_hours"]) if said.get("move_hours", 0) > 0 else preset
    made = replace(made, **said)
    follows: dict[str, Any] = {}
    for name in ("bank_credit_hours", "vacation_reserve_hours"):
        if name not in said and getattr(made, name) > made.bank_hours:
            follows[name] = made.bank_hours
    if "quiet_most_hours" not in said and made.quiet is not None and not made.quiet_most_hours:
        follows["quiet_most_hours"] = min(16.0, made.quiet.hours)
    if "quiet" not in said and made.quiet is not None and made.quiet.hours > made.quiet_most_hours:
        follows["quiet"] = None
    return replace(made, **follows)
