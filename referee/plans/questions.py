"""What may be answered once for all: the questions that come outside one's own turn, or again and again.

They are declared beside the cards that ask them (`Question` of rules/declared.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..rules.catalog import declared
from ..rules.declared import LAST, Free, Question, Within
from ..rules.shapes import Shape

#: what is kept of the cards that were drawn: the flow's own question, and the last one on the menu
_KEEP = Question(
    "keep",
    ("keep",),
    ("keep",),
    offers=("keep dearest always", "keep cheapest always", "keep dearest ask me"),
    place=LAST + 1,
)


def _questions() -> dict[str, Question]:
    """By name; several cards may ask the same in kinds of their own."""
    found = {_KEEP.name: _KEEP}
    for _, one in declared(Question):
        known = found.setdefault(one.name, one)
        found[one.name] = known._replace(kinds=tuple(dict.fromkeys((*known.kinds, *one.kinds))))
    return dict(sorted(found.items(), key=lambda item: item[1].place))


QUESTIONS: Mapping[str, Question] = _questions()
#: question -> the cards one of which must be in the game for it to be asked; () where none need be
ASKED_BY: Mapping[str, tuple[str, ...]] = {
    name: tuple(card.name for card, one in declared(Question) if one.name == name != _KEEP.name)
    for name in QUESTIONS
}
#: kind of an Ask -> the question it is
BY_KIND = {kind: name for name, question in QUESTIONS.items() for kind in question.kinds}
#: kinds that are asked while it is somebody else's turn, or nobody's: a script has no answer to them
OFF_TURN = frozenset(kind for question in QUESTIONS.values() if question.off_turn for kind in question.kinds)
#: orders that answer a question within one's own turn: in a script they are passed over where it is not asked
ANSWERS = frozenset(
    {
        "pass",
        *(one.verb for _, one in declared(Within)),
        *(verb for one in QUESTIONS.values() if not one.off_turn for verb in (*one.yes, one.no) if verb),
    }
)
#: the selection of a character, and where two play also what is put away
DRAFT = ("pick", "discard")
TURN = "turn"
#: orders that are never given in one's own turn, whatever follows the verb
_ELSEWHERE = frozenset(
    {*DRAFT, *(verb for one in QUESTIONS.values() if one.apart and not one.forms for verb in one.yes)}
)
#: questions that are named first in an answer
HEADED = tuple(name for name, question in QUESTIONS.items() if question.headed)
#: orders that answer a question also where it is not yet said at whom
BARE = frozenset(verb for question in QUESTIONS.values() for verb in question.yes if verb in question.forms)
#: orders that others are asked for, not the owner of the card
OF_OTHERS = frozenset(
    verb for question in QUESTIONS.values() if question.of_others for verb in (*question.yes, question.no)
)
#: cost nothing, bring something for sure, and have no choice in them: taken before `end` where they were
#: forgotten
FREE = tuple(dict.fromkeys(one.verb for _, one in declared(Free)))
_FORMS = {name: tuple(map(Shape, question.forms)) for name, question in QUESTIONS.items()}


def fits(question: Question, verb: str, args: tuple[Any, ...]) -> bool:
    """Whether it is the order of that question and not another one with its verb."""
    forms = _FORMS[question.name]
    if verb not in question.yes:
        return False
    return not forms or any(form.verb == verb and form.fits(args) for form in forms)


def elsewhere(verb: str, args: tuple[Any, ...]) -> bool:
    """Whether such an order is never given in one's own turn."""
    return verb in _ELSEWHERE or any(
        args and fits(question, verb, args) for question in QUESTIONS.values() if question.apart
    )
