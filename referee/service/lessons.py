"""The lessons there are, and when each fits: what is explained to somebody who plays for the first time.

When a lesson comes is told here by what the reader sees anyway: their own view, the events that are told to them, the question
they are asked; so a lesson can't know more than they do.  What it says stands in `lessons.toml`, who gets which in `teaching`.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple


class Seen(NamedTuple):
    """What the reader of a letter sees: the kind of the question ("" for none), the verbs that answer it, events {name, facts}, the view."""

    kind: str
    verbs: frozenset[str]
    events: Sequence[Mapping[str, Any]]
    view: Mapping[str, Any]
    before: Sequence[Mapping[str, Any]] = ()          # what was told shortly before

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


def _named(event: str) -> Callable[[Seen], bool]:
    """Whether the news are that somebody named a character that the reader held in that round."""
    def due(seen: Seen) -> bool:
        mine: set[str] = set()
        for at, one in enumerate((*seen.before, *seen.events)):
            if one["name"] == "round_began":
                mine = set()
            elif one["name"] == "chose":
                mine.add(one["facts"]["character"])
            elif one["name"] == "character_came":
                mine = mine - {one["facts"]["given"]} | {one["facts"]["character"]}
            elif one["name"] == event and at >= len(seen.before) and one["facts"]["character"] in mine:
                return True
        return False

    return due


def _as(name: str) -> Callable[[Seen], bool]:
    return lambda seen: seen.character == name


#: in the order in which they are thought of; of those that fit, the first of each part that was not told yet is told
LESSONS: tuple[Lesson, ...] = (
    Lesson("goal", "goal", lambda seen: True, hint=False),
    Lesson("you-killed", "event", _named("killed")),
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
