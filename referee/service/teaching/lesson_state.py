"""How a seat is taught: which lessons come with a letter or a page, and that each is told once.

A seat that is taught has in `Seat.lessons` how (`learn`: the guided game, `hints`: the first rounds of a real
one, `off`: no more) and the lessons it has had; those that came with the last question that brought any bear
its number (`draft@12`), so that a page which is looked at again shows them as long as that question is open.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from referee.ids import NO_QUESTION, QuestionNo

from .lessons import LESSONS, LessonContext

LEARN, HINTS, OFF = "learn", "hints", "off"
#: in how many rounds of a real game hints are given
ROUNDS = 2
#: what lessons are about, the most useful first
_FIRST = ("goal", "event", "ask", "character", "then", "tip")
#: in a real game, where a letter brings one
_HINTS = ("ask", "event", "character", "then")
#: this many come with a letter of the guided game: it has enough to read
_MOST = 2


def choose_lessons(
    memory: str,
    kind: str,
    orders: Sequence[str],
    events: Sequence[Mapping[str, Any]],
    view: Mapping[str, Any],
    before: Sequence[Mapping[str, Any]] = (),
) -> list[tuple[str, str]]:
    """The lessons, (part, name), that come with this news and the question `kind` that `orders` answer ("":
    nothing is asked). `before`: what the reader was told shortly before.
    """
    mode = mode_of(memory)
    if mode not in (LEARN, HINTS) or not kind:
        return []
    known = had(memory)
    seen = LessonContext(kind, frozenset(order.split(" ", 1)[0] for order in orders), events, view, before)
    found: dict[str, str] = {}
    for one in LESSONS:
        if one.part not in found and one.name not in known and (one.hint or mode == LEARN) and one.due(seen):
            found[one.part] = one.name
    if mode == HINTS:
        return (
            [(part, found[part]) for part in _HINTS if part in found][:1] if view["round"] <= ROUNDS else []
        )
    if "goal" in found:  # which says what the game is, before anything that happens in it
        found.pop("event", None)
    if len(found) > 1:
        found.pop("tip", None)
    return [(part, found[part]) for part in _FIRST if part in found][:_MOST]


def told_with(memory: str, question: QuestionNo) -> list[tuple[str, str]]:
    """The lessons, (part, name), that came with a question."""
    at = (
        {name for name, number in _entries(memory) if number == str(question)}
        if mode_of(memory) in (LEARN, HINTS)
        else set()
    )
    return [(one.part, one.name) for one in LESSONS if one.name in at]


def remembered(memory: str, names: Sequence[str], question: QuestionNo = NO_QUESTION) -> str:
    """The memory of a seat after these lessons, which came with a question (0: with none)."""
    if not names:
        return memory
    mark = f"@{question}" if question else ""
    kept = [f"{name}@{number}" if number == str(question) else name for name, number in _entries(memory)]
    return ",".join((mode_of(memory), *kept, *(f"{name}{mark}" for name in names if name not in had(memory))))


def had(memory: str) -> frozenset[str]:
    """The names of the lessons that a seat has had."""
    return frozenset(name for name, _ in _entries(memory))


def mode_of(memory: str) -> str:
    """How a seat is taught: learn, hints, off, "" for somebody who needs none of it."""
    return memory.split(",", 1)[0]


def set_mode(memory: str, mode: str) -> str:
    """The same memory, taught in another way."""
    _, *entries = memory.split(",")
    return ",".join((mode, *entries))


def _entries(memory: str) -> list[tuple[str, str]]:
    """(name, number of the question or "")."""
    return [(name, number) for name, _, number in (entry.partition("@") for entry in memory.split(",")[1:])]
