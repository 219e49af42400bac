"""The lessons there are, and when each fits: what is explained to somebody who plays for the first time.

When a lesson comes is told here by what the reader sees anyway: their own view, the events that are told to
them, the question they are asked; so a lesson can't know more than they do. What it says stands in
`lessons.toml`, who gets which in `teaching`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple


class Seen(NamedTuple):
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


def _as(name: str, verbs: frozenset[str]) -> Callable[[Seen], bool]:
    """Whether the reader has the turn as this character, and its abilities (of whom is bewitched they are
    gone): what it does by an order is told while that order is possible.
    """
    return lambda seen: (
        seen.character == name
        and seen.view.get("bewitched") != name
        and (not verbs or bool(verbs & seen.verbs))
    )


def _asked(kind: str, verb: str = "") -> Callable[[Seen], bool]:
    """Whether this is asked, and can be answered with that verb."""
    return lambda seen: seen.kind == kind and (not verb or verb in seen.verbs)


def _gathered(verb: str, *without: str) -> Callable[[Seen], bool]:
    """Whether the reader's turn goes on after gathering with that verb, and without those."""
    return lambda seen: seen.kind == "turn" and verb in seen.verbs and not seen.verbs & {"gold", *without}


def _done_to_me(event: str, role: str = "victim") -> Callable[[Seen], bool]:
    """Whether that happened to the reader."""
    return lambda seen: seen.happened(event, **{role: seen.me})


#: every character, with the orders that its lesson is about; none: what it is about happens by itself, or is
#: worth knowing at any time of the turn
_CHARACTERS = {
    "Assassin": "kill",
    "Witch": "gold",
    "Magistrate": "warrant",
    "Thief": "rob",
    "Spy": "spy",
    "Blackmailer": "threaten",
    "Magician": "swap redraw",
    "Wizard": "peek",
    "Seer": "see",
    "King": "",
    "Emperor": "crown",
    "Patrician": "",
    "Bishop": "",
    "Abbot": "",
    "Cardinal": "",
    "Merchant": "",
    "Alchemist": "",
    "Trader": "",
    "Architect": "draw",
    "Navigator": "sail",
    "Scholar": "study",
    "Warlord": "destroy",
    "Diplomat": "exchange",
    "Marshal": "seize",
    "Queen": "favor",
    "Artist": "beautify",
    "Tax Collector": "",
}
#: in the order in which they are thought of; of those that fit, the first of each part that was not told yet
#: is told
LESSONS: tuple[Lesson, ...] = (
    Lesson("goal", "goal", lambda seen: True, hint=False),
    # what was done to the reader
    Lesson("you-killed", "event", _named("killed")),
    Lesson(
        "you-bewitched",
        "event",
        lambda seen: seen.character != "" and seen.view.get("bewitched") == seen.character,
    ),
    Lesson("you-robbed", "event", _done_to_me("robbed")),
    Lesson(
        "you-destroyed",
        "event",
        lambda seen: any(
            e["name"] == "destroyed" and e["facts"]["victim"] == seen.me != e["facts"]["seat"]
            for e in seen.events
        ),
    ),
    Lesson("you-swapped", "event", _done_to_me("swapped", "other")),
    Lesson("you-warranted", "event", lambda seen: seen.character in seen.view.get("warrants", ())),
    Lesson("you-confiscated", "event", _done_to_me("confiscated")),
    Lesson("you-spied", "event", _done_to_me("spied", "other")),
    Lesson("you-peeked", "event", _done_to_me("took_card")),
    Lesson(
        "you-seen",
        "event",
        lambda seen: any(e["name"] == "saw" and seen.me in e["facts"]["victims"] for e in seen.events),
    ),
    Lesson(
        "you-crowned",
        "event",
        lambda seen: (
            seen.happened("tribute_gold", victim=seen.me) or seen.happened("tribute_card", victim=seen.me)
        ),
    ),
    Lesson("you-tithed", "event", _done_to_me("tithe")),
    Lesson("you-lent", "event", _done_to_me("borrowed")),
    Lesson("you-seized", "event", _done_to_me("seized")),
    Lesson("you-exchanged", "event", _done_to_me("exchanged")),
    Lesson("you-taxed", "event", _done_to_me("taxed", "seat")),
    Lesson("you-changed", "event", _done_to_me("theater", "other")),
    Lesson("you-resumed", "event", _done_to_me("resumed", "seat")),
    # what happened at the table
    Lesson("last-round", "event", lambda seen: seen.happened("city_complete", first=True)),
    Lesson(
        "your-crown",
        "event",
        lambda seen: (
            seen.view["round"] > 1
            and seen.happened("crowned", seat=seen.me)
            and seen.character not in ("King", "Patrician")
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
    *(
        Lesson(kind, "ask", _asked(kind))
        for kind in (
            "graveyard",
            "study",
            "wizard",
            "seer",
            "emperor",
            "bewitch",
            "warrant",
            "threat",
            "reveal",
            "theater",
            "hospital",
            "bell-tower",
            "lighthouse",
        )
    ),
    # as whom the reader has the turn
    *(
        Lesson("as-" + name.lower().replace(" ", "-"), "character", _as(name, frozenset(verbs.split())))
        for name, verbs in _CHARACTERS.items()
    ),
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
