"""`league pause …` as it is typed: for how long, until when, from when on; quoted days; help for one word."""

from __future__ import annotations

from typing import Any

import pytest

from referee.text import Intent, NotUnderstood, Words
from tests.text.test_league_words import NOW, at, read

NO_PAUSE = {"from_ms": 0, "until_ms": 0, "hours": 0.0, "why": ""}
UNDERSTOOD: list[tuple[str, str, int | None, dict[str, Any]]] = [
    ("pause until 7 Jan", "pause", None, {**NO_PAUSE, "until_ms": at("2027-01-07T23:59")}),
    ("Winter Cup pause for 10 days", "pause", 1, {**NO_PAUSE, "hours": 240.0}),
    (
        "pause winter c 10 days because of Christmas",
        "pause",
        1,
        {**NO_PAUSE, "hours": 240.0, "why": "of Christmas"},
    ),
    (
        "pause 24 Dec to 2 Jan",
        "pause",
        None,
        {**NO_PAUSE, "from_ms": at("2026-12-24T00:00"), "until_ms": at("2027-01-02T23:59")},
    ),
    (
        "winter c pause from 24 Dec 18:00 until 2 Jan 9:00",
        "pause",
        1,
        {**NO_PAUSE, "from_ms": at("2026-12-24T18:00"), "until_ms": at("2027-01-02T09:00")},
    ),
    ('pause until "7 Jan"', "pause", None, {**NO_PAUSE, "until_ms": at("2027-01-07T23:59")}),
    ('pause "10 days"', "pause", None, {**NO_PAUSE, "hours": 240.0}),
    (
        'open rounds 3 until "in 2 days" start "3 Dec 18:30"',
        "open",
        None,
        {"closes_ms": NOW + 48 * 3_600_000, "starts_ms": at("2026-12-03T18:30"), "settings": {"rounds": "3"}},
    ),
    (
        "open rounds 3 until in 2 days start 3 Dec 18:30",
        "open",
        None,
        {"closes_ms": NOW + 48 * 3_600_000, "starts_ms": at("2026-12-03T18:30"), "settings": {"rounds": "3"}},
    ),
    ('postpone by "3 days"', "postpone", None, {"round": 0, "until_ms": 0, "hours": 72.0, "day": False}),
    ("help", "help", None, {}),
    ("help pause", "help", None, {"word": "pause"}),
    ("help go on", "help", None, {"word": "resume"}),
    ("winter c help pause", "help", 1, {"word": "pause"}),
    ("help winter c pause", "help", None, {"word": "pause"}),
    ("help season", "help", None, {"topic": "season"}),
    ("pause today - Sunday", "pause", None, {**NO_PAUSE, "until_ms": at("2026-11-29T23:59")}),
    ("winterling resume", "resume", 3, {}),
]
TROUBLED: list[tuple[str, str, dict[str, Any]]] = [
    ("pause", "missing", {}),
    ("help dance", "unknown-word", {"word": "dance"}),
    ('open until "in 2 days or so"', "league-date", {}),
    ("pause 7 Jan", "missing", {}),
    ("pause 7 Jan please", "unknown-word", {"word": "please"}),
    ("open until 9999-12-31 24:00", "league-date", {}),
    ("open until 0001-01-01 00:00", "league-date", {}),
    ("open until 2026-12-01T25:00", "league-date", {}),
    ("open until 1 Dec 25:00", "unknown-word", {"word": "25:00"}),
    ("pause until yesterday", "league-date", {"word": "yesterday"}),
    ("pause soon", "league-date", {"word": "soon"}),
    ("pause 10 days please", "unknown-word", {"word": "please"}),
    ("pause until 2026-11-01", "league-past", {}),
    ("pause 24 Dec to 2026-12-01", "league-past", {}),
]


@pytest.mark.parametrize(("text", "act", "league", "args"), UNDERSTOOD)
def test_what_is_understood(text: str, act: str, league: int | None, args: dict[str, Any]) -> None:
    found = read(text)
    assert isinstance(found, Intent), found
    assert dict(found.args) == {"act": act, "league": league, **args}


@pytest.mark.parametrize(("text", "code", "facts"), TROUBLED)
def test_what_is_not(text: str, code: str, facts: dict[str, Any]) -> None:
    found = read(text)
    assert isinstance(found, NotUnderstood), found
    assert found.code == code
    assert facts.items() <= dict(found.facts).items()
    assert "None" not in Words(strict=True).phrase(found.code, "en", **found.facts)
