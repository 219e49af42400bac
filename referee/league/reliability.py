"""How far somebody can be relied on, from what the referee counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Counts:
    """`answers`: questions answered by themselves or their plans; `misses`: those the clock answered; `games`
    played to the end and `abandoned`; `times_ms`: how long their answers took (milliseconds, as far as
    known).
    """

    answers: int = 0
    misses: int = 0
    games: int = 0
    abandoned: int = 0
    times_ms: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class Reliability:
    """`in_time`: share of the questions answered in time (None before the first); `median_ms`, `slow_ms`:
    half and nine tenths of the answers took no longer (None if none is known); `finished`: share of the games
    not abandoned (None before the first).
    """

    in_time: Fraction | None
    finished: Fraction | None
    median_ms: int | None
    slow_ms: int | None
    questions: int


@dataclass(frozen=True, slots=True)
class Threshold:
    """What counts as reliable: at least `in_time` percent answered, at least `finished` percent of the games
    not abandoned, and that many `questions` at least; anyone who has had fewer is new, not unreliable.
    """

    in_time: int = 90
    finished: int = 90
    questions: int = 10


def percentile(sorted_ms: Sequence[int], percent: int) -> int | None:
    """The smallest time that that many percent of the times do not exceed; None if there is none."""
    return sorted_ms[max(0, -(-len(sorted_ms) * percent // 100) - 1)] if sorted_ms else None


def reliability(counts: Counts) -> Reliability:
    """The shares and times of one person."""
    asked, games = counts.answers + counts.misses, counts.games + counts.abandoned
    times = sorted(counts.times_ms)
    return Reliability(
        Fraction(counts.answers, asked) if asked else None,
        Fraction(counts.games, games) if games else None,
        percentile(times, 50),
        percentile(times, 90),
        asked,
    )


def reliable(one: Reliability, threshold: Threshold = Threshold()) -> bool | None:
    """Whether they keep the threshold; None while too little is known."""
    if (
        one.finished is not None
        and one.finished * 100 < threshold.finished
        and one.questions >= threshold.questions
    ):
        return False
    if one.questions < threshold.questions or one.in_time is None:
        return None
    return one.in_time * 100 >= threshold.in_time
