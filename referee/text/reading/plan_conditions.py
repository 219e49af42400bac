"""Reading a condition of a plan: "I have the crown and gold >= 4"."""

from __future__ import annotations

from collections.abc import Sequence

from ...plans.conditions import never
from ...plans.model import EVENTS, ME, NUMBERS, Condition, Fact
from ...plans.notation import condition_text, test_text
from ..folding import clean
from ..meter import spend
from .plan_words import PlanMistake, card_named, parted, seat_named, spelled, without_fillers
from .terms import Reading

#: more are not joined
MOST = 3
_SIGNS = {"at_least": ">=", "at_most": "<=", "more": ">", "less": "<", "exactly": "="}


def read_condition(
    words: Sequence[str],
    reading: Reading,
    *,
    question: bool = False,
    asking: bool = False,
    scope: int | None = None,
) -> Condition:
    """The condition that these words are, where "and" joins.

    Raises PlanMistake, also for what can never hold.

    `question`: it stands with an answer to a question, and may speak of a card and its cost; `asking`: after
    "ask me if".
    """
    found = _joined(list(words), reading, question)
    if len(found) > MOST:
        raise PlanMistake("plan-too-many-conditions", most=MOST)
    names = tuple(reading.names)
    for test in found:
        if test.kind == "event" and not asking:
            raise PlanMistake("plan-only-ask", condition=test_text(test, names))
        if test.kind in ("card", "cost") and not question:
            raise PlanMistake("plan-no-card-here", condition=test_text(test, names))
    view = reading.view or {}
    clash = never(found, str(view.get("edition", "")), int(view.get("round", 1)), scope, view.get("you"))
    if clash:
        raise PlanMistake("plan-never-holds", condition=condition_text(clash, names))
    return found


def _joined(words: list[str], reading: Reading, question: bool) -> Condition:
    """Cut at "and" wherever every part can be read; a name may have the word in it."""
    said, found = spelled(reading), list[Fact]()
    while True:
        spend()
        try:
            return (*found, _one(words, reading, question))
        except PlanMistake as mistake:
            whole = mistake
        for at in range(1, len(words) - 1):
            used = said.begins(words, "and", at)
            if used:
                try:
                    found.append(_one(words[:at], reading, question))
                except PlanMistake as mistake:
                    whole = mistake
                    continue
                words = words[at + used :]
                break
        else:
            raise whole


def _one(words: list[str], reading: Reading, question: bool) -> Fact:
    said, line = spelled(reading), clean(" ".join(words), 80)
    plain = without_fillers(words, reading)
    for event in EVENTS:
        if said.whole(plain, event) or said.whole(words, event):
            return Fact("event", "is", event)
    if said.ends(plain, "crown"):
        return _crown(plain[: -said.ends(plain, "crown")], reading, line)
    if said.ends(plain, "faceup"):
        return _faceup(plain[: -said.ends(plain, "faceup")], reading)
    numeric = _numeric(words, reading)
    if numeric:
        return numeric
    if any(word.isdecimal() for word in words):  # no card has a number in its name
        raise PlanMistake("plan-condition", word=line)
    held = _held(plain, reading)
    if held:
        return held
    if question:
        return _card(plain, reading)
    raise PlanMistake("plan-condition", word=line)


def _crown(words: list[str], reading: Reading, line: str) -> Fact:
    said = spelled(reading)
    for key, operator in (("has_not", "not"), ("has", "is")):
        used = said.ends(words, key)
        if used:
            who = words[:-used]
            if said.whole(who, "i") or (
                not who and said.whole(words, "i_have_not" if operator == "not" else "i_have")
            ):
                return Fact("crown", operator, ME)
            seat = seat_named(who, reading)
            mine = (reading.view or {}).get("you")
            return Fact("crown", operator, ME if seat == mine and mine is not None else seat)
    raise PlanMistake("plan-condition", word=line)


def _faceup(words: list[str], reading: Reading) -> Fact:
    said = spelled(reading)
    for key, operator in (("is_not", "not"), ("is", "is")):
        used = said.ends(words, key)
        if used:
            return Fact("faceup", operator, card_named(words[:-used], "characters", reading))
    return Fact("faceup", "is", card_named(words, "characters", reading))


def _numeric(words: list[str], reading: Reading) -> Fact | None:
    """What is compared with a number, the words in any order; None where there is no number.

    Words that mean nothing are left out only after the comparing ones are found, of which they may be a part
    ("pelo menos 4").
    """
    numbers = [word for word in words if word.isdecimal()]
    if len(numbers) != 1 or len(numbers[0]) > 3:
        return None
    rest = ["#" if word == numbers[0] else word for word in words]  # "less 4 than" compares nothing
    said = spelled(reading)
    signs = []
    for key, sign in _SIGNS.items():
        at, used = said.find(rest, key)
        if used:
            signs.append(sign)
            del rest[at : at + used]
    rest.remove("#")
    rest = [
        word
        for word in without_fillers(rest, reading)
        if not any(said.whole([word], key) for key in ("i", "has", "is"))
    ]
    kinds = [kind for kind in NUMBERS if said.whole(rest, kind)] or [
        kind for kind in NUMBERS if rest and all(said.whole([w], kind) for w in rest)
    ]
    if len(kinds) != 1:
        return None
    kind, number = kinds[0], int(numbers[0])
    if not signs and kind == "round":
        signs = ["="]
    if len(signs) != 1:
        raise PlanMistake(
            "plan-compare",
            kind=kind,
            number=number,
            suggestions=[f"{kind} {sign} {number}" for sign in (">=", "<=", "=")],
        )
    return Fact(kind, signs[0], number)


def _held(words: list[str], reading: Reading) -> Fact | None:
    """ "my hand holds Temple", "I have Temple"."""
    said = spelled(reading)
    for subject in ("hand", "i"):
        start = said.begins(words, subject)
        for key, operator in (("has_not", "not"), ("has", "is")):
            used = said.begins(words, key, start)
            if start and used and len(words) > start + used:
                rest = words[start + used :]
                inside = said.ends(rest, "hand")
                return Fact(
                    "holds",
                    operator,
                    card_named(
                        rest[:-inside] if inside and inside < len(rest) else rest, "districts", reading
                    ),
                )
    for key, operator in (("i_have_not", "not"), ("i_have", "is")):
        used = said.begins(words, key)
        if used and len(words) > used:
            inside = said.ends(words, "hand")
            return Fact(
                "holds",
                operator,
                card_named(
                    words[used:-inside] if inside and inside < len(words) - used else words[used:],
                    "districts",
                    reading,
                ),
            )
    return None


def _card(words: list[str], reading: Reading) -> Fact:
    """The district in question: "Palace or Cathedral", "not Palace"."""
    said = spelled(reading)
    operator, used = "not", said.begins(words, "is_not")
    if not used:
        operator, used = "is", said.begins(words, "is")
    names = dict.fromkeys(
        card_named(part, "districts", reading) for part in parted(words[used:], reading, "or")
    )
    if not names:
        raise PlanMistake("plan-condition", word=clean(" ".join(words), 80))
    return Fact("card", operator, tuple(names))
