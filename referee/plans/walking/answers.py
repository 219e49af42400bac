"""The pages of what is asked: standing answers, and when the player is to be asked after all."""

from __future__ import annotations

from collections.abc import Iterator

from ..cards import powers_of
from ..model import Order
from ..notation import words_of
from ..questions import QUESTIONS, WITH_COST
from .lines import asking
from .model import Entry, Ground, Walk
from .taps import at, back, noted

#: what may befall somebody, as it is typed, with the order that does it
_BEFALLS = (("robbed", "rob"), ("bewitched", "bewitch"), ("threatened", "threaten"), ("warranted", "warrant"))


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


def _possible(question: str, table: Ground) -> Iterator[str]:
    """The standing answers that are offered to a question."""
    verb, no = QUESTIONS[question].yes[0], QUESTIONS[question].no
    if question == "emperor":
        yield from (
            f"{words_of(Order('crown', (seat,)), table.names)} always"
            for seat in range(len(table.names))
            if seat != table.me
        )
        yield "crown ask me"
    elif question == "keep":
        yield from ("keep dearest always", "keep cheapest always", "keep dearest ask me")
    elif question == "hospital":
        yield from (
            "hospital gold always",
            "hospital cards always",
            "hospital gold never",
            "hospital gold ask me",
        )
    elif question == "theater":
        yield from ("exchange never", "exchange ask me")
    else:
        yield f"{verb} always"
        if question in WITH_COST:
            yield from (
                f"{verb} if cost {'<=' if question == 'threat' else '>='} {n}"
                for n in ((1, 2, 3) if question == "threat" else (3, 4, 5))
            )
        if no:
            yield f"{verb} never"
        yield f"{verb} ask me"


def asks(walk: Walk, table: Ground) -> Iterator[Entry]:
    """What must have happened for the player to be asked after all."""
    verbs = {shape.verb for name in table.cast for shape in powers_of(name, table.edition)}
    offers = [event for event, verb in _BEFALLS if verb in verbs]
    offers += [
        "my hand changed",
        "I have the crown",
        *(f"{name} has the crown" for seat, name in enumerate(table.names) if seat != table.me),
    ]
    for one in offers:
        if one not in walk.listed:
            yield Entry(one, walk._replace(listed=(*walk.listed, one)))
    if walk.listed:
        yield Entry("done", noted(walk, "ask", asking(walk.listed)), "menu-done")
    yield back(walk)
