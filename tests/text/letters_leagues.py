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
                **{
                    **leagues.HEAD,
                    "season": leagues.SEASON | {"pause": (NOW + 30 * 24 * HOUR, NOW + 40 * 24 * HOUR)},
                },
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


def of_people() -> dict[str, tuple[str, dict[str, Any]]]:
    """What those who run a league read about its people."""
    asked = {"person": 2, "name": "<b>Bea</b>", "since_ms": NOW - 30 * HOUR, "reachable": True, "seen_ms": 0}
    reports = [
        {
            "number": 12,
            "by": "Ana",
            "at_ms": NOW - HOUR,
            "text": "Bea has not answered <since> Sunday",
            "season": 2,
            "round": 3,
            "table": 8,
            "state": "playing",
            "game": 48,
            "url": "https://citadels.example.org/t/48",
            "awaited": [asked],
        },
        {
            "number": 13,
            "by": "Cy",
            "at_ms": NOW,
            "text": "When does it begin?",
            "season": 2,
            "round": 0,
            "table": 0,
            "state": "",
            "game": 0,
            "url": "",
            "awaited": [],
        },
    ]
    waits = {"no": 8, "round": 3, "division": 1, "game": 48, "until_ms": NOW + 20 * HOUR}
    tables = [
        {
            **waits,
            "state": "gathering",
            "people": [
                asked,
                {**asked, "name": "Cy", "seen_ms": NOW - 3 * HOUR},
                {**asked, "name": "Dan", "reachable": False},
            ],
        },
        {**waits, "no": 9, "game": 49, "until_ms": 0, "state": "playing", "people": [asked]},
    ]
    people = [
        {
            "person": 1,
            "name": "<b>Bea</b>",
            "state": "signed",
            "answers": [["Have you played before?", "<i>Twice</i>"], ["Why?", "Since it is fun"]],
        }
    ]
    head = {"league": leagues.CUP, "season": 2}
    return {
        "league_reports": ("league_reports", common(game=None, **head, reports=reports, told=False)),
        "league_reports-one": ("league_reports", common(game=None, **head, reports=reports[:1], told=True)),
        "league_reports-none": ("league_reports", common(game=None, **head, reports=[], told=False)),
        "league_waiting": ("league_waiting", common(game=None, **head, tables=tables, hidden=2)),
        "league_waiting-none": ("league_waiting", common(game=None, **head, tables=[], hidden=0)),
        "league_invitations": (
            "league_invitations",
            common(game=None, **head, waiting=["Ana", "<i>Bea</i>"], joined=["Cy"], code="ABCDEFGHIJKLMNOP"),
        ),
        "league_invitations-none": (
            "league_invitations",
            common(game=None, **head, waiting=[], joined=[], code=""),
        ),
        "league_answers": ("league_answers", common(game=None, **head, people=people, hidden=3)),
        "league_answers-none": ("league_answers", common(game=None, **head, people=[], hidden=0)),
    }
