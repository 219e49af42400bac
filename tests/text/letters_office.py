"""Samples of what the league office answers: lists, a league, its people, settings, proposals and log."""

from __future__ import annotations

from typing import Any

from tests.text.samples import HOUR, NOW

NAME = "Winter <Cup>"
SEASON = {
    "no": 2,
    "state": "signup",
    "closes_ms": NOW + 240 * HOUR,
    "starts_ms": NOW + 300 * HOUR,
    "ended_ms": 0,
    "people": 12,
    "waiting": 1,
    "rounds": 5,
}
CARD: dict[str, Any] = {
    "id": 3,
    "name": NAME,
    "closed": False,
    "season": SEASON,
    "round": None,
    "role": "",
    "mine": "",
}
ROUND = {"no": 2, "ends_ms": NOW + 100 * HOUR, "tables": 5, "left": 3}
OFFICIALS = [
    {"role": "owner", "name": "Ana"},
    {"role": "director", "name": "Bea"},
    {"role": "director", "name": "Cy"},
]


def letter(kind: str, **context: Any) -> tuple[str, dict[str, Any]]:
    """A sample: the kind, and its context."""
    return kind, {
        "language": "en",
        "zone": "Europe/Lisbon",
        "now_ms": NOW,
        "game": None,
        "me": None,
        "bot_link": "",
        **context,
    }


def of_offices() -> dict[str, tuple[str, dict[str, Any]]]:
    """Name of the sample -> (kind of letter, context)."""
    running = {**CARD, "season": {**SEASON, "state": "running"}, "round": ROUND, "mine": "playing"}
    return {
        "help-league": letter("help", topic="league"),
        "league_list": letter(
            "league_list",
            leagues=[CARD, {**running, "name": "🏰🏰"}, {**CARD, "name": "Open Cup", "season": None}],
        ),
        "league_list-none": letter("league_list", house=True),
        "league_card": letter(
            "league_card", card={**running, "role": "director"}, officials=OFFICIALS, rooms=2
        ),
        "league_card-signup": letter("league_card", card=CARD, officials=OFFICIALS[:1], room=True),
        "league_card-new": letter(
            "league_card", card={**CARD, "season": None, "role": "owner"}, console=True
        ),
        "league_people": letter(
            "league_people",
            league=NAME,
            season=2,
            groups=[
                {"state": "signed", "names": ["Ana", "Bea <b>"]},
                {"state": "waiting", "names": ["Cy"]},
                {"state": "removed", "names": ["Dan"]},
            ],
        ),
        "league_people-none": letter("league_people", league=NAME),
        "league_settings": letter(
            "league_settings",
            league=NAME,
            settings=[{"key": "rounds", "value": "7"}, {"key": "points", "value": "6/4/3/2/1"}],
        ),
        "league_proposals": letter(
            "league_proposals",
            league=NAME,
            proposals=[
                {
                    "number": 12,
                    "by": "Bea",
                    "what": "taking Dan out of season 2 because he never answers",
                    "due_ms": NOW + 20 * HOUR,
                    "own": False,
                },
                {
                    "number": 13,
                    "by": "Ana",
                    "what": "closing the league",
                    "due_ms": NOW + 22 * HOUR,
                    "own": True,
                },
            ],
        ),
        "league_proposals-none": letter("league_proposals", league=NAME),
        "league_log": letter(
            "league_log",
            league=NAME,
            lines=[
                {
                    "no": 1,
                    "at_ms": NOW - 50 * HOUR,
                    "by": "zoe",
                    "via": "console",
                    "what": "founding the league “Winter <Cup>”",
                },
                {
                    "no": 2,
                    "at_ms": NOW - 3 * HOUR,
                    "by": "Ana",
                    "via": "telegram",
                    "what": "taking 2 points from Dan",
                },
                {
                    "no": 3,
                    "at_ms": NOW - HOUR,
                    "by": "",
                    "via": "",
                    "what": "proposal 11 lapsing: closing the league",
                },
            ],
        ),
        "league_log-broken": letter(
            "league_log",
            league=NAME,
            broken=2,
            lines=[
                {
                    "no": 1,
                    "at_ms": NOW - 50 * HOUR,
                    "by": "zoe",
                    "via": "console",
                    "what": "founding the league “Winter <Cup>”",
                }
            ],
        ),
    }
