"""Reading what is answered once for all ("confiscate if cost >= 4"), and what is withdrawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...plans.model import Condition, Order, Standing
from ...plans.notation import condition_text, words_of
from ...plans.questions import BARE, HEADED, QUESTIONS, fits
from ...rules.facts import Move
from ..folding import clean, fold
from .naming import SHORT
from .orders import read_order
from .plan_conditions import read_condition
from .plan_steps import read_step
from .plan_words import PlanMistake, card_named, spelled
from .terms import NotUnderstood, Reading
from .verbs import verbs_at

_NEVER = {"always": "never", "never": "always"}


def read_answer(words: Sequence[str], reading: Reading, scope: int | None) -> Standing:
    """`<order> always | never | ask me | if <condition>`.  Raises PlanMistake."""
    said = spelled(reading)
    at, used = said.find(words, "if")
    if used:
        body, use = list(words[:at]), "if"
    else:
        use = next((key for key in ("always", "never", "ask_me") if said.ends(words, key)), "")
        body = list(words[: -said.ends(words, use)]) if use else list(words)
    if not body:
        raise PlanMistake("plan-unread", line=clean(" ".join(words), 80))
    question, order, no = _order(body, use, reading)
    if not use:
        raise PlanMistake("plan-answer-use", order=words_of(order, tuple(reading.names)))
    condition = read_condition(words[at + used :], reading, question=True, scope=scope) if used else ()
    _speaks_of_a_card(condition, question, reading)
    if no:
        if use == "if":
            raise PlanMistake("plan-answer", order=clean(" ".join(body), 80))
        use = _NEVER.get(use, use)
    if use == "never" and not QUESTIONS[question].no:
        raise PlanMistake("plan-no-refusal", order=words_of(order, tuple(reading.names)))
    return Standing(question, order, {"ask_me": "ask"}.get(use, use), condition, scope)


def _order(body: list[str], use: str, reading: Reading) -> tuple[str, Order, bool]:
    """The question that an order answers, the order, and whether it refuses it.  Raises PlanMistake."""
    said = spelled(reading)
    headed = next((name for name in HEADED if said.begins(body, name)), "")
    rest = body[said.begins(body, headed) if headed else 0 :]
    text = " ".join(rest)
    plain = replace(reading, ask=None, numbers=False)
    if headed and not rest:
        raise PlanMistake("plan-answer-use", order=f"{headed} {QUESTIONS[headed].yes[0]}")
    bare = read_order(text, plain)
    verb = (
        bare.verb
        if isinstance(bare, Move)
        else bare.facts.get("verb", "")
        if isinstance(bare, NotUnderstood)
        else ""
    )
    if (
        isinstance(bare, NotUnderstood)
        and bare.code == "incomplete"
        and use in ("never", "ask_me")
        and verb in BARE
    ):
        order = Order(verb)
    else:
        step = read_step(text, reading)
        if step.attempt or len(step.orders) != 1:
            raise PlanMistake("plan-answer", order=clean(text, 80))
        order = step.orders[0]
    return _answered(headed, order, text)


def _answered(headed: str, order: Order, text: str) -> tuple[str, Order, bool]:
    """The question that is answered so, the order, and whether it refuses it.  Raises PlanMistake."""
    if headed:
        question = QUESTIONS[headed]
        if order.verb not in (*question.yes, question.no):
            raise PlanMistake("plan-answer", order=clean(text, 80))
        if order.verb == question.no:
            return headed, Order(question.yes[0]), True
        return headed, order, False
    for name, question in QUESTIONS.items():
        if name not in HEADED and fits(question, order.verb, order.args):
            return name, order, False
    for name, question in QUESTIONS.items():
        if order.verb == question.no != "pass":  # which says no to many questions
            return name, Order(question.yes[0]), True
    raise PlanMistake("plan-answer", order=clean(text, 80))


def _speaks_of_a_card(condition: Condition, question: str, reading: Reading) -> None:
    for test in condition:
        if (test.kind == "card" and not QUESTIONS[question].with_card) or (
            test.kind == "cost" and not QUESTIONS[question].compares
        ):
            raise PlanMistake("plan-no-card-here", condition=condition_text((test,), tuple(reading.names)))


def read_cancel(words: Sequence[str], reading: Reading) -> tuple[str, str]:
    """What `cancel …` withdraws: one of `merging.CANCELS` with the character or question it is narrowed to.

    Raises PlanMistake.
    """
    said = spelled(reading)
    rest = list(words[said.begins(words, "cancel") :])
    rest = [word for word in rest if word not in reading.lexicon.fillers] or rest
    if not rest:
        raise PlanMistake("plan-cancel-what")
    for what, key in (
        ("plan", "plan"),
        ("prefer", "prefer"),
        ("discard", "to_discard"),
        ("otherwise", "otherwise"),
        ("ask", "ask_me"),
        ("when", "when"),
    ):
        if said.whole(rest, key) or (what == "ask" and said.begins(rest, key) and said.ends(rest, "if")):
            return what, ""
    if said.whole(rest, "answers"):
        return "standing", ""
    if said.begins(rest, "when"):
        return "when", card_named(rest[said.begins(rest, "when") :], "characters", reading)
    for name in HEADED:
        if said.begins(rest, name):
            return "standing", name
    orders = {verb for verb, used, tier in verbs_at(rest, reading) if used == len(rest) and tier < SHORT}
    for name, question in QUESTIONS.items():
        if name not in HEADED and (
            orders & set(question.yes)
            or fold(str(reading.lexicon.table("plan").get(name, ""))).split() == rest
        ):
            return "standing", name
        if rest in ([name], [name.replace("-", "")], name.split("-")) or (
            name not in HEADED and len(rest) == 1 and rest[0] in question.yes
        ):
            return "standing", name
    raise PlanMistake("plan-cancel-what")
