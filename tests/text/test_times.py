"""Moments and lengths of time."""

from __future__ import annotations

import pytest

from referee.text.rendering import times

HOUR = 3_600_000


@pytest.mark.parametrize(
    ("hours", "said"),
    [
        (24, "24h"),
        (1, "1h"),
        (2, "2h"),
        (0.5, "30m"),
        (1.5, "90m"),
        (36, "36h"),
        (48, "2 days"),
        (72, "3 days"),
        (168, "7 days"),
        (720, "30 days"),
        (1 / 60, "1m"),
        (2.5, "2.5h"),
    ],
)
def test_span(hours: float, said: str) -> None:
    assert times.span(hours, "en") == said


@pytest.mark.parametrize(
    ("hours", "said"), [(24, "24h"), (0.5, "30 min"), (48, "2 dias"), (2.5, "2,5h"), (1 / 60, "1 min")]
)
def test_span_in_portuguese(hours: float, said: str) -> None:
    assert times.span(hours, "pt_BR") == said


@pytest.mark.parametrize(
    ("ms", "said"),
    [
        (23 * HOUR, "in 23 hours"),
        (47 * HOUR, "in 47 hours"),
        (48 * HOUR, "in 2 days"),
        (HOUR, "in 60 minutes"),
        (HOUR // 60, "in 1 minute"),
        (0, "in 1 minute"),
        (90 * HOUR // 60, "in 90 minutes"),
    ],
)
def test_left(ms: int, said: str) -> None:
    assert times.left(ms, "en") == said


@pytest.mark.parametrize(
    ("zone", "said"),
    [
        ("UTC", "Sun 25 Oct 00:30"),
        ("Europe/Lisbon", "Sun 25 Oct 01:30"),
        ("America/Sao_Paulo", "Sat 24 Oct 21:30"),
        ("Asia/Kolkata", "Sun 25 Oct 06:00"),
        ("Mars/Olympus", "Sun 25 Oct 00:30"),
    ],
)
def test_when(zone: str, said: str) -> None:
    assert times.when(1_792_888_200_000, zone, "en", "EEE d MMM HH:mm") == said


def test_the_hour_that_comes_twice() -> None:
    """The night clocks go back, an hour apart is two different moments with the same name."""
    first = times.when(1_792_888_200_000, "Europe/Lisbon", "en", "HH:mm")
    second = times.when(1_792_888_200_000 + HOUR, "Europe/Lisbon", "en", "HH:mm")
    assert first == second == "01:30"


def test_city() -> None:
    assert times.city("America/Argentina/Buenos_Aires") == "Buenos Aires"
    assert times.city("America/Sao_Paulo", "pt_BR") == "São Paulo"
    assert times.city("Europe/Lisbon", "pt_BR") == "Lisboa"
    assert times.city("Mars/Olympus_Mons", "pt_BR") == "Olympus Mons"


def test_weekdays() -> None:
    assert times.weekdays("Mo-Fr,Su", "pt_BR") == "seg–sex, dom"
    assert times.weekdays("Sa", "en") == "Sat"


def test_moments_in_portuguese() -> None:
    assert (
        times.when(1_792_888_200_000, "America/Sao_Paulo", "pt_BR", "EEE, d 'de' MMM, HH:mm")
        == "sáb., 24 de out., 21:30"
    )
    assert times.left(23 * HOUR, "pt_BR") == "em 23 horas"
    assert times.city("UTC") == "UTC"
