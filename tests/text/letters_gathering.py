"""Samples of how a table comes about: the menu, the lobby, the muster, a seat on offer."""

from __future__ import annotations

from typing import Any

from referee.text import Words
from tests.text.letters_tables import table_now
from tests.text.samples import GAME, HASH, HOUR, NOW, common


def gathering(status: str) -> dict[str, Any]:
    seats = [
        {"no": 1, "name": "Ana", "bot": "", "ready": True, "me": True},
        {"no": 2, "name": "Bea", "bot": "", "ready": False, "me": False},
        {"no": 3, "name": "Otto", "bot": "strong thrifty", "ready": True, "me": False},
    ]
    return common(
        game=GAME | {"status": status},
        me={"seat": 0, "name": "Ana"},
        seats=seats,
        wanted=4,
        creator="Ana",
        seed_hash=HASH,
        entry="open",
        options={"complete_city": 8},
        missing_private=["Bea"],
    )


def of_lobbies() -> dict[str, tuple[str, dict[str, Any]]]:
    """Who is there already, and what will be played."""
    return {
        "lobby": ("lobby", gathering("lobby")),
        "lobby-deluxe": (
            "lobby",
            gathering("lobby")
            | {
                "game": GAME | {"status": "lobby", "edition": "deluxe"},
                "options": {},
                "choice": {"named": "Cunning Agents"},
                "cast": [
                    "Witch",
                    "Blackmailer",
                    "Magician",
                    "King",
                    "Abbot",
                    "Alchemist",
                    "Architect",
                    "Warlord",
                ],
                "instead": [["Emperor", "King"]],
                "uniques": [
                    "Armory",
                    "Basilica",
                    "Dragon Gate",
                    "Gold Mine",
                    "Keep",
                    "Monument",
                    "Museum",
                    "Necropolis",
                    "Park",
                    "Poor House",
                    "Quarry",
                    "Secret Vault",
                    "Smithy",
                    "Theater",
                ],
            },
        ),
        "lobby-mustering": ("lobby", gathering("mustering")),
        "muster": ("muster", gathering("mustering")),
        "muster-rematch": ("muster", gathering("mustering") | {"rematch": {"game": 16, "name": "Bea"}}),
    }


def of_offers(words: Words) -> dict[str, tuple[str, dict[str, Any]]]:
    """What somebody may choose: what to play, and whether to take a seat."""
    public = table_now()
    return {
        "setup": (
            "setup",
            common(
                game=None,
                asks="list",
                so_far="deluxe",
                options=[
                    {
                        "n": 1,
                        "order": "new menu deluxe first game",
                        "label": "First Game",
                        "note": "the eight characters of the classic game",
                        "mailto": words.mailto("new menu deluxe first game"),
                        "key": "k1",
                    },
                    {
                        "n": 2,
                        "order": "new menu deluxe random",
                        "label": "By chance",
                        "note": "",
                        "mailto": words.mailto("new menu deluxe random"),
                        "key": "k2",
                    },
                ],
            ),
        ),
        "seat_offer": (
            "seat_offer",
            public
            | {
                "name": "Bea",
                "due_ms": NOW + 10 * HOUR,
                "events": [],
                "options": [
                    {
                        "n": 1,
                        "order": "join #17",
                        "label": "Take the seat",
                        "note": "",
                        "mailto": words.mailto("join #17"),
                        "key": "k1",
                    },
                    {
                        "n": 2,
                        "order": "alternate no #17",
                        "label": "No, thanks",
                        "note": "",
                        "mailto": words.mailto("alternate no #17"),
                        "key": "k2",
                    },
                ],
            },
        ),
    }


def of_hours() -> dict[str, tuple[str, dict[str, Any]]]:
    """When a table could sit down live."""
    day = 24 * HOUR
    base = common(
        me={"seat": 0, "name": "Ana"},
        best=[
            {"at_ms": NOW + day, "count": 3, "not_able": []},
            {"at_ms": NOW + 2 * day, "count": 2, "not_able": ["<b>Bea</b>"]},
        ],
        said=["Ana", "Cy"],
        missing=["<b>Bea</b>"],
        agreed=[{"name": "Cy", "at_ms": NOW + day}],
        mine=[[NOW + day, NOW + day + 4 * HOUR], [NOW + 2 * day, NOW + 2 * day + HOUR]],
        of=3,
    )
    return {
        "hours": ("hours", base),
        "hours-first": ("hours", base | {"why": "first", "by": "<b>Bea</b>", "best": [], "mine": []}),
        "hours-all": ("hours", base | {"why": "all", "by": "Cy", "missing": []}),
        "hours-agreed": ("hours", base | {"why": "agreed", "by": "Cy"}),
        "hours-met": ("hours", base | {"why": "met", "by": "Cy", "meet": NOW + day}),
        "hours-stands": ("hours", base | {"meet": NOW + day}),
        "hours-off": ("hours", base | {"why": "off", "by": "Cy"}),
        "hours-gone": ("hours", base | {"why": "gone", "said": [], "best": [], "agreed": [], "mine": []}),
        "hours_soon": ("hours_soon", common(me={"seat": 0, "name": "Ana"}, at_ms=NOW + HOUR // 6)),
    }
