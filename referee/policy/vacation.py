"""Vacation: days on which a seat's clock stands still, asked for or begun by themselves before the bank runs
dry.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from .checking import PolicyError
from .clock import Clock, after, running_ms
from .policy import DAY_MS, Policy, ms
from .spans import Span, capped, covered


def vacation_left_ms(policy: Policy, clock: Clock) -> int:
    """How much vacation the seat still has, what is already asked for taken off."""
    most = max(0, policy.vacation_days * DAY_MS - clock.vacation_spent_ms)
    return most - sum(one.end - one.start for one in capped(clock.vacations, most))


def vacation_ms(policy: Policy, clock: Clock) -> int | None:
    """When vacation begins by itself if nothing is answered before: with the last reserve of the bank.

    None where it won't: there is no bank or no vacation left, the move's own time ends first (that is a miss,
    and the bank has not run dry), or its player came back from one that began so late in this turn: the
    reserve is theirs to use then, and the days that are left stay theirs.
    """
    grace = ms(policy.grace_hours)
    if (
        not policy.bank_hours
        or vacation_left_ms(policy, clock) <= 0
        or grace + clock.bank_ms > ms(policy.move_hours)
    ):
        return None
    before = grace + clock.extra_ms + max(0, clock.bank_ms - ms(policy.vacation_reserve_hours))
    asked = clock.delivered_ms
    lately = (one.start for one in clock.vacations if one.start >= asked)
    if any(running_ms(policy, clock, asked, start) >= before for start in lately):
        return None
    return after(policy, clock, asked, before)


def begin_vacation(policy: Policy, clock: Clock, at_ms: int) -> Clock:
    """The clock with all vacation that is left, from now on; the same clock where there is none."""
    left = vacation_left_ms(policy, clock)
    return replace(clock, vacations=(*clock.vacations, Span(at_ms, at_ms + left))) if left > 0 else clock


def end_vacation(clock: Clock, now_ms: int) -> Clock:
    """The player is back: what was not used of a running vacation is theirs again; one that lies ahead
    stays, unless it is the rest of one that a pause has interrupted.
    """
    rest = {one.end for one in clock.held}
    kept = (
        Span(one.start, min(one.end, now_ms)) if one.start <= now_ms else one
        for one in clock.vacations
        if one.start <= now_ms or one.start not in rest
    )
    return replace(clock, vacations=tuple(one for one in kept if one.end > one.start))


def book_vacation(policy: Policy, clock: Clock, start_ms: int, end_ms: int, now_ms: int) -> Clock:
    """The clock with a vacation that was asked for.

    Raises PolicyError: `vacation-past`, `vacation-order`, `vacation-twice` (start_ms, end_ms),
    `vacation-long` (days, left: days).
    """
    if end_ms <= start_ms:
        raise PolicyError("vacation-order", start_ms=start_ms, end_ms=end_ms)
    if start_ms < now_ms:
        raise PolicyError("vacation-past", start_ms=start_ms, now_ms=now_ms)
    for one in clock.vacations:
        if covered((one,), start_ms) or start_ms <= one.start < end_ms:
            raise PolicyError("vacation-twice", start_ms=one.start, end_ms=one.end)
    left = vacation_left_ms(policy, clock)
    if end_ms - start_ms > left:
        raise PolicyError(
            "vacation-long", days=_days((end_ms - start_ms) / DAY_MS), left=_days(left / DAY_MS)
        )
    return replace(clock, vacations=(*clock.vacations, Span(start_ms, end_ms)))


def interrupted(vacations: Iterable[Span], held: Iterable[Span]) -> tuple[Span, ...]:
    """Vacations with the pauses of a season left out: what a pause interrupts goes on after it with the days
    that were left, and what would begin in a pause begins after it. Vacations that know of these pauses
    already stay as they are.
    """
    found = sorted(vacations)
    for pause in sorted(one for one in held if one.end > one.start):
        split: list[Span] = []
        for one in found:
            if one.start < pause.start < one.end:
                split += [
                    Span(one.start, pause.start),
                    Span(pause.end, pause.end + one.end - pause.start),
                ]
            elif pause.start <= one.start < pause.end:
                split.append(Span(pause.end, pause.end + one.end - one.start))
            else:
                split.append(one)
        found = _in_line(split)
    return tuple(found)


def _in_line(vacations: Iterable[Span]) -> list[Span]:
    """Vacations of which one goes on where another does are one, with the days of both."""
    found: list[Span] = []
    for one in sorted(vacations):
        if found and one.start < found[-1].end:
            found[-1] = Span(found[-1].start, found[-1].end + one.end - one.start)
        else:
            found.append(one)
    return found


def repaused(vacations: Iterable[Span], was: Span, now: Span) -> tuple[Span, ...]:
    """The same where a pause has another end than it had (`was`; of no length: there was none): what went on
    after it goes on after its new end.
    """
    later = now.end - was.end
    return interrupted(
        (
            Span(one.start + later, one.end + later) if one.start == was.end > was.start else one
            for one in vacations
        ),
        (now,),
    )


def spared(vacations: Iterable[Span], gone: Span) -> tuple[Span, ...]:
    """Vacations with an outage left out that is over just now: its days are the player's again, and a
    vacation that it did not outlast goes on with the days that were left.
    """
    found: list[Span] = []
    for one in sorted(vacations):
        if one.end <= gone.start or gone.end <= one.start:
            found.append(one)
            continue
        if one.start < gone.start:
            found.append(Span(one.start, gone.start))
        if gone.end < one.end:
            found.append(Span(gone.end, gone.end + one.end - max(one.start, gone.start)))
    return tuple(_in_line(found))


def _days(length: float) -> float:
    """A length as it is told: whole days without a fraction."""
    rounded = round(length, 1)
    return int(rounded) if rounded == int(rounded) else rounded
