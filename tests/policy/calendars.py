"""Policies, clocks and days of the year by chance, for the tests of the clock."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import strategies as st

from referee.policy import ALL_DAYS, HOUR_MS, PRESETS, Clock, Policy, Quiet, Span, ms

#: both halves of the world, half and quarter hours, summer time of half an hour and of two, midnights that
#: are skipped
ZONES = (
    "UTC",
    "Europe/Lisbon",
    "America/New_York",
    "America/Havana",
    "Australia/Lord_Howe",
    "Antarctica/Troll",
    "Asia/Kolkata",
    "Asia/Kathmandu",
    "Asia/Beirut",
    "Pacific/Chatham",
    "Pacific/Auckland",
    "America/Santiago",
    "Africa/Casablanca",
    "Pacific/Kiritimati",
)


def at(zone_hour: str) -> int:
    """Epoch milliseconds of "2026-10-24T20:00", in UTC."""
    return int(datetime.fromisoformat(zone_hour).replace(tzinfo=UTC).timestamp() * 1000)


def hours(least: float, most: float) -> st.SearchStrategy[float]:
    """Times to the minute."""
    return st.integers(round(least * 60), round(most * 60)).map(lambda minutes: minutes / 60)


@st.composite
def quiets(draw: st.DrawFn, most: float) -> Quiet | None:
    """Quiet hours that a policy with so many allows."""
    if most < 1 / 60 or draw(st.booleans()):
        return None
    start = draw(hours(0, 23.98))
    return Quiet(
        start, (start + draw(hours(1 / 60, most))) % 24, draw(st.sampled_from(("urgent", "hold", "digest")))
    )


@st.composite
def policies(draw: st.DrawFn) -> Policy:
    """Any policy that `check` lets pass."""
    if draw(st.integers(0, 5)) == 0:
        return draw(st.sampled_from(list(PRESETS.values())))
    move = draw(st.one_of(hours(1 / 60, 4), hours(4, 120), st.integers(1, 120).map(float)))
    bank = draw(st.one_of(st.just(0.0), hours(1 / 60, 200)))
    quiet_most = draw(st.sampled_from((0.0, 1.0, 9.0, 12.0, 16.0)))
    excused = draw(st.integers(0, 3))
    probation = draw(st.integers(excused + 1, 6))
    vacation = draw(st.sampled_from((0, 0, 3, 10)))
    caretaker = draw(st.booleans())
    return Policy(
        move_hours=move,
        grace_hours=draw(hours(1 / 60, move)),
        bank_hours=bank,
        bank_credit_hours=draw(hours(0, bank)) if bank else 0,
        days=draw(
            st.one_of(
                st.just(ALL_DAYS),
                st.sets(st.integers(0, 6), min_size=1).map(lambda days: tuple(sorted(days))),
            )
        ),
        zone=draw(st.sampled_from(ZONES)),
        snap_hour=draw(st.one_of(st.none(), hours(0, 23.98))),
        quiet=draw(quiets(quiet_most)),
        quiet_most_hours=quiet_most,
        remind_at=tuple(draw(st.lists(st.integers(1, 99).map(lambda n: n / 100), max_size=3, unique=True))),
        vacation_days=vacation,
        vacation_reserve_hours=draw(hours(0, min(bank, 24))) if bank else 0,
        misses_excused=excused,
        probation_after=probation,
        replace_after=draw(st.integers(probation, 9)),
        first_round_miss=draw(st.booleans()),
        alternate_hours=draw(hours(1 / 60, 100)),
        unreachable_hours=draw(hours(0, 48)),
        pause_days=draw(st.integers(0, 20)),
        plan_delay_hours=draw(hours(0, min(1, move))),
        caretaker=caretaker,
        bot=draw(st.booleans()) if caretaker else True,
    )


def moments() -> st.SearchStrategy[int]:
    """Any millisecond of three years."""
    return st.integers(at("2025-01-01T00:00"), at("2027-12-31T00:00"))


@st.composite
def spans(draw: st.DrawFn, around: int) -> tuple[Span, ...]:
    """A few spans within a month of a moment, in order."""
    out = []
    start = around + draw(st.integers(-100, 200)) * HOUR_MS
    for _ in range(draw(st.integers(0, 2))):
        end = start + draw(st.integers(1, 200 * 60)) * 60_000
        out.append(Span(start, end))
        start = end + draw(st.integers(1, 100)) * HOUR_MS
    return tuple(out)


@st.composite
def clocks(draw: st.DrawFn, policy: Policy) -> Clock:
    """A clock of a seat at a table with this policy."""
    delivered = draw(moments())
    return Clock(
        delivered,
        draw(st.integers(0, ms(policy.bank_hours))),
        draw(st.sampled_from(ZONES)),
        draw(quiets(policy.quiet_most_hours)),
        draw(spans(delivered)) if policy.vacation_days else (),
        draw(spans(delivered)),
        draw(spans(delivered)),
        draw(spans(delivered)),
    )


@st.composite
def tables(draw: st.DrawFn) -> tuple[Policy, Clock]:
    """A policy and a clock under it."""
    policy = draw(policies())
    return policy, draw(clocks(policy))
