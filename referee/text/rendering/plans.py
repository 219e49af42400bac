"""A plan in words: as it was understood, and why it stopped.

    understood(words, plan, view, cast)      one sentence for each thing that it may do, and where the player
      will be asked
    stopped(words, stop, view)               the sentence of a stop

Orders and conditions are quoted as they are typed, so that what is read here can be sent again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...plans.foreseeing import Prospect, foresee
from ...plans.model import Plan, Scope, live, ordered, pruned
from ...plans.notation import condition_text, step_text, words_of
from ...plans.questions import QUESTIONS
from ...plans.stopping import Stop
from ..reading.plans import round_of
from .words import Words

View = Mapping[str, Any]
#: orders of more letters are told once
_LONG = 400


def understood(words: Words, plan: Plan, view: View, cast: Sequence[str], language: str = "en") -> list[str]:
    """The echo of a plan for the seat of this view, in a game with those characters: the selection, each
    character that the player might get, the standing answers, and when they are asked after all. What was for
    rounds that are over is left out.
    """
    names = [str(player["name"]) for player in view["players"]]

    def say(code: str, **facts: Any) -> str:
        return words.phrase(
            f"plans.{code}",
            language,
            **{"names": names, "me_seat": view.get("you"), "me": view.get("you"), **facts},
        )

    def scope(until: Scope) -> str:
        return say("stays") if until is None else say("once", round=until)

    plan = pruned(plan, view["round"])
    out = [_withdrawn(say, what, which) for what, which in plan.cancels]
    for draft in ordered(plan.drafts):
        condition = condition_text(draft.condition, names)
        code = "understood-draft" if draft.verb == "pick" else "understood-discard"
        out.append(
            say(
                code,
                condition=condition,
                characters=draft.characters,
                dull=draft.dull,
                scope=scope(draft.round),
            )
        )
    for now in sorted({script.round or view["round"] for script in plan.scripts}):
        if now != view["round"]:
            out.append(say("understood-round", round=now))
        prospects = foresee(live(plan, now), now, _possible(plan, now, view, cast), view["edition"])
        orders = {one.character: _orders(one, names) for one in prospects if one.steps}
        out += [_turn(say, one, orders, names) for one in prospects if one.steps]
        silent = [one.character for one in prospects if not one.steps]
        out += [say("understood-none", characters=silent)] if silent else []
    for answer in plan.standing:
        out.append(
            say(
                "understood-standing",
                question=say(f"asked-{answer.question}"),
                use=answer.use,
                order=words_of(answer.order, names),
                no=QUESTIONS[answer.question].no,
                condition=condition_text(answer.condition, names),
                scope=scope(answer.round),
            )
        )
    for until in dict.fromkeys(one.round for one in plan.asks):
        alike = [condition_text(one.condition, names) for one in plan.asks if one.round == until]
        out.append(say("understood-ask", conditions=alike, scope=scope(until)))
    if plan.free is not None:
        out.append(say("understood-free", free=plan.free))
    if plan.scripts:
        out.append(say("understood-stops"))
    return out or [say("understood-nothing")]


def _possible(plan: Plan, now: int, view: View, cast: Sequence[str]) -> Sequence[str]:
    """The characters that the player might get in that round: in this one, where no script stays for later
    ones, those that were picked, or else none that lies faceup.
    """
    if now != view["round"] or any(script.round is None for script in plan.scripts):
        return cast
    if round_of("prefer", view) > now:
        return [name for name in cast if name in view["characters"]]
    return [name for name in cast if name not in view["faceup"]]


def _withdrawn(say: Any, what: str, which: str) -> str:
    if what == "plan":
        return str(say("understood-cancel-plan"))
    return str(say("understood-cancel", what=what, which=which))


def _orders(one: Prospect, names: Sequence[str]) -> str:
    known = one.steps if one.halts is None else one.steps[: one.halts]
    return "; ".join(step_text(step, names) for step in known)


def _same(one: Prospect, orders: Mapping[str, str]) -> str:
    """The character under whom orders as long as these are told already, or all of them and more; "" where
    they are told here. Of a long script for everybody nobody reads as many copies as there are characters.
    """
    mine = orders[one.character]
    if len(mine) <= _LONG:
        return ""
    alike = {name: len(text) for name, text in orders.items() if text.startswith(mine)}
    first = max(alike, key=lambda name: alike[name])
    return "" if first == one.character else first


def _turn(say: Any, one: Prospect, orders: Mapping[str, str], names: Sequence[str]) -> str:
    halts = "" if one.halts is None else step_text(one.steps[one.halts], names)
    return str(
        say(
            "understood-turn",
            character=one.character,
            steps=orders[one.character],
            same=_same(one, orders),
            free=_forgotten(one),
            halts=halts,
            ends=one.ends,
            musts=one.musts,
        )
    )


def _forgotten(one: Prospect) -> list[str]:
    """The free benefits that its script does not surely take itself."""
    taken = {step.orders[0].verb for step in one.steps if len(step.orders) == 1 and not step.attempt}
    return [verb for verb in one.free if verb not in taken] if one.ends else []


def stopped(words: Words, stop: Stop, view: View, language: str = "en") -> str:
    """Why the player is asked although there is a plan."""
    names = [str(player["name"]) for player in view["players"]]
    return words.phrase(
        f"plans.{stop.code}",
        language,
        **{"names": names, "me_seat": view.get("you"), "me": view.get("you"), **stop.facts},
    )
