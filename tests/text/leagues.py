"""Facts of a league for sample letters, small and written out."""

from __future__ import annotations

from typing import Any

from tests.text.samples import HOUR, NOW

DAY = 24 * HOUR
CUP = {"id": 3, "name": "Winter <Cup>", "closed": False}
SEASON = {
    "no": 2,
    "state": "running",
    "round": 2,
    "open": 3,
    "rounds": 5,
    "people": 9,
    "waiting": 1,
    "opened_ms": NOW - 60 * DAY,
    "closes_ms": NOW - 40 * DAY,
    "starts_ms": NOW - 38 * DAY,
    "ended_ms": 0,
}
HEAD: dict[str, Any] = {
    "game": None,
    "league": CUP,
    "season": SEASON,
    "url": "https://citadels.example.org/l/3",
}


LATE = [
    {"points": "-4", "kind": "taken", "why": "came <late>, twice"},
    {"points": "+1", "kind": "back", "why": ""},
    {"points": "+1.5", "kind": "bonus", "why": "report no. 4"},
]
GONE = [{"points": "-2", "kind": "no show", "why": ""}]


def row(rank: int, name: str, points: str, **other: Any) -> dict[str, Any]:
    return {
        "rank": rank,
        "person": rank,
        "name": name,
        "points": points,
        "played": 2,
        "wins": 0,
        "share": 1.1234,
        "share_text": "1.12",
        "byes": 0,
        "penalty": "0",
        "corrections": [],
        "abandoned": 0,
        "state": "playing",
        "left": False,
        "decided": "points",
        "tie": "",
        "before": "",
        "figures": [],
        "move": "",
        **other,
    }


def standings(*, several: bool = True) -> dict[str, Any]:
    high = [
        row(1, "Ana", "10", wins=1, tie="wins", before="<b>Bea</b>", figures=["1", "0"], move=""),
        row(2, "<b>Bea</b>", "10"),
        row(3, "=Cy()", "7.5", byes=1, played=1, penalty="1.5", corrections=LATE),
        row(4, "Dan", "1", move="down"),
        row(5, "Eve", "-2", left=True, abandoned=1, state="withdrawn", penalty="2", corrections=GONE),
    ]
    low = [row(1, "Flo", "8", wins=1, move="up"), row(0, "Gus", "0", played=0, share=None, share_text="–")]
    divisions = [
        {"no": 1, "name": "Gold", "several": several, "rows": high, "hidden": 0},
        {"no": 2, "name": "", "several": several, "rows": low, "hidden": 12},
    ]
    return {
        "league": CUP,
        "season": SEASON,
        "points": "4: 6/4/2/0, 5: 7/4/3/1/0",
        "tiebreaks": ["wins", "score share", "head to head"],
        "bye": "average",
        "share_of": "mean",
        "lot": "",
        "divisions": divisions if several else divisions[:1],
    }


def named(*names: str) -> list[dict[str, Any]]:
    return [{"person": len(name), "name": name} for name in names]


def counted(*rows: tuple[str, int]) -> list[dict[str, Any]]:
    return [{"person": len(name), "name": name, "count": count} for name, count in rows]


TEAMS = [
    {"rank": 1, "team": "Red <3", "points": "13", "wins": 2, "people": named("Ana", "<b>Bea</b>")},
    {"rank": 2, "team": "Azul", "points": "1", "wins": 0, "people": named("Dan")},
]
SEASONS = [
    {**SEASON, "no": 3, "format": "swiss", "several": False, "divisions": []},
    {**SEASON, "state": "void", "format": "balanced", "several": False, "divisions": []},
    {
        **SEASON,
        "no": 1,
        "state": "over",
        "format": "knockout",
        "ended_ms": NOW - 70 * DAY,
        "several": True,
        "divisions": [
            {"no": 1, "podium": named("Ana", "<b>Bea</b>", "=Cy()")},
            {"no": 2, "podium": named("Flo", "Gus")},
        ],
    },
]
HALL = {
    "titles": counted(("Ana", 2), ("<b>Bea</b>", 1)),
    "wins": counted(("Ana", 9)),
    "seasons": counted(("=Cy()", 3), ("Ana", 2)),
}


def seat(name: str, place: int = 0, score: int = 0, *flags: str, crown: bool = False) -> dict[str, Any]:
    return {
        "person": len(name),
        "name": name,
        "crown": crown,
        "place": place,
        "score": score,
        "points": "4" if place else "",
        "share": 1.0 if place else None,
        "flags": list(flags),
    }


def table(no: int, state: str, *people: dict[str, Any], **other: Any) -> dict[str, Any]:
    return {
        "no": no,
        "division": 1,
        "round": 3,
        "state": state,
        "result": {"over": "played", "ruled": "ruled", "void": "void"}.get(state, ""),
        "cause": "",
        "why": "",
        "seats": len(people),
        "game": 40 + no,
        "ended_ms": 0,
        "replays": 0,
        "people": list(people),
        **other,
    }


TABLES = [
    table(
        7, "over", seat("Ana", 1, 31), seat("Flo", 2, 28, "took_over"), seat("Bea", 4, 0, "left", "abandoned")
    ),
    table(8, "planned", seat("<i>Cy</i>"), seat("Dan", crown=True), game=None),
]
ROUNDS = [
    {"no": n, "state": state, "starts_ms": NOW + (n - 3) * 14 * DAY, "ends_ms": NOW + (n - 2) * 14 * DAY}
    for n, state in enumerate(("closed", "closed", "open", "planned"), 1)
]
RELIABLE = {"in_time": 97, "finished": 100, "median_ms": 13 * HOUR, "slow_ms": 60 * HOUR, "questions": 120}
NOTHING = {"in_time": None, "finished": None, "median_ms": None, "slow_ms": None, "questions": 0}


def player() -> dict[str, Any]:
    place = {
        "division": 1,
        "several": True,
        "rank": 3,
        "of": 8,
        "points": "7.5",
        "played": 2,
        "wins": 1,
        "abandoned": 0,
        "penalty": "0",
    }
    return {
        "person": {"person": 1, "name": "Ana"},
        "reliability": RELIABLE,
        "seasons": [
            {"league": CUP, "season": SEASON, "entry": "playing", **place},
            {"league": CUP, "season": {**SEASON, "no": 1}, "entry": "withdrawn", **place, "points": "1"},
            {"league": CUP, "season": {**SEASON, "no": 3}, "entry": "signed", **place, "rank": 0},
        ],
        "results": [
            {
                "league": CUP,
                "season": 2,
                "round": 2,
                "table": 5,
                "game": 45,
                "place": 1,
                "of": 4,
                "score": 31,
                "ended_ms": NOW,
                "flags": [],
            },
            {
                "league": CUP,
                "season": 2,
                "round": 1,
                "table": 1,
                "game": 41,
                "place": 4,
                "of": 4,
                "score": 0,
                "ended_ms": NOW,
                "flags": ["left", "abandoned"],
            },
        ],
        "ratings": [
            {
                "league": CUP,
                "person": 1,
                "name": "Ana",
                "strength": 4.27,
                "mu": 27.0,
                "sigma": 7.58,
                "games": 2,
            }
        ],
    }


def stats() -> dict[str, Any]:
    people = [
        {"person": 1, "name": "Ana", "tables": 2, "abandoned": 0, **RELIABLE, "strength": 4.27},
        {"person": 2, "name": "<b>Bea</b>", "tables": 1, "abandoned": 1, **NOTHING, "strength": None},
    ]
    return {"tables": {"over": 8, "playing": 3, "void": 1}, "all": RELIABLE, "people": people}
