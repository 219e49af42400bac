"""Samples of what is told about a table: how it stands, what has happened, what is voted on, how it ended."""

from __future__ import annotations

from typing import Any

from tests.text.samples import GAME, HASH, HOUR, NOW, common, frozen, told


def table_now() -> dict[str, Any]:
    """A table as everybody sees it, in the middle of a turn."""
    turn = frozen()["turn"]
    return common(
        view=turn.public, events=told(turn, None, 8), due_ms=NOW + 5 * HOUR, waiting=[turn.names[turn.seat]]
    )


def _seated(public: dict[str, Any]) -> list[dict[str, Any]]:
    """Who sits there: two bots among them."""
    bots = {1: "strong thrifty", 3: "gentle"}
    return [{"name": one["name"], "bot": bots.get(one["seat"], "")} for one in public["view"]["players"]]


def of_tables() -> dict[str, tuple[str, dict[str, Any]]]:
    """How tables stand, and who sits there."""
    public = table_now()
    return {
        "table": ("table", public),
        "table-draft": (
            "table",
            common(view=frozen()["pick"].public, events=[], due_ms=NOW - HOUR, waiting=["Ana"]),
        ),
        "table-undealt": ("table", common(view=None, events=[])),
        "status": ("status", public | {"seats": _seated(public)}),
        "who": (
            "who",
            common(
                players=[
                    {
                        "no": 1,
                        "name": "Ana",
                        "bot": "",
                        "channels": ["mail", "telegram"],
                        "ready": True,
                        "misses": 1,
                    },
                    {"no": 2, "name": "Otto", "bot": "gentle", "channels": [], "ready": True, "misses": 0},
                ],
                waiting=["Ana"],
            ),
        ),
        "games": (
            "games",
            common(
                game=None,
                games=[
                    {
                        "tag": "#17",
                        "status": "running",
                        "edition": "classic",
                        "round": 3,
                        "asked": True,
                        "due_ms": NOW + HOUR,
                    },
                    {
                        "tag": "#18",
                        "status": "lobby",
                        "edition": "classic",
                        "round": 0,
                        "asked": False,
                        "due_ms": None,
                    },
                ],
            ),
        ),
        "games-none": ("games", common(game=None, games=[])),
    }


LINK = "https://citadels.example.org/t/17/step/40"
TURN = {
    "round": 3,
    "picking": False,
    "before": 41,
    "after": 24,
    "answers": [
        {"given": "Take 2 gold", "better": "Build Palace"},
        {"given": "End turn", "better": "Income"},
    ],
    "link": "",
}
PICK = {
    "round": 7,
    "picking": True,
    "before": 30,
    "after": 22,
    "answers": [{"given": "Warlord", "better": "Thief"}],
    "link": "",
}


def of_ends() -> dict[str, tuple[str, dict[str, Any]]]:
    """How a game ended, and its record."""
    end = frozen()["end"]
    return {
        "over": (
            "over",
            common(
                view=end.public,
                result=end.public["result"],
                seed="00" * 32,
                seed_hash=HASH,
                words=["tulip", "", "{{ 7*7 }}", ""],
                events=told(end, 0, 3),
                offered=["rematch", "review"],
                me={"seat": 0, "name": "Ana"},
            ),
        ),
        "over-learn": (
            "over",
            common(
                view=end.public,
                result=end.public["result"],
                seed="00" * 32,
                seed_hash=HASH,
                words=["", "", "", ""],
                teaching="learn",
                me={"seat": 0, "name": "Ana"},
            ),
        ),
        "review": ("review", common(turns=[TURN | {"link": LINK}, PICK], judged=52)),
        "review-three": ("review", common(turns=[PICK, TURN, PICK | {"round": 9}], judged=1_000_000)),
        "review-little": ("review", common(judged=1)),
        "review-nothing": ("review", common()),
        "review-nobody": ("review", common(nobody=True)),
        "record-file": (
            "record",
            common(game=GAME | {"status": "over"}, record=[], file="citadels-17.txt"),
        ),
        "record": (
            "record",
            common(
                game=GAME | {"status": "over"},
                record=['words: ["tulip", "{reply_to}", "<b>"]', "", "Ana: gold", "Bea: build Market"],
            ),
        ),
    }


