"""Sample contexts for what admins are sent, and for what players are told of a look at hidden cards."""

from __future__ import annotations

from typing import Any

from tests.text.samples import HOUR, NOW

ALONE: dict[str, Any] = {
    "language": "en",
    "zone": "Europe/Lisbon",
    "now_ms": NOW,
    "game": None,
    "me": None,
    "bot_link": "",
}
DAY = 24 * HOUR
LOOKED = {"by": "Root", "of": 1, "because": "Bea says she was dealt <b>nine</b> cards"}


def seated(name: str, *addresses: str, **other: Any) -> dict[str, Any]:
    return {
        "name": name,
        "bot": "",
        "ready": True,
        "addresses": list(addresses),
        "misses": 0,
        "probation": False,
        "offered": False,
        "away": False,
        "empty": False,
        "unreachable": False,
        **other,
    }


def row(tag: str, **other: Any) -> dict[str, Any]:
    return {
        "tag": tag,
        "status": "running",
        "edition": "classic",
        "round": 3,
        "players": ["Ana", "<b>Bea</b>"],
        "asked": ["Ana"],
        "due_ms": NOW + 5 * HOUR,
        "paused": False,
        "looked": 0,
        "archived": False,
        **other,
    }


def letter(number: int, **other: Any) -> dict[str, Any]:
    return {
        "id": number,
        "kind": "prompt",
        "state": "failed",
        "channel": "telegram",
        "to": "123",
        "game": 17,
        "tries": 1,
        "error": "blocked: Forbidden",
        "at_ms": NOW - HOUR,
        **other,
    }


def of_admins(public: dict[str, Any]) -> dict[str, tuple[str, dict[str, Any]]]:
    """Name of the sample -> (kind of letter, context).  `public`: the context of a table's public letter."""
    table = {
        **public,
        "about": {
            "creator": "Ana",
            "window": 44,
            "round": 3,
            "created_ms": NOW - 9 * DAY,
            "archived": False,
            "misses_of": 2,
        },
    }
    return {
        "admin-games": (
            "admin_games",
            {
                **ALONE,
                "count": 43,
                "pages": 3,
                "page": 1,
                "games": [
                    row("#17"),
                    row("#16", due_ms=NOW - HOUR, paused=True, looked=1),
                    row("#15", status="lobby", round=0, asked=[], due_ms=None, players=[]),
                    row("#14", status="over", asked=[], due_ms=None, archived=True),
                ],
            },
        ),
        "admin-games-none": ("admin_games", {**ALONE, "state": "frozen"}),
        "admin-look": (
            "admin_look",
            {
                **table,
                "seated": [
                    seated("Ana", "telegram:1", "mail:ana@example.org (bounced)", misses=1),
                    seated("Bea", probation=True, offered=True, misses=3),
                    seated("Cy", "matrix:@cy:hs", away=True, unreachable=True),
                    seated("Nell", bot="steady bold"),
                ],
                "rings": [
                    {"kind": "remind", "name": "Ana", "due_ms": NOW + HOUR},
                    {"kind": "answer", "name": "Ana", "due_ms": NOW + 5 * HOUR},
                    {"kind": "pause", "name": "", "due_ms": NOW - HOUR},
                ],
                "votes": [{"number": 12, "act": "kick", "due_ms": NOW + DAY}],
                "rooms": ["telegram:-5 (Citadels <i>Lisbon</i>)"],
                "bad": [letter(8), letter(9, kind="", state="unknown", error="")],
                "looked": [{**LOOKED, "seat": None, "person": 1, "at_ms": NOW - DAY}],
            },
        ),
        "admin-look-gathering": (
            "admin_look",
            {
                **ALONE,
                "game": {**public["game"], "status": "lobby"},
                "names": ["Ana"],
                "about": {**table["about"], "window": 0},
                "seated": [seated("Ana", "terminal:ana", ready=False)],
            },
        ),
        "admin-hidden": (
            "admin_hidden",
            {
                **public,
                "view": None,
                "hands": [
                    {"name": "Ana", "hand": ["Market", "Temple"], "characters": ["King"]},
                    {"name": "<b>Bea</b>", "hand": [], "characters": []},
                ],
            },
        ),
        "admin-letters": (
            "admin_letters",
            {**ALONE, "count": 2, "letters": [letter(8), letter(9, kind="", game=None, error="")]},
        ),
        "admin-letters-none": ("admin_letters", ALONE),
        "admin-inbox": (
            "admin_inbox",
            {
                **ALONE,
                "count": 21,
                "pages": 2,
                "messages": [
                    {
                        "id": 5,
                        "channel": "mail",
                        "from": "ana@example.org",
                        "at_ms": NOW - HOUR,
                        "tries": 3,
                        "error": "KeyError",
                    }
                ],
            },
        ),
        "admin-blocked": (
            "admin_blocked",
            {
                **ALONE,
                "count": 2,
                "blocked": [
                    {
                        "address": "mail:*@spam.example",
                        "because": "<script>alert(1)</script>",
                        "by": "Root",
                        "at_ms": NOW - DAY,
                    },
                    {"address": "telegram:6", "because": "", "by": "", "at_ms": NOW},
                ],
            },
        ),
        "admin-log": (
            "admin_log",
            {
                **ALONE,
                "count": 2,
                "lines": [
                    {
                        "no": 2,
                        "at_ms": NOW,
                        "by": "Root",
                        "act": "look-hidden",
                        "about": {"game": "17", "of": "Bea", "because": "she asked"},
                    },
                    {"no": 1, "at_ms": NOW - DAY, "by": "", "act": "archive", "about": {"game": "3"}},
                ],
            },
        ),
        "admin-log-broken": (
            "admin_log",
            {
                **ALONE,
                "count": 1,
                "broken": 1,
                "lines": [{"no": 1, "at_ms": NOW, "by": "Root", "act": "block", "about": {}}],
            },
        ),
        "admin-stats": (
            "admin_stats",
            {
                **ALONE,
                "games": {"lobby": 1, "running": 12, "over": 30, "frozen": 0},
                "archived": 4,
                "people": 61,
                "addresses": {"mail": 12, "telegram": 60},
                "blocked": 1,
                "days": [
                    {"day": "2026-11-20", "messages": 240, "letters": 410},
                    {"day": "2026-11-21", "messages": 12, "letters": 30},
                ],
                "channels": [
                    {"channel": "mail", "messages": 20, "sent": 50, "failed": 1, "unknown": 0, "waiting": 2},
                    {
                        "channel": "telegram",
                        "messages": 220,
                        "sent": 360,
                        "failed": 0,
                        "unknown": 3,
                        "waiting": 0,
                    },
                ],
                "waiting": 2,
                "oldest_s": 5400,
                "inbox": {"new": 0, "shunted": 1, "refused": 7},
                "failed": {"failed": 1, "unknown": 3},
                "late": 0,
                "answered": 180,
                "missed": 4,
            },
        ),
        "admin-stats-empty": ("admin_stats", ALONE),
        "looked": (
            "looked",
            {
                **public,
                "view": None,
                **LOOKED,
                "names": ["Ana", "Bea", "Cy", "Dan"],
                "me": {"seat": 1, "name": "Bea"},
            },
        ),
        "table-looked": ("table", {**public, "game": {**public["game"], "looked": 1}}),
        "looked-room": (
            "looked",
            {
                **public,
                "view": None,
                **LOOKED,
                "by": "",
                "of": None,
                "names": ["Ana", "Bea", "Cy", "Dan"],
                "room": True,
                "channel": "telegram",
            },
        ),
    }
