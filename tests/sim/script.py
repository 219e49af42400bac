"""A run as a script: the seed, who plays, and every fault with its hour.

Everything else follows from the seed.

A script is plain data: it is what a failing seed shrinks to, and what is kept in `kept/`.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from tests.sim.wires import Weather

CHANNELS = ("telegram", "matrix", "mail", "terminal")
#: the room that a group has there, by channel
GROUPS = {"telegram": "-1001234567890", "matrix": "!saturday:hs"}
#: tables where everybody answers in time, so that each line of the journal is foretold by the inbox
PATIENT = (
    "classic 700h no bank no restart",
    "original 700h no bank no restart",
    "deluxe random 700h no bank no restart",
    "deluxe devious dignitaries 700h no bank no restart",
)
#: tables with clocks that run out: misses, mercy, stand-ins
HASTY = (
    "classic 12h no bank standin bot no restart",
    "classic daily standin bot no restart",
    "original brisk standin caretaker no restart",
    "deluxe random 6h no bank no quiet no nights standin either no restart",
    "classic 3h no bank no restart standin bot",
)


@dataclass
class Event:
    """Something that happens at an hour, in virtual seconds from the beginning."""

    at: float
    what: str
    facts: dict[str, Any] = field(default_factory=dict)


@dataclass
class Script:
    """One run.

    `strict`: everybody answers in time. `tables`: for each its people ("mail:ana@x.test", …), bots, words,
    pace and ghosts. `hours`: people stop then, 0 means that they play to the end. `watched`: channels whose
    group follows the tables, and talks meanwhile.
    """

    seed: int
    strict: bool
    tables: list[dict[str, Any]]
    events: list[Event]
    breaker: bool = True
    hours: float = 0.0
    watched: list[str] = field(default_factory=list)

    def text(self) -> str:
        return json.dumps(asdict(self), indent=1, ensure_ascii=True) + "\n"


def read(path: Path) -> Script:
    return parsed(path.read_text(encoding="utf-8"))


def parsed(text: str) -> Script:
    """What `Script.text` wrote."""
    found = json.loads(text)
    return Script(**{**found, "events": [Event(**one) for one in found["events"]]})


def address(channel: str, name: str) -> str:
    return {"telegram": name, "matrix": f"@{name}:hs", "mail": f"{name}@x.test", "terminal": name}[channel]


def script(seed: int) -> Script:
    """What a seed stands for."""
    dice = random.Random(f"script {seed}")
    strict = seed % 2 == 0
    tables, names = [], iter(["ana", "bea", "cas", "dan", "eva", "fay", "gus", "hal", "ivo", "jon"])
    for _ in range(dice.choice((1, 1, 1, 2))):
        people = []
        for _ in range(dice.choice((2, 2, 2, 3))):
            channel = dice.choice(CHANNELS)
            people.append(f"{channel}:{address(channel, next(names))}")
        slow = dice.choice((600.0, 4 * 3600.0, 12 * 3600.0))
        ghosts = {one: dice.uniform(0, 48 * 3600) for one in people[1:] if not strict and dice.random() < 0.4}
        tables.append(
            {
                "people": people,
                "bots": dice.choice((0, 1, 1)),
                "words": dice.choice(PATIENT if strict else HASTY),
                "slow_s": slow,
                "ghosts": ghosts,
                "chatty": 0.0 if strict else dice.choice((0.0, 0.1, 0.3)),
            }
        )
    days = dice.choice((0.2, 1, 3, 6))
    events = sorted(faults(dice, days * 86_400), key=lambda one: one.at)
    for one in events:
        if one.what == "jump" and strict:  # the oracle tells by the clock which message was handled first
            one.facts["by"] = abs(one.facts["by"])
    return Script(
        seed,
        strict,
        tables,
        events,
        breaker=not strict and dice.random() < 0.5,
        hours=dice.choice((0.0, 0.0, 3.0, 12.0, 48.0)),
        watched=[one for one in GROUPS if random.Random(f"group {one} {seed}").random() < 0.5],
    )


#: what may go wrong: how often at most, what it is, and what of
FAULTS: tuple[tuple[int, str, Callable[[random.Random], dict[str, Any]]], ...] = (
    (
        8,
        "weather",
        lambda dice: {
            "channel": dice.choice(CHANNELS),
            "kind": dice.choice(Weather.KINDS),
            "seconds": round(dice.choice((5, 60, 600, 7200)) * dice.random(), 1),
        },
    ),
    (
        6,
        "kill",
        lambda dice: {
            "after": dice.choice((0, dice.randint(1, 60), dice.randint(1, 600))),
            "down": dice.choice((0.1, 3.0, 3.0, 600.0, 20_000.0)),
        },
    ),
    (
        4,
        "deadly",
        lambda dice: {
            "commits": dice.randint(1, 6),
            "when": dice.choice(("before", "after")),
            "down": dice.choice((0.1, 3.0, 600.0)),
        },
    ),
    (2, "full", lambda dice: {"seconds": round(dice.choice((1, 10, 300)) * dice.random(), 1)}),
    (
        2,
        "slow disk",
        lambda dice: {"seconds": dice.choice((10.0, 300.0)), "by": round(dice.uniform(0.05, 3), 2)},
    ),
    (1, "jump", lambda dice: {"by": dice.choice((-7200, -60, -2, 2, 60, 3600, 90_000))}),
    (1, "stop", lambda dice: {"down": dice.choice((0.1, 60.0, 3600.0))}),
    (4, "stranger", lambda dice: {"channel": dice.choice(CHANNELS), "number": dice.randrange(10_000)}),
    (4, "poison", lambda dice: {"channel": dice.choice(CHANNELS[:3]), "number": dice.randrange(10_000)}),
    (
        1,
        "flood",
        lambda dice: {
            "channel": dice.choice(CHANNELS[:3]),
            "count": dice.choice((30, 200)),
            "number": dice.randrange(10_000),
        },
    ),
    (1, "machine", lambda dice: {"number": dice.randrange(10_000)}),
    (1, "forged", lambda dice: {"number": dice.randrange(10_000)}),
)


def faults(dice: random.Random, seconds: float) -> list[Event]:
    """What goes wrong in that time."""
    found = []
    for most, what, facts in FAULTS:
        # half of it while the tables are being made and the first round is played, when the most is under way
        times = [
            dice.uniform(0, seconds if dice.random() < 0.6 else 1800) for _ in range(dice.randint(0, most))
        ]
        found += [Event(at, what, facts(dice)) for at in times]
    return found
