"""What is explained to somebody who plays for the first time: which lesson a letter brings, when, and that each comes once.

A seat that is taught has in `Seat.lessons` how (`learn`: the guided game, `hints`: the first rounds of a real one, `off`: no more)
and the lessons it has had.  When a lesson comes is told here by what the reader sees anyway: their own view, the events that are
told to them, the question they are asked; so a lesson can't know more than they do.  What it says stands in `lessons.toml`.
"""
from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from referee.store import GameEvent, Tx

LEARN, HINTS, OFF = "learn", "hints", "off"
#: in how many rounds of a real game hints are given
ROUNDS = 2


class Seen(NamedTuple):
    """What the reader of a letter sees: the kind of the question ("" for none), the verbs that answer it, events {name, facts}, the view."""

    kind: str
    verbs: frozenset[str]
    events: Sequence[Mapping[str, Any]]
    view: Mapping[str, Any]

    def happened(self, name: str, **facts: Any) -> bool:
        """Whether an event of that name, with these facts, is among the news."""
        return any(e["name"] == name and all(e["facts"].get(k) == v for k, v in facts.items()) for e in self.events)

    @property
    def me(self) -> int:
        """The reader's seat."""
        return int(self.view["you"])

    @property
    def character(self) -> str:
        """As whom the reader has the turn, "" where it is not their turn."""
        mine = self.view["players"][self.me]["revealed"] if self.kind == "turn" else ()
        return str(mine[-1]) if mine else ""


class Lesson(NamedTuple):
    """One lesson.  `part`: what it is about (one letter has one of each at most).  `hint`: it is told in a real game, too."""

    name: str
    part: str
    due: Callable[[Seen], bool]
    hint: bool = True


def _killed(seen: Seen) -> bool:
    mine = {e["facts"]["character"] for e in seen.events if e["name"] == "chose"}
    return any(e["name"] == "killed" and e["facts"]["character"] in mine for e in seen.events)


def _as(name: str) -> Callable[[Seen], bool]:
    return lambda seen: seen.character == name


#: in the order in which they are thought of; of those that fit, the first of each part that was not told yet is told
LESSONS: tuple[Lesson, ...] = (
    Lesson("goal", "goal", lambda seen: True, hint=False),
    Lesson("you-killed", "event", _killed),
    Lesson("you-robbed", "event", lambda seen: seen.happened("robbed", victim=seen.me)),
    Lesson("you-destroyed", "event", lambda seen: seen.happened("destroyed", victim=seen.me)),
    Lesson("you-swapped", "event", lambda seen: seen.happened("swapped", other=seen.me)),
    Lesson("last-round", "event", lambda seen: seen.happened("city_complete", first=True)),
    Lesson("your-crown", "event", lambda seen: seen.view["round"] > 1 and seen.happened("crowned", seat=seen.me)),
    Lesson("calling", "event", lambda seen: seen.happened("revealed")),
    Lesson("silent", "event", lambda seen: seen.happened("called"), hint=False),
    Lesson("crown-moved", "event", lambda seen: seen.view["round"] > 1 and seen.happened("crowned"), hint=False),
    Lesson("draft", "ask", lambda seen: seen.kind == "pick" and seen.view["edition"] == "classic"),
    Lesson("draft-any", "ask", lambda seen: seen.kind in ("pick", "draft") and seen.view["edition"] != "classic"),
    Lesson("discard", "ask", lambda seen: seen.kind == "discard"),
    Lesson("keep", "ask", lambda seen: seen.kind == "keep"),
    Lesson("graveyard", "ask", lambda seen: seen.kind == "graveyard", hint=False),
    Lesson("gather", "ask", lambda seen: seen.kind == "turn" and "gold" in seen.verbs),
    Lesson("build", "ask", lambda seen: seen.kind == "turn" and "gold" not in seen.verbs and "build" in seen.verbs),
    Lesson("end", "ask", lambda seen: seen.kind == "turn" and "gold" not in seen.verbs and "build" not in seen.verbs and "end" in seen.verbs),
    Lesson("draft-again", "ask", lambda seen: seen.kind == "pick" and seen.view["round"] > 1, hint=False),
    Lesson("as-assassin", "character", _as("Assassin")),
    Lesson("as-thief", "character", _as("Thief")),
    Lesson("as-magician", "character", _as("Magician")),
    Lesson("as-king", "character", _as("King")),
    Lesson("as-bishop", "character", _as("Bishop")),
    Lesson("as-merchant", "character", _as("Merchant")),
    Lesson("as-architect", "character", _as("Architect")),
    Lesson("as-warlord", "character", _as("Warlord")),
    Lesson("several", "tip", lambda seen: seen.kind == "turn" and "gold" in seen.verbs and seen.view["round"] > 1, hint=False),
    Lesson("look-up", "tip", lambda seen: seen.kind == "pick" and seen.view["round"] > 2, hint=False),
    Lesson("take-back", "tip", lambda seen: seen.kind == "turn" and "gold" not in seen.verbs and seen.view["round"] > 2, hint=False),
)
#: what a real game's one hint is about, the most useful first
_HINTS = ("ask", "event", "character")


def due(memory: str, kind: str, orders: Sequence[str], events: Sequence[Mapping[str, Any]], view: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The lessons, (part, name), that a letter brings with this news, and the question `kind` that `orders` answer ("": nothing is asked)."""
    mode, *had = memory.split(",")
    if mode not in (LEARN, HINTS) or not kind:
        return []
    seen = Seen(kind, frozenset(order.split(" ", 1)[0] for order in orders), events, view)
    found: dict[str, str] = {}
    for one in LESSONS:
        if one.part not in found and one.name not in had and (one.hint or mode == LEARN) and one.due(seen):
            found[one.part] = one.name
    if mode == HINTS:
        first = next((part for part in _HINTS if part in found), None) if view["round"] <= ROUNDS else None
        return [] if first is None else [(first, found[first])]
    if len(found) > 1:                                # enough to read
        found.pop("tip", None)
    if "goal" in found:
        found.pop("event", None)
    return list(found.items())


def recalled(tx: Tx, game_id: int, seat: int, news: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    """The news, before them whom the reader had picked in the round in which somebody was killed: an earlier letter told that."""
    at = max((e["no"] for e in news if e["name"] == "killed"), default=0)
    if not at:
        return news
    began = max((e.no for e in tx.all(GameEvent, game_id=game_id, name="round_began") if e.no < at), default=0)
    mine = [e for e in tx.all(GameEvent, game_id=game_id, to_seat=seat, name="chose") if began < e.no < at]
    return [*({"name": e.name, "facts": json.loads(e.facts), "no": e.no} for e in mine), *news]


def remembered(memory: str, names: Sequence[str]) -> str:
    """The memory of a seat after these lessons."""
    mode, *had = memory.split(",")
    return ",".join((mode, *had, *(name for name in names if name not in had)))


def mode_of(memory: str) -> str:
    """How a seat is taught: learn, hints, off, "" for somebody who needs none of it."""
    return memory.split(",", 1)[0]


def turned(memory: str, mode: str) -> str:
    """The same memory, taught in another way."""
    _, *had = memory.split(",")
    return ",".join((mode, *had))
