"""The pages of what is asked: standing answers, and when the player is to be asked after all."""

from __future__ import annotations

from collections.abc import Iterator

from ..cards import powers_of
from ..questions import QUESTIONS
from .lines import asking
from .model import Entry, Ground, Walk
from .taps import at, back, noted

#: what may befall somebody, as it is typed, with the order that does it
_BEFALLS = (("robbed", "rob"), ("bewitched", "bewitch"), ("threatened", "threaten"), ("warranted", "warrant"))
#: what stands for a player in an answer that is offered
_SOMEBODY = "{player}"
#: so long a line is still read, with "this round" before it
_LONGEST = 180


def answers(walk: Walk, table: Ground) -> Iterator[Entry]:
    """The question that is to be answered for good."""
    for name in table.questions:
        yield Entry(name, walk._replace(page="answer", who=name), f"asked-{name}")
    yield back(walk)


def answer(walk: Walk, table: Ground) -> Iterator[Entry]:
    """The answer to it."""
    question = walk.who
    for line in _possible(question, table):
        yield Entry(line, noted(walk, question, line))
    yield Entry("back", at(walk, "answers"), "menu-back")


def _possible(name: str, table: Ground) -> Iterator[str]:
    """The standing answers that are offered to a question."""
    question = QUESTIONS[name]
    for line in question.offers:
        if _SOMEBODY in line:
            others = (one for seat, one in enumerate(table.names) if seat != table.me)
            yield from (line.replace(_SOMEBODY, one) for one in others)
        else:
            yield line
    if not question.offers:
        yield f"{question.yes[0]} always"
        yield from (f"{question.yes[0]} if cost {question.compares} {n}" for n in question.prices)
        if question.no:
            yield f"{question.yes[0]} never"
        yield f"{question.yes[0]} ask me"


def asks(walk: Walk, table: Ground) -> Iterator[Entry | None]:
    """What must have happened for the player to be asked after all."""
    verbs = {shape.verb for name in table.cast for shape in powers_of(name, table.edition)}
    offers = [event for event, verb in _BEFALLS if verb in verbs]
    offers += [
        "my hand changed",
        "I have the crown",
        *(f"{name} has the crown" for seat, name in enumerate(table.names) if seat != table.me),
    ]
    for one in offers:
        listed = (*walk.listed, one)
        fits = one not in walk.listed and len(asking(listed)) <= _LONGEST
        yield Entry(one, walk._replace(listed=listed)) if fits else None
    yield back(walk)
    yield Entry("done", noted(walk, "ask", asking(walk.listed)), "menu-done") if walk.listed else None
