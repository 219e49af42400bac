"""Samples of what is told about a league: news, standings, schedules, tables, players, figures, exports."""

from __future__ import annotations

from typing import Any

from tests.text import leagues
from tests.text.samples import HOUR, NOW, common


def of_news() -> dict[str, tuple[str, dict[str, Any]]]:
    """What a league tells its people."""
    return {
        "league_news": (
            "league_news",
            common(
                game=None,
                league={"id": 3, "name": "Winter <Cup>"},
                notices=[
                    {
                        "code": "league-round",
                        "facts": {
                            "league": "Winter <Cup>",
                            "zone": "Europe/Lisbon",
                            "season": 2,
                            "round": 3,
                            "rounds": 7,
                            "tables": 12,
                            "ends_ms": NOW + 14 * 24 * HOUR,
                        },
                    },
                    {
                        "code": "league-penalty",
                        "facts": {
                            "league": "Winter <Cup>",
                            "zone": "Europe/Lisbon",
                            "name": "Bea",
                            "points": "1.5",
                            "why": "two no-shows",
                        },
                    },
                ],
            ),
        ),
        "league_news-standings": (
            "league_news",
            common(
                **leagues.HEAD,
                shown=leagues.standings(),
                notices=[
                    {
                        "code": "league-round-over",
                        "facts": {
                            "league": "Winter <Cup>",
                            "zone": "Europe/Lisbon",
                            "season": 2,
                            "round": 2,
                            "rounds": 5,
                        },
                    }
                ],
            ),
        ),
    }


def of_rounds() -> dict[str, tuple[str, dict[str, Any]]]:
    """Standings, schedules and tables of a season."""
    return {
        "league_standings": ("league_standings", common(**leagues.HEAD, shown=leagues.standings())),
        "league_standings-one": (
            "league_standings",
            common(
                **{**leagues.HEAD, "url": ""},
                shown=leagues.standings(several=False),
                room=True,
                channel="matrix",
            ),
        ),
        "league_standings-teams": (
            "league_standings",
            common(**leagues.HEAD, shown={**leagues.standings(several=False), "teams": leagues.TEAMS}),
        ),
        "league_standings-none": ("league_standings", common(**{**leagues.HEAD, "season": None})),
        "league_schedule": (
            "league_schedule",
            common(
                **leagues.HEAD,
                rounds=leagues.ROUNDS,
                round=3,
                tables=leagues.TABLES,
                byes=["Eve", "Gus"],
                several=True,
                hidden=3,
                mine=[leagues.TABLES[1]],
            ),
        ),
        "league_schedule-due": (
            "league_schedule",
            common(**leagues.HEAD, rounds=leagues.ROUNDS, round=4, waits=3, format="swiss"),
        ),
        "league_schedule-cup": (
            "league_schedule",
            common(**leagues.HEAD, rounds=leagues.ROUNDS, round=4, waits=3, format="knockout"),
        ),
        "league_schedule-none": (
            "league_schedule",
            common(
                **{
                    **leagues.HEAD,
                    "season": leagues.SEASON
                    | {"state": "signup", "round": 0, "open": 0, "closes_ms": NOW + 24 * HOUR},
                }
            ),
        ),
        "league_table": (
            "league_table",
            common(**leagues.HEAD, table=leagues.TABLES[0], number=7, several=True),
        ),
        "league_table-none": ("league_table", common(**leagues.HEAD, number=99)),
    }


def of_figures() -> dict[str, tuple[str, dict[str, Any]]]:
    """Players, figures and exports."""
    return {
        "league_player": ("league_player", common(game=None, player=leagues.player())),
        "league_player-new": (
            "league_player",
            common(
                game=None,
                player={
                    **leagues.player(),
                    "seasons": [],
                    "results": [],
                    "ratings": [],
                    "reliability": leagues.NOTHING,
                },
            ),
        ),
        "league_stats": ("league_stats", common(**leagues.HEAD, stats=leagues.stats(), hidden=2)),
        "league_seasons": (
            "league_seasons",
            common(**{**leagues.HEAD, "season": None}, seasons=leagues.SEASONS, hidden=2),
        ),
        "league_seasons-none": ("league_seasons", common(**{**leagues.HEAD, "season": None, "url": ""})),
        "league_hall": ("league_hall", common(**{**leagues.HEAD, "season": None}, hall=leagues.HALL)),
        "league_hall-none": (
            "league_hall",
            common(**{**leagues.HEAD, "season": None}, hall={"titles": [], "wins": [], "seasons": []}),
        ),
        "league_export": (
            "league_export",
            common(
                **leagues.HEAD, files=["league-3-season-2-standings.csv", "league-3-season-2-results.csv"]
            ),
        ),
        "league_export-links": (
            "league_export",
            common(
                **leagues.HEAD, form="json", links=["https://citadels.example.org/l/3/season/2/season.json"]
            ),
        ),
        "league_export-nowhere": ("league_export", common(**{**leagues.HEAD, "url": ""})),
    }
