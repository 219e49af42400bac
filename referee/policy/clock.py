"""The clock of one seat and one question: when it runs, when it falls due, what it costs the bank.

All moments are epoch milliseconds. A clock stands still on days off, in quiet hours, on vacation, while no
letter reaches the player, in a pause, and while the referee itself was away; whatever stands still is simply
not counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .days import next_hour, off_spans, quiet_spans
from .policy import DAY_MS, Policy, Quiet, ms
from .spans import OPEN, Span, capped, joined


@dataclass(frozen=True, slots=True)
class Clock:
    """What is known of a seat that is asked.

    `delivered_ms`: when the question reached it. `bank_ms`: what was left of its bank then. `zone` and
    `quiet` are the player's own (`quiet` the policy's where the player set none; None: never quiet). The
    spans are all those of this game, past ones too: `vacations`, `unreachable` (only the first counts),
    `paused`, `frozen` (our outages, tables that an admin must look at, holidays) and `held` (pauses of a
    whole season, in which no vacation is used up). `vacation_spent_ms`: vacation
    of this season taken in other games. `extra_ms`: what an admin or the table gave on top.
    """

    delivered_ms: int
    bank_ms: int
    zone: str = "UTC"
    quiet: Quiet | None = None
    vacations: tuple[Span, ...] = ()
    unreachable: tuple[Span, ...] = ()
    paused: tuple[Span, ...] = ()
    frozen: tuple[Span, ...] = ()
    held: tuple[Span, ...] = ()
    vacation_spent_ms: int = 0
    extra_ms: int = 0


def started(policy: Policy, delivered_ms: int, zone: str = "UTC") -> Clock:
    """The clock of a first question: a full bank, the quiet hours of the policy."""
    return Clock(delivered_ms, ms(policy.bank_hours), zone, policy.quiet)


def counted(policy: Policy, clock: Clock) -> Iterator[Span]:
    """The spans of the clock as far as the policy lets them count."""
    yield from clock.frozen
    yield from clock.held
    yield from capped(clock.paused, policy.pause_days * DAY_MS)
    yield from capped(clock.vacations, policy.vacation_days * DAY_MS - clock.vacation_spent_ms)
    yield from capped(sorted(clock.unreachable)[:1], ms(policy.unreachable_hours))


def standing(policy: Policy, clock: Clock, since: int) -> Iterator[Span]:
    """When this clock stands still, from `since` on: whole spans in order, neither touching nor overlapping.

    Endless where there are quiet hours or days off.
    """
    streams: list[Iterator[Span]] = []  # only what there is: most clocks know nothing but nights
    if clock.frozen or clock.held or clock.paused or clock.vacations or clock.unreachable:
        streams.append(iter(sorted(counted(policy, clock))))
    if clock.quiet is not None:
        streams.append(quiet_spans(clock.quiet, policy.quiet_most_hours, clock.zone, since))
    if len(policy.days) < 7:
        streams.append(off_spans(policy.days, policy.zone, since))
    return joined(streams, since)


def running_ms(policy: Policy, clock: Clock, start: int, end: int) -> int:
    """How long the clock runs between two moments."""
    total = max(0, end - start)
    for one in standing(policy, clock, start):
        if one.start >= end:
            break
        total -= min(one.end, end) - max(one.start, start)
    return total


def after(policy: Policy, clock: Clock, start: int, amount_ms: int) -> int | None:
    """The first moment at which the clock runs and has run so long since `start`; None if it stands still
    without an end in sight.
    """
    at, left = start, amount_ms
    for one in standing(policy, clock, start):
        if one.start > at:
            if one.start - at > left:
                break
            left -= one.start - at
        at = max(at, one.end)
        if at >= OPEN:
            return None
    return at + left


def allowance_ms(policy: Policy, clock: Clock) -> int:
    """The running time that there is for this answer: the free part and the bank, together never more than a
    move may take.
    """
    whole = ms(policy.move_hours)
    if policy.bank_hours:
        whole = min(whole, ms(policy.grace_hours) + max(0, clock.bank_ms))
    return whole + clock.extra_ms


def due_ms(policy: Policy, clock: Clock) -> int | None:
    """When the answer is due: once the allowance has run, then at the next hour to which the table's
    deadlines snap, and never while the clock stands still. None while that can't be told (the table is
    frozen).
    """
    due = after(policy, clock, clock.delivered_ms, allowance_ms(policy, clock))
    if due is None or policy.snap_hour is None:
        return due
    return after(policy, clock, next_hour(policy.snap_hour, policy.days, policy.zone, due), 0)


def reminders(policy: Policy, clock: Clock, due: int | None = None) -> tuple[int, ...]:
    """When to remind, in order: before the deadline, never before the delivery, never while the clock stands
    still. `due`: the deadline, where it is known already.
    """
    due = due_ms(policy, clock) if due is None else due
    if due is None:
        return ()
    whole = running_ms(policy, clock, clock.delivered_ms, due)
    times = (
        after(policy, clock, clock.delivered_ms, whole - round(whole * share)) for share in policy.remind_at
    )
    return tuple(sorted({at for at in times if at is not None}))


def spend(policy: Policy, clock: Clock, answered_ms: int, *, missed: bool = False) -> int:
    """What is left of the bank after an answer at that moment: first the free part, then the bank; an answer
    brings its credit, never above the start, a missed one brings none.
    """
    start = ms(policy.bank_hours)
    used = (
        running_ms(policy, clock, clock.delivered_ms, answered_ms) - ms(policy.grace_hours) - clock.extra_ms
    )
    left = clock.bank_ms - min(
        max(0, used), max(0, clock.bank_ms), max(0, ms(policy.move_hours) - ms(policy.grace_hours))
    )
    return max(0, min(start, left + (0 if missed else ms(policy.bank_credit_hours))))


def plan_ms(policy: Policy, clock: Clock, share: float) -> int:
    """When a plan answers: `share` (0 to 1, drawn by chance) of the longest delay after the question came, so
    that no instant tells of a plan.
    """
    return clock.delivered_ms + round(ms(policy.plan_delay_hours) * min(1.0, max(0.0, share)))


def offer_due_ms(policy: Policy, clock: Clock) -> int | None:
    """Until when an alternate, asked at `delivered_ms`, may take the seat; in their own quiet hours that
    clock stands still too.
    """
    return after(policy, clock, clock.delivered_ms, ms(policy.alternate_hours))
