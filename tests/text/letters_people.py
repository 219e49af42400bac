"""Samples of what one person is sent whatever table they sit at: digests, addresses, links, notices."""

from __future__ import annotations

from typing import Any

from referee.text import Words
from tests.text.samples import HOUR, NOW, common


def daily(tag: str, number: int, **other: Any) -> dict[str, Any]:
    """One game of a letter over several."""
    return {
        "tag": tag,
        "edition": "classic",
        "status": "running",
        "round": number,
        "ready": False,
        "asked": False,
        "question": "",
        "example": "gold" if other.get("question") == "turn" else "",
        "due_ms": None,
        "waiting": [],
        "away": [],
        "news": [],
        "more": 0,
        "result": "",
        "stopped": "",
        **other,
    }


def of_digests(words: Words) -> dict[str, tuple[str, dict[str, Any]]]:
    """One letter over several games."""
    return {
        "digest": (
            "digest",
            common(
                game=None,
                hour="08:00",
                games=[
                    daily(
                        "#17",
                        3,
                        asked=True,
                        question="turn",
                        due_ms=NOW + 5 * HOUR,
                        news=["Bea named the Thief to be killed.", "You are called as the King."],
                        more=4,
                    ),
                    daily(
                        "#21",
                        7,
                        asked=True,
                        question="graveyard",
                        stopped="Your plan as the King is done; the turn is still yours.",
                    ),
                    daily(
                        "#18",
                        9,
                        waiting=["Cy", "Dan"],
                        away=[{"name": "<i>Dan</i>", "until_ms": NOW + 50 * HOUR}],
                        news=["Cy built the Keep for 3 gold."],
                    ),
                    daily("#19", 0, status="mustering"),
                    daily(
                        "#20",
                        14,
                        status="over",
                        result="Bea wins with 24 points.",
                        news=["Bea completed her city."],
                    ),
                ],
                options=[
                    {
                        "n": n,
                        "label": f"Show {tag}",
                        "order": f"status {tag}",
                        "key": f"k{n}",
                        "mailto": words.mailto(f"status {tag}", f"status {tag}"),
                    }
                    for n, tag in enumerate(("#17", "#21", "#19"), 1)
                ],
            ),
        ),
        "digest-quiet": (
            "digest",
            common(
                game=None,
                why="quiet",
                notices=[{"code": "abandoned", "facts": {"game": 22}}],
                games=[daily("#18", 9, waiting=["Cy"], news=["Cy built the Keep for 3 gold."])],
            ),
        ),
    }


def of_addresses() -> dict[str, tuple[str, dict[str, Any]]]:
    """Addresses that become one person's."""
    return {
        "link_code": ("link_code", common(game=None, code="ABCDEFGH", minutes=10)),
        "link_ask": (
            "link_ask",
            common(
                game=None,
                mine={"channel": "telegram", "address": "123456"},
                other={"channel": "mail", "address": "y…@x.test"},
                called="<b>Admin</b>",
                seats=2,
                word="ABCDEF",
                due_ms=NOW + HOUR // 2,
            ),
        ),
        "link_ask-more": (
            "link_ask",
            common(
                game=None,
                mine={"channel": "mail", "address": "bea@x.test"},
                other={"channel": "matrix", "address": "@bea:hs"},
                more=[{"channel": "terminal", "address": "bea"}],
                word="ABCDEF",
                due_ms=NOW + HOUR // 2,
                answered=True,
            ),
        ),
        "accounts": (
            "accounts",
            common(
                game=None,
                addresses=[
                    {
                        "channel": "telegram",
                        "address": "123456",
                        "state": "green",
                        "since_ms": NOW - HOUR,
                        "joined_ms": 0,
                        "until_ms": 0,
                        "first": True,
                        "here": True,
                    },
                    {
                        "channel": "mail",
                        "address": "bea@x.test",
                        "state": "bounced",
                        "since_ms": NOW - HOUR,
                        "joined_ms": NOW - HOUR,
                        "until_ms": NOW + HOUR,
                        "first": False,
                        "here": False,
                    },
                ],
            ),
        ),
    }


def of_links() -> dict[str, tuple[str, dict[str, Any]]]:
    """Links to what is one's own."""
    return {
        "calendar_link": (
            "calendar_link",
            common(game=None, link="https://citadels.example.org/calendar/AbC-123_x.ics", again=True),
        ),
        "calendar_file": ("calendar_file", common(game=None, count=2)),
        "my_stats": (
            "my_stats",
            common(
                game=None,
                stats={
                    "games": 3,
                    "won": 1,
                    "place": 1.7,
                    "score": 21.3,
                    "best": 28,
                    "more": 2,
                    "editions": [{"edition": "deluxe", "games": 3, "won": 1, "place": 1.7, "score": 21.3}],
                    "characters": [{"character": "Architect", "rounds": 5, "games": 2, "won": 1}],
                    "opponents": [{"name": "<b>Cy</b>", "games": 3, "ahead": 1, "behind": 2}],
                },
                page="https://citadels.example.org/me/stats",
            ),
        ),
        "my_stats-none": ("my_stats", common(game=None)),
        "my_data": ("my_data", common(game=None, bytes=48_213)),
        "web_link": (
            "web_link",
            common(game=None, link="https://citadels.example.org/me/in/AbC-123_x", minutes=30),
        ),
        "turn_notice": ("turn_notice", common(again=False)),
        "turn_notice-again": ("turn_notice", common(again=True)),
        "web_sessions": (
            "web_sessions",
            common(
                game=None,
                sessions=[
                    {
                        "browser": "Firefox, Linux",
                        "since_ms": NOW - 30 * HOUR,
                        "used_ms": NOW - 3 * HOUR,
                        "here": False,
                    },
                    {"browser": "", "since_ms": NOW - HOUR, "used_ms": None, "here": True},
                ],
            ),
        ),
        "web_sessions-none": ("web_sessions", common(game=None, sessions=[])),
    }


def of_notices() -> dict[str, tuple[str, dict[str, Any]]]:
    """Short notices, talk, and warnings."""
    return {
        "notice": (
            "notice",
            common(game=None, notices=[{"code": "which-game", "facts": {"games": [17, 18]}}]),
        ),
        "notice-room": (
            "notice",
            common(game=None, to="Bea", notices=[{"code": "orders-in-private", "facts": {}}]),
        ),
        "notice-trouble": (
            "notice",
            common(
                notices=[
                    {
                        "code": "unreadable",
                        "facts": {"quote": "buld market", "suggestions": ["build Market", "gold"]},
                    }
                ]
            ),
        ),
        "toast": ("toast", common(notices=[{"code": "old-button", "facts": {}}])),
        "talk": (
            "talk",
            common(
                said=[
                    {
                        "way": "public",
                        "by": "Bea",
                        "speech": "Who took the <b>Palace</b>? {{ 7*7 }}",
                        "at_ms": NOW - 10 * HOUR,
                    },
                    {"way": "private", "by": "Cy", "speech": "gold; end", "at_ms": NOW},
                    {"way": "nameless", "by": "", "speech": "It was Dan.", "at_ms": 0},
                ]
            ),
        ),
        "suspicious": ("suspicious", common(why="sender")),
        "suspicious-old": ("suspicious", common(game=None, why="old")),
        "alert": ("alert", common(game=None, code="shunted", facts={"inbox": 12, "game": 17})),
    }
