"""Questions to Ana at one table, made by hand: her view of it, a plan for it, and what the plan answers."""

from __future__ import annotations

from typing import Any

from referee.plans import Answer, Plan, answer, filed
from referee.text import Cards, Reading
from referee.text.reading.plans import read_plan

NAMES = ("Ana", "Bea", "Cy", "Dan")
CAST = ("Assassin", "Thief", "Magician", "King", "Bishop", "Merchant", "Architect", "Warlord")
BUILDS = ("build Docks", "build Temple", "build Manor")


def seen(*orders: str, kind: str = "turn", character: str = "Merchant", **more: Any) -> dict[str, Any]:
    """Ana's view in her turn as that character, these orders being all that is on offer."""
    ranks = {name: n for n, name in enumerate(CAST, 1)}
    players = [
        {
            "seat": n,
            "name": name,
            "gold": 4,
            "hand_size": 3,
            "city": [],
            "revealed": [],
            "complete": False,
            "points": 0,
        }
        for n, name in enumerate(NAMES)
    ]
    players[0]["revealed"] = [character]
    players[1]["city"] = [
        {"name": "Market", "cost": 2, "type": "trade"},
        {"name": "Tavern", "cost": 1, "type": "trade"},
    ]
    return {
        "edition": "classic",
        "round": 3,
        "phase": "turns",
        "crown": 1,
        "called": ranks[character],
        "deck": 30,
        "faceup": ["Thief"],
        "complete_at": 8,
        "waiting": [],
        "players": players,
        "you": 0,
        "hand": ["Docks", "Temple", "Manor"],
        "characters": [character],
        "killed": None,
        "robbed": None,
        "ask": {
            "kind": kind,
            "number": 9,
            "moves": [move(one) for one in orders],
            "families": more.pop("families", []),
        },
        **more,
    }


def move(text: str) -> list[Any]:
    verb, *words = text.split(" ")
    if verb == "keep":
        return [verb, [[" ".join(words)]]]
    return [
        verb,
        [NAMES.index(w) if w in NAMES else w for w in words]
        if verb in ("destroy", "exchange", "crown")
        else [" ".join(words)]
        if words
        else [],
    ]


def plan(*lines: str, view: dict[str, Any] | None = None) -> Plan:
    at = Reading("en", NAMES, None, view or seen("gold", characters=[]), Cards(CAST))
    found = read_plan("\n".join(lines), at)
    assert isinstance(found, Plan), found
    return found


def first(filing: Plan, view: dict[str, Any], before: dict[str, Any] | None = None) -> Answer:
    """What the plan says to this question, filed with what was seen before."""
    return answer(filing, view, filed(filing, before or view))


def then(filing: Plan, *views: dict[str, Any]) -> list[Any]:
    """The answers to one question after the other: a verb with its arguments, the code of a stop, or None."""
    memory, out = filed(filing, views[0]), []
    for view in views:
        found = answer(filing, view, memory)
        memory = found.memory
        out.append(
            (found.move.verb, *found.move.args) if found.move else found.stop.code if found.stop else None
        )
    return out


def picking(*characters: str, **more: Any) -> dict[str, Any]:
    return seen(
        *(f"pick {c}" for c in characters),
        kind="pick",
        **{"phase": "draft", "called": None, "characters": [], "picking": list(characters), **more},
    )


def purse(gold: int, *orders: str, **more: Any) -> dict[str, Any]:
    view = seen(*orders, **more)
    view["players"][0]["gold"] = gold
    return view


def outside(*orders: str, kind: str, **more: Any) -> dict[str, Any]:
    """A question while it is another's turn: Ana's character was called before."""
    return seen(*orders, kind=kind, **{"called": 8, **more})
