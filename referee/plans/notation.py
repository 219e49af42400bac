"""A plan as text: the canonical lines, which read back as the same plan."""

from __future__ import annotations

from collections.abc import Sequence

from ..rules.facts import Move
from ..rules.notation import order_text
from .model import (
    ME,
    NUMBERS,
    VALUES,
    AskIf,
    Condition,
    Draft,
    Fact,
    Order,
    Plan,
    Script,
    Standing,
    Step,
    value,
    worded,
)
from .questions import HEADED

_SAID = {
    "robbed": "robbed",
    "bewitched": "bewitched",
    "threatened": "threatened",
    "warranted": "warranted",
    "changed": "my hand changed",
}
_PLAIN = {worded(word): word for word in VALUES}


def plan_text(plan: Plan, names: Sequence[str]) -> tuple[str, ...]:
    """The lines of a plan, one for each entry; `names` are the players' by seat."""
    return (
        *(cancel_text(*one) for one in plan.cancels),
        *(draft_text(one, names) for one in plan.drafts),
        *(script_text(one, names) for one in plan.scripts),
        *(standing_text(one, names) for one in plan.standing),
        *(ask_text(one, names) for one in plan.asks),
        *(() if plan.free is None else (f"free benefits {'on' if plan.free else 'off'}",)),
    )


def draft_text(draft: Draft, names: Sequence[str]) -> str:
    listed = ", ".join((*draft.characters, *(("any",) if draft.dull else ())))
    discard = "to discard " if draft.verb == "discard" else ""
    return f"{_stays(draft.round)}prefer {discard}{listed}{_given(draft.condition, names)}"


def script_text(script: Script, names: Sequence[str]) -> str:
    head = f"when {' or '.join(script.characters)}" if script.characters else "otherwise"
    return f"{_stays(script.round)}{head}: {'; '.join(step_text(step, names) for step in script.steps)}"


def standing_text(answer: Standing, names: Sequence[str]) -> str:
    use = (
        _given(answer.condition, names)
        if answer.use == "if"
        else f" {'ask me' if answer.use == 'ask' else answer.use}"
    )
    where = f"{answer.question} " if answer.question in HEADED else ""
    return f"{_here(answer.round)}{where}{words_of(answer.order, names)}{use}"


def ask_text(ask: AskIf, names: Sequence[str]) -> str:
    return f"{_here(ask.round)}ask me{_given(ask.condition, names)}"


def cancel_text(what: str, which: str) -> str:
    if what == "when":
        return f"cancel when {which}".strip()
    return f"cancel {which or 'answers' if what == 'standing' else what}"


def step_text(step: Step, names: Sequence[str]) -> str:
    """One step: "try build Docks or build Tavern"."""
    return ("try " if step.attempt else "") + " or ".join(words_of(order, names) for order in step.orders)


def words_of(order: Order, names: Sequence[str]) -> str:
    """One order; a value word stands where a card would."""
    if order.verb in ("exchange", "crown") and not order.args:
        return order.verb
    args = tuple(_PLAIN.get(a, a) if isinstance(a, str) else a for a in order.args)
    for listed in (False, True):  # in a list the word stands alone
        tried = tuple((a,) if listed and value(was) else a for a, was in zip(args, order.args, strict=True))
        try:
            return order_text(Move(order.verb, tried), names) + ("!" if order.bare else "")
        except ValueError:
            continue
    raise ValueError(f"no order has the shape of {order!r}")


def condition_text(condition: Condition, names: Sequence[str]) -> str:
    """ "gold >= 4 and I have the crown"."""
    return " and ".join(test_text(test, names) for test in condition)


def test_text(test: Fact, names: Sequence[str]) -> str:
    """One part of a condition."""
    yes = test.operator == "is"
    if test.kind in NUMBERS:
        return f"{test.kind} {test.operator} {test.value}"
    if test.kind == "crown":
        who, verb = (
            ("I", "have" if yes else "don't have")
            if test.value == ME
            else (names[test.value], "has" if yes else "doesn't have")
        )
        return f"{who} {verb} the crown"
    if test.kind == "holds":
        return f"my hand {'holds' if yes else 'does not hold'} {test.value}"
    if test.kind == "faceup":
        return f"{test.value} is {'' if yes else 'not '}faceup"
    if test.kind == "card":
        return ("" if yes else "not ") + " or ".join(test.value)
    return _SAID[test.value]


def _stays(scope: int | None) -> str:
    return "always " if scope is None else ""


def _here(scope: int | None) -> str:
    return "" if scope is None else "this round "


def _given(condition: Condition, names: Sequence[str]) -> str:
    return f" if {condition_text(condition, names)}" if condition else ""
