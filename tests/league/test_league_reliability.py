"""Reliability."""

from __future__ import annotations

from fractions import Fraction

import pytest

from referee.league import Counts, Threshold, reliability, reliable


def test_shares_and_times() -> None:
    got = reliability(
        Counts(answers=18, misses=2, games=3, abandoned=1, times_ms=[9, 1, 2, 3, 4, 5, 6, 7, 8, 100])
    )
    assert (got.in_time, got.finished, got.median_ms, got.slow_ms, got.questions) == (
        Fraction(9, 10),
        Fraction(3, 4),
        5,
        9,
        20,
    )


def test_nothing_known() -> None:
    got = reliability(Counts())
    assert (got.in_time, got.finished, got.median_ms, got.slow_ms) == (None, None, None, None)
    assert reliable(got) is None
    assert reliability(Counts(times_ms=[7])).slow_ms == 7


@pytest.mark.parametrize(
    ("counts", "verdict"),
    [
        (Counts(answers=90, misses=10, games=9, abandoned=1), True),
        (Counts(answers=89, misses=11, games=9), False),
        (Counts(answers=5, misses=0), None),
        (Counts(answers=0, misses=9), None),
        (Counts(answers=0, misses=10), False),
        (Counts(answers=100, games=8, abandoned=1), False),
        (Counts(answers=10), True),
    ],
)
def test_who_is_reliable(counts: Counts, verdict: bool | None) -> None:
    assert reliable(reliability(counts)) is verdict


def test_a_threshold_of_ones_own() -> None:
    assert reliable(reliability(Counts(answers=1, misses=1)), Threshold(50, 0, 2)) is True
