"""A value for every fact that a sentence may need, and what a sentence looks like."""

from __future__ import annotations

import re
from typing import Any

NAMES = ["Ana", "Bea", "Cy"]

#: a value for every fact that a sentence may need
FACTS: dict[str, Any] = {
    "on": True,
    "words": 60,
    "signs": 400,
    "seat": 1,
    "other": 2,
    "victim": 0,
    "victims": [0, 2],
    "player": 2,
    "crown": 0,
    "waiting": [1],
    "winners": [1],
    "players": ["Ana", "Bea", "Cy"],
    "names": ["Bea", "Cy"],
    "missing": ["Cy"],
    "gold": 2,
    "paid": 3,
    "count": 2,
    "points": 5,
    "price": 5,
    "limit": 1,
    "least": 1,
    "most": 3,
    "rank": 4,
    "round": 3,
    "rounds": 12,
    "number": 4,
    "last": 3,
    "bytes": 300_000,
    "character": "King",
    "characters": ["King", "Thief"],
    "district": "Market",
    "card": "Market",
    "cards": ["Market", "Temple"],
    "type": "noble",
    "target": "King",
    "by": "Keep",
    "verb": "build",
    "kind": "turn",
    "kinds": ["gentle", "strong"],
    "source": "Laboratory",
    "needs": ["Architect", "Smithy"],
    "expected": ["build <D>"],
    "forms": ("redraw <D>+", "build <D>"),
    "name": "Bea",
    "given": "Bea 2",
    "why": "self",
    "edition": "classic",
    "known": ["classic"],
    "option": "complete_city",
    "value": 9,
    "allowed": [7, 8],
    "first": True,
    "flowered": True,
    "reason": "city",
    "scores": [],
    "candidates": ("build Market", "build Manor"),
    "word": "xyzzy",
    "place": "seats",
    "command": "rules",
    "usage": "rules Thief",
    "near": ("Thief", "Temple"),
    "room": "Citadels Lisbon",
    "rooms": ["Citadels Lisbon (telegram:-5)"],
    "several": False,
    "state": "sent",
    "made": "2026-11-20 03:00 UTC",
    "quoted": "gold",
    "quotes": ["gold", "end"],
    "until": 1_795_000_000_000,
    "days": 3,
    "hours": "22:00-07:00",
    "line": "24h a move.",
    "level": "turns",
    "pace": "24h a move",
    "hour": "08:00",
    "due_ms": 1_795_000_000_000,
    "probation": 2,
    "replace": 3,
    "mode": "open",
    "made_ms": 1_795_000_000_000,
    "had": True,
    "public": True,
    "address": "ana@example.org",
    "what": "person",
    "whispers": [18],
    "how": "dark",
    "minutes": 3,
    "topics": ("orders", "turn"),
    "game": 17,
    "fresh": 18,
    "games": [17, 18],
    "numbers": [12, 13],
    "window": 123,
    "open": 124,
    "yes": True,
    "rule": "silence",
    "key": True,
    "act": "pause",
    "begun": True,
    "you": False,
    "seed": "5f0c",
    "deal": 1,
    "seed_hash": "9f86",
    "zone": "Europe/Lisbon",
    "tongue": "English",
    "here": False,
    "channel": "mail",
    "channels": ["mail", "matrix"],
    "code": "odd",
    "setup": "x",
    "others": [{"channel": "mail", "address": "ana@example.org"}],
    "addresses": [{"channel": "mail", "address": "ana@example.org"}],
    "partner": {"channel": "matrix", "address": "@ana:example.org"},
    "said": "xyzzy",
    "back": True,
    "playing": ["#17", "#18"],
    "gathering": ["#19"],
    "over": 2,
    "leagues": ["Winter Cup"],
    "link": "https://citadels.example.org/me/data",
}


def facts(spec: str) -> dict[str, Any]:
    """Values for the facts named in a contract's line: "seat, victim, gold", "private: cards to choose
    from".
    """
    plain = re.sub(r"^private[^:]*:", "", spec)
    return {word: FACTS[word] for word in re.findall(r"[a-z_]+", plain) if word in FACTS}


def sentence(text: str) -> None:
    assert text, "nothing said"
    assert text[0].isupper() or text[0] in "“…–" or text[0].isdigit(), text
    assert text[-1] in ".?…", text
    assert "  " not in text
    for odd in ("None", "{{", "[", "']", "()", " .", " ,", ".."):
        assert odd not in text, text
