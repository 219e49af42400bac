"""The lessons there are, and when each fits: what is explained to somebody who plays for the first time.

When a lesson comes is told here by what the reader sees anyway: their own view, the events that are told to
them, the question they are asked; so a lesson can't know more than they do. What it says stands in
`lessons.toml`, who gets which in `teaching`. What is about a card is declared beside it (`Lesson` of
rules/declared.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ...rules import declared as cards
from ...rules.catalog import declared, every_card
from ...rules.powers import Heir


class LessonContext(NamedTuple):
    """What the reader of a letter sees: the kind of the question ("" for none), the verbs that answer it,
    events {name, facts}, the view.
    """

    kind: str
    verbs: frozenset[str]
    events: Sequence[Mapping[str, Any]]
    view: Mapping[str, Any]
    before: Sequence[Mapping[str, Any]] = ()  # what was told shortly before

    def happened(self, name: str, **facts: Any) -> bool:
        """Whether an event of that name, with these facts, is among the news."""
        return any(
            e["name"] == name and all(e["facts"].get(k) == v for k, v in facts.items()) for e in self.events
        )

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
    """One lesson.

    `part`: what it is about (one letter has one of each at most). `hint`: it is told in a real game, too.
    """

    name: str
    part: str
    due: Callable[[LessonContext], bool]
    hint: bool = True


def _named(event: str) -> Callable[[LessonContext], bool]:
    """Whether the news are that somebody named a character that the reader held in that round."""

    def due(seen: LessonContext) -> bool:
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


def _as(name: str, verbs: frozenset[str]) -> Callable[[LessonContext], bool]:
    """Whether the reader has the turn as this character, and its abilities (of whom is bewitched they are
    gone): what it does by an order is told while that order is possible.
    """
    return lambda seen: (
        seen.character == name
        and seen.view.get("bewitched") != name
        and (not verbs or bool(verbs & seen.verbs))
    )


def _asked(kind: str, verb: str = "") -> Callable[[LessonContext], bool]:
    """Whether this is asked, and can be answered with that verb."""
    return lambda seen: seen.kind == kind and (not verb or verb in seen.verbs)


def _gathered(verb: str, *without: str) -> Callable[[LessonContext], bool]:
    """Whether the reader's turn goes on after gathering with that verb, and without those."""
    return lambda seen: seen.kind == "turn" and verb in seen.verbs and not seen.verbs & {"gold", *without}


def _done_to_me(events: str, role: str) -> Callable[[LessonContext], bool]:
    """Whether one of these events happened to the reader, and not by their own hand."""
    names = frozenset(events.split())

    def mine(seen: LessonContext, facts: Mapping[str, Any]) -> bool:
        whom = facts.get(role)
        hit = seen.me in whom if isinstance(whom, list | tuple) else whom == seen.me
        return hit and (role == "seat" or facts.get("seat") != seen.me)

    return lambda seen: any(e["name"] in names and mine(seen, e["facts"]) for e in seen.events)


def _marked(mark: str) -> Callable[[LessonContext], bool]:
    """Whether that mark lies on the character as whom the reader has the turn."""

    def due(seen: LessonContext) -> bool:
        on = seen.view.get(mark) or ()
        return seen.character != "" and (
            seen.character == on if isinstance(on, str) else seen.character in on
        )

    return due


def _of_cards(*due: str) -> Iterator[Lesson]:
    """The lessons that cards declare, of these kinds."""
    for card, one in declared(cards.Lesson):
        if one.due not in due:
            continue
        if one.due == "as":
            slug = card.name.lower().replace(" ", "-")
            yield Lesson(one.name or f"as-{slug}", "character", _as(card.name, frozenset(one.verbs)))
        elif one.due == "asked":
            yield Lesson(one.name or one.what, "ask", _asked(one.what))
        elif one.due == "named":
            yield Lesson(one.name, "event", _named(one.what))
        elif one.due == "marked":
            yield Lesson(one.name, "event", _marked(one.what))
        else:
            yield Lesson(one.name, "event", _done_to_me(one.what, one.role))


#: characters to whom the crown comes with their rank
_HEIRS = frozenset(card.name for card in every_card() if isinstance(card, Heir))
#: in the order in which they are thought of; of those that fit, the first of each part that was not told yet
#: is told
LESSONS: tuple[Lesson, ...] = (
    Lesson("goal", "goal", lambda seen: True, hint=False),
    # what was done to the reader
    *_of_cards("named", "marked", "done"),
    # what happened at the table
    Lesson("last-round", "event", lambda seen: seen.happened("city_complete", first=True)),
    Lesson(
        "your-crown",
        "event",
        lambda seen: (
            seen.view["round"] > 1 and seen.happened("crowned", seat=seen.me) and seen.character not in _HEIRS
        ),
    ),
    Lesson("calling", "event", lambda seen: seen.happened("revealed"), hint=False),
    Lesson("silent", "event", lambda seen: seen.happened("called"), hint=False),
    Lesson(
        "crown-moved",
        "event",
        lambda seen: (
            seen.view["round"] > 1 and seen.happened("crowned") and not seen.happened("crowned", seat=seen.me)
        ),
        hint=False,
    ),
    # what is asked
    Lesson("draft", "ask", lambda seen: seen.kind == "pick" and seen.view["edition"] == "classic"),
    Lesson("draft-any", "ask", lambda seen: seen.kind == "pick" and seen.view["edition"] != "classic"),
    Lesson("discard", "ask", _asked("discard")),
    Lesson("keep", "ask", _asked("keep")),
    Lesson("gather", "ask", _asked("turn", "gold")),
    Lesson(
        "draft-again",
        "ask",
        lambda seen: seen.kind == "pick" and seen.view["round"] > 1 and seen.view["edition"] == "classic",
        hint=False,
    ),
    *_of_cards("asked"),
    # as whom the reader has the turn
    *_of_cards("as"),
    # how a turn goes on
    Lesson(
        "build", "then", lambda seen: _gathered("build")(seen) and not seen.view["players"][seen.me]["city"]
    ),
    Lesson("end", "then", _gathered("end", "build")),
    # what else there is
    Lesson(
        "several",
        "tip",
        lambda seen: seen.kind == "turn" and "gold" in seen.verbs and seen.view["round"] > 1,
        hint=False,
    ),
    Lesson("look-up", "tip", lambda seen: seen.kind == "pick" and seen.view["round"] > 2, hint=False),
    Lesson(
        "take-back",
        "tip",
        lambda seen: seen.kind == "turn" and "gold" not in seen.verbs and seen.view["round"] > 2,
        hint=False,
    ),
)