def of_histories() -> dict[str, tuple[str, dict[str, Any]]]:
    """What has happened in a game, as far as it may be told."""
    turn = frozen()["turn"]
    return {
        "history": ("history", common(events=told(turn, None, 15), names=list(turn.names))),
        "history-course": ("history", common(names=["Ana", "<b>Bea</b>"], rounds=[[0, 1], [3, 2], [12, 15]])),
        "history-orders": (
            "history",
            common(
                entries=[
                    {"no": 1, "name": "Ana", "order": "gold", "by": "person"},
                    {"no": 2, "name": "Bea", "order": "end", "by": "clock"},
                ]
            ),
        ),
    }


def of_acts() -> dict[str, tuple[str, dict[str, Any]]]:
    """What a table and its admins decided."""
    return {
        "history-acts": (
            "history",
            common(
                names=["Ana", "<b>Bea</b>", "Cy"],
                me={"seat": 0, "name": "Ana"},
                events=[
                    {
                        "name": name,
                        "no": n,
                        "at_ms": NOW - HOUR * (20 - n),
                        "facts": {"seat": seat, "by": by, "number": 12, "yes": True, **facts},
                    }
                    for n, (name, seat, by, facts) in enumerate(
                        [
                            ("proposed", 1, "", {"act": "pause"}),
                            ("voted", 0, "", {}),
                            ("carried", None, "", {}),
                            ("paused", 1, "", {}),
                            ("unpaused", None, "", {"why": "spent"}),
                            ("unpaused", 0, "", {}),
                            ("proposed", 0, "", {"act": "kick", "player": 1}),
                            ("refused", None, "", {}),
                            ("proposed", None, "Root", {"act": "rewind", "round": 4}),
                            ("seconded", None, "Alan", {}),
                            ("rewound", None, "Root", {"round": 4}),
                            ("extended", None, "", {"hours": 24.0}),
                            ("seat_offered", None, "Root", {"player": 0}),
                            ("processed", None, "Root", {"window": 123, "players": [2]}),
                            ("kicked", None, "Root", {"player": 1}),
                            ("departed", None, "", {"player": 2}),
                            ("renamed", 2, "", {}),
                            ("miss_forgiven", 0, "", {"answer": True}),
                            (
                                "words_opened",
                                None,
                                "",
                                {
                                    "given": [{"seat": 0, "word": "rain"}, {"seat": 2, "word": "<b>"}],
                                    "seed_hash": HASH,
                                },
                            ),
                            (
                                "gathers_anew",
                                2,
                                "",
                                {"deal": 1, "seed": "5f" * 32, "seed_hash": HASH, "fresh": HASH},
                            ),
                        ],
                        1,
                    )
                ],
            ),
        ),
    }


def proposed(facts: dict[str, Any]) -> list[dict[str, Any]]:
    """The event that a vote begins with."""
    return [{"name": "proposed", "no": 0, "facts": facts}]


def of_votes() -> dict[str, tuple[str, dict[str, Any]]]:
    """What a table is asked to decide."""
    return {
        "vote": (
            "vote",
            common(
                number=12,
                rule="silence",
                due_ms=NOW + 6 * HOUR,
                names=["Ana", "Bea", "Cy"],
                me={"seat": 1, "name": "Bea"},
                events=proposed({"seat": 0, "by": "", "number": 12, "act": "pause"}),
            ),
        ),
        "vote-key": (
            "vote",
            common(
                number=13,
                rule="all",
                votes=False,
                due_ms=NOW + 24 * HOUR,
                names=["Ana", "Bea", "Cy"],
                events=proposed(
                    {
                        "seat": None,
                        "by": "<b>Root</b>",
                        "number": 13,
                        "act": "rewind",
                        "round": 4,
                    }
                ),
            ),
        ),
        "vote-mine": (
            "vote",
            common(
                number=14,
                rule="most",
                about_you=True,
                due_ms=NOW + 24 * HOUR,
                names=["Ana", "Bea", "Cy"],
                me={"seat": 1, "name": "Bea"},
                events=proposed({"seat": 0, "by": "", "number": 14, "act": "kick", "player": 1}),
            ),
        ),
    }
