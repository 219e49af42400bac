"""Why a plan stops and its player is asked after all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ..rules.facts import BEAUTIFIED, Move
from ..rules.notation import shapes
from .conditions import befell, marked
from .model import Plan, Script, Step, value
from .notation import step_text

View = Mapping[str, Any]
#: orders at a district that stands in somebody's city
_AIMED = frozenset(
    verb for verb, found in shapes().items() if any(shape.parts == ("<P>", "<B>") for shape in found)
)


class Stop(NamedTuple):
    """Why the player is asked although there is a plan.

    `code` is one of `STOPS`, `facts` as there, JSON values, orders and conditions as text; `order` is the one
    that was not legal where it can be named as a whole, so that the rules can say more.
    """

    code: str
    facts: Mapping[str, Any] = {}
    order: Move | None = None


#: every code of a Stop, with its facts
STOPS: Mapping[str, str] = {
    "plan-robbed": "character: the planner, called, was robbed",
    "plan-bewitched": "character",
    "plan-threatened": "character: and there is no answer to the threat",
    "plan-warranted": "character: the next order would build under a warrant",
    "plan-changed": "the hand is not what it was",
    "plan-poorer": "gold, before: somebody took of it",
    "plan-last-round": "a city has been completed since",
    "plan-other-turn": "the turn is of a character that the planner does not hold",
    "plan-no-script": "character: there are scripts, for others",
    "plan-gone": "step, card, player: it does not stand there any more",
    "plan-lacking": "step, card: it is not in the hand",
    "plan-illegal": "step",
    "plan-question": "kind: the script has no answer to it",
    "plan-ran-out": "character: after the last step",
    "plan-none-passed": "characters: none of the lists is passed",
    "plan-none-there": "characters: none of them is among those of which one is put away",
    "plan-ask-me": "condition: the player wants to be asked",
    "plan-standing": "kind: it is to be asked, or the answer does not fit",
}


def surprise(
    plan: Plan, script: Script, view: View, memory: Mapping[str, Any], character: str
) -> Stop | None:
    """What has happened before the first step, that the player may not have reckoned with.

    The hand of a script for this round is that of its filing; of one that stays, also that of this round's
    selection.
    """
    facts = {"character": character}
    if news("bewitched", view, memory, character):
        return Stop("plan-bewitched", facts)
    had = memory.get("gold")
    if news("robbed", view, memory, character) and had != 0:  # of nothing, nothing was taken
        return Stop("plan-robbed", facts)
    if news("threatened", view, memory, character) and not any(
        s.question == "threat" and s.use != "ask" for s in plan.standing
    ):
        return Stop("plan-threatened", facts)
    if complete(view) and not memory["over"]:
        return Stop("plan-last-round")
    if had is not None and purse(view) < had and character not in marked(view)["robbed"]:
        return Stop("plan-poorer", {"gold": purse(view), "before": had})
    known = memory["hand"] if script.round is not None else memory["dealt"]
    if sorted(view["hand"]) != known:
        return Stop("plan-changed")
    return None


def news(event: str, view: View, memory: Mapping[str, Any], character: str) -> bool:
    """Whether that has happened, and had not when the plan was filed: who files a plan after it has reckoned
    with it.
    """
    known = memory["filed"] == view["round"] and character in memory["known"].get(event, ())
    return not known and befell(event, view, memory, character)


def under_warrant(move: Move, view: View, memory: Mapping[str, Any], character: str) -> bool:
    """Whether that order would pay for a district although a warrant lies on the character."""
    return move.verb == "build" and move.args[1:2] != ("with",) and news("warranted", view, memory, character)


def illegal(step: Step, view: View) -> Stop:
    """Why a step does not go, as far as the seat sees it.

    Of several alternatives none is named by itself.
    """
    order = step.orders[0]
    facts: dict[str, Any] = {"step": step_text(step, [player["name"] for player in view["players"]])}
    if len(step.orders) > 1 or any(map(value, order.args)):
        return Stop("plan-illegal", facts)
    whole = Move(order.verb, order.args)
    if order.verb in _AIMED:
        player, card = order.args
        if card.removesuffix(BEAUTIFIED) not in [
            district["name"] for district in view["players"][player]["city"]
        ]:
            return Stop("plan-gone", {**facts, "card": card, "player": player}, whole)
    if order.verb == "build" and order.args[0] not in view["hand"]:
        return Stop("plan-lacking", {**facts, "card": order.args[0]}, whole)
    return Stop("plan-illegal", facts, whole)


def purse(view: View) -> int:
    """The planner's gold."""
    return int(view["players"][view["you"]]["gold"])


def complete(view: View) -> bool:
    return any(player["complete"] for player in view["players"])
