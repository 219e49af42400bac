"""A plan answers: one order at a time, from what its seat sees and nothing else.

    memory = filed(plan, view)                    when it is filed
    memory = refiled(new, both, view, memory)     when it is changed
    answer(plan, view, memory)                    whenever the seat is asked -> what to do, and the memory to
      keep

A script runs from its first step in the turn that it is for, and stops for that turn as soon as anything is
not as it was thought: then the player is asked, with the reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ..rules.facts import Move
from .cards import dullest, rank
from .choosing import fitting, offered
from .conditions import holds, marked
from .model import AskIf, Draft, Order, Plan, Script, Standing, live
from .notation import condition_text
from .questions import ANSWERS, BY_KIND, DRAFT, FREE, OFF_TURN, QUESTIONS, TURN
from .stopping import Stop, complete, illegal, purse, surprise, under_warrant

View = Mapping[str, Any]
#: JSON: schema, filed (the round), over (somebody had completed a city), hand (sorted, as it was then or in
#: one's own turn since), dealt (as it was at this round's selection), gold (what there was then or since;
#: None: not known), known (marks that lay there then), turn ("" or round and character of the script that
#: runs), next (its step), stopped, own (only where its player took a pick or an answer back: which choice of
#: theirs is open since, as `_choice` names it)
Memory = Mapping[str, Any]
_GATHER = frozenset({Move("gold"), Move("cards")})
#: what others are asked before anything is done in a turn
_BEFORE = frozenset({"reveal"})


class Answer(NamedTuple):
    """`move` to give for the seat; or `stop`, to be told when its player is asked; or neither: the plan has
    nothing to say.
    """

    move: Move | None
    stop: Stop | None
    memory: Memory


def filed(plan: Plan, view: View) -> Memory:
    """What is kept of the moment in which a plan is filed.

    A turn that has begun by then is the player's own.
    """
    character = turn_of(view)
    begun = turn_begun(view)
    return {
        "schema": 1,
        "filed": view["round"],
        "over": complete(view),
        "hand": sorted(view["hand"]),
        "dealt": sorted(view["hand"]),
        "gold": purse(view),
        "known": marked(view),
        "turn": f"{view['round']} {character}" if begun else "",
        "next": 0,
        "stopped": begun,
    }


def refiled(new: Plan, both: Plan, view: View, memory: Memory) -> Memory:
    """What is kept when a plan is changed: `new` is what was filed now, `both` the plan as it is then.

    Where no script comes with it for a turn that is still to come in this round, those that will run in it
    are as old as they were, and one that runs goes on. Where one comes, a turn that the player took over
    stays theirs, unless the script is for it; so does a choice that they took back, unless a list comes, or
    another answer to that question.
    """
    if _answers(new, str(memory.get("own", ""))):
        memory = {name: kept for name, kept in memory.items() if name != "own"}
    scripts = live(both, view["round"]).scripts
    ahead = [one for one in (script_for(scripts, c) for c in _to_come(view)) if one]
    if not new.scripts or (ahead and not any(one in new.scripts for one in ahead)):
        return memory
    fresh, character = {**filed(both, view), **_part(memory, "own")}, turn_of(view)
    script = script_for(scripts, character)
    if memory["turn"] != f"{view['round']} {character}" or script in new.scripts:
        return fresh
    return {**fresh, **_part(memory, "turn", "next", "stopped")}


def _part(memory: Memory, *names: str) -> Memory:
    return {name: memory[name] for name in names if name in memory}


def _answers(new: Plan, choice: str) -> bool:
    """Whether what was filed now is for that choice."""
    question = BY_KIND.get(choice.rpartition(" ")[2])
    return bool(new.drafts) if question is None else any(one.question == question for one in new.standing)


def taken_back(plan: Plan, view: View, memory: Memory) -> Memory:
    """What is kept when the player takes something back: the rest of the turn, or the choice, is theirs."""
    memory = {**answer(plan, view, memory).memory, "stopped": True}
    return memory if view["ask"]["kind"] == TURN else {**memory, "own": _choice(view)}


def _choice(view: View) -> str:
    """Which of the choices it is that a seat has in the game's selections, or which question while a rank is
    called.
    """
    kind = view["ask"]["kind"]
    which = len(view["characters"]) if kind in DRAFT else f"{view.get('called')} {kind}"
    return f"{view['round']} {which}"


def _to_come(view: View) -> list[str]:
    """The planner's characters whose turn is still to come, or has not begun yet."""
    called, now = view.get("called") or 0, turn_of(view) if turn_begun(view) else ""
    return [
        one
        for one in view["characters"]
        if rank(view["edition"], one) >= called and one not in (now, view.get("killed"))
    ]


def turn_begun(view: View) -> bool:
    """Whether the planner has gathered already, or more, in the turn that goes on as their character."""
    if not _in_turn(view, turn_of(view)):
        return False
    if "ask" in view:
        return view["ask"]["kind"] != TURN or not _GATHER & {*offered(view)}
    # somebody else is asked about what was done in it
    return not any(one["kind"] in _BEFORE for one in view["waiting"])


def answer(plan: Plan, view: View, memory: Memory) -> Answer:
    """What the plan says to the question that its seat is asked in this view; nothing where it is not asked.

    The memory that comes back belongs to the answer: it is kept when the move has been played or the stop
    been told.
    """
    if "ask" not in view:
        return Answer(None, None, memory)
    now, kind = live(plan, view["round"]), str(view["ask"]["kind"])
    if kind in DRAFT:
        # what stays from earlier rounds is measured against this one's beginning
        if memory["filed"] != view["round"]:
            memory = {**memory, "dealt": sorted(view["hand"]), "gold": purse(view)}
        return _draft(now._replace(drafts=tuple(d for d in now.drafts if d.verb == kind)), view, memory)
    character = turn_of(view)
    wanted = _wanted(now, view, memory, character)
    if kind in OFF_TURN:
        memory = {**memory, "gold": None}  # what is answered there may be paid for
    if kind in OFF_TURN or not _in_turn(view, character):
        found = _standing(now, view, memory, wanted)
        if found.move is None and found.stop is None and kind == TURN and now.scripts:
            return Answer(None, *_once(Stop("plan-other-turn"), view, memory, ""))
        return found
    return _turn(now, view, memory, character, wanted)


def turn_of(view: View) -> str:
    """The planner's character whose rank is called, "" for none."""
    called = view.get("called")
    return next(
        (c for c in view["characters"] if called is not None and rank(view["edition"], c) == called), ""
    )


def _in_turn(view: View, character: str) -> bool:
    """Whether the planner takes a turn as that character: a killed one never does."""
    return (
        bool(character)
        and view.get("killed") != character
        and character in view["players"][view["you"]]["revealed"]
    )


def _wanted(plan: Plan, view: View, memory: Memory, character: str) -> Stop | None:
    """The first `ask me if` that holds."""
    found: AskIf | None = next((a for a in plan.asks if holds(a.condition, view, memory, character)), None)
    if found is None:
        return None
    return Stop(
        "plan-ask-me",
        {"condition": condition_text(found.condition, [player["name"] for player in view["players"]])},
    )


# -- the selection
# ---------------------------------------------------------------------------------------------------


def _draft(plan: Plan, view: View, memory: Memory) -> Answer:
    if not plan.drafts or memory.get("own") == _choice(view):
        return Answer(None, None, memory)
    wanted = _wanted(plan, view, memory, "")
    if wanted:
        return Answer(None, wanted, memory)
    on_offer = [move.args[0] for move in offered(view)]
    for listed in plan.drafts:
        if holds(listed.condition, view, memory):
            taken = next((c for c in listed.characters if c in on_offer), "") or (
                dullest(view["edition"], on_offer) if listed.dull else ""
            )
            if taken:
                return Answer(Move(listed.verb, (taken,)), None, memory)
    code = "plan-none-passed" if plan.drafts[0].verb == "pick" else "plan-none-there"
    return Answer(None, Stop(code, {"characters": _listed(plan.drafts)}), memory)


def _listed(drafts: tuple[Draft, ...]) -> list[str]:
    return list(dict.fromkeys(c for draft in drafts for c in draft.characters))


# -- answers once for all
# --------------------------------------------------------------------------------------------


def _standing(plan: Plan, view: View, memory: Memory, wanted: Stop | None) -> Answer:
    question = BY_KIND.get(str(view["ask"]["kind"]), "")
    found: Standing | None = next((s for s in plan.standing if s.question == question), None)
    if found is None or memory.get("own") == _choice(view):
        return Answer(None, None, memory)
    if wanted or found.use == "ask":
        return Answer(None, wanted or Stop("plan-standing", {"kind": view["ask"]["kind"]}), memory)
    yes = found.use == "always" or (found.use == "if" and holds(found.condition, view, memory))
    move = fitting(found.order, view) if yes else None
    if move is None:
        move = refusal(question, view)
    if move is None:
        return Answer(None, Stop("plan-standing", {"kind": view["ask"]["kind"]}), memory)
    return Answer(move, None, memory)


def refusal(question: str, view: View) -> Move | None:
    """The answer that says no, None where there is none on offer."""
    no = QUESTIONS[question].no
    return fitting(Order(no), view) if no else None


# -- the turn
# --------------------------------------------------------------------------------------------------------


def _turn(plan: Plan, view: View, memory: Memory, character: str, wanted: Stop | None) -> Answer:
    script, label = script_for(plan.scripts, character), f"{view['round']} {character}"
    begins = memory["turn"] != label
    if script is None:
        # what befell the hand before is told by the script of a later turn
        if not (begins and sorted(view["hand"]) != memory["hand"]):
            memory = _lived(memory, view, label)
        found = _standing(plan, view, memory, wanted)
        if found.move is None and found.stop is None and plan.scripts:
            return Answer(
                None, *_once(Stop("plan-no-script", {"character": character}), view, memory, character)
            )
        return found
    stop = wanted or (surprise(plan, script, view, memory, character) if begins else None)
    memory = _lived(memory, view, label)
    if memory["stopped"]:
        return _standing(plan, view, memory, wanted)
    if stop is None:
        found = _script(plan, script, view, memory, character)
        if found.stop is None:
            return found
        stop = found.stop
    return Answer(None, stop, {**memory, "stopped": True})


def _lived(memory: Memory, view: View, label: str) -> Memory:
    """The memory in one's own turn: what is done in it is no surprise afterwards."""
    begins = {} if memory["turn"] == label else {"turn": label, "next": 0, "stopped": False}
    hand = sorted(view["hand"])
    return {**memory, **begins, "hand": hand, "dealt": hand, "gold": purse(view)}


def script_for(scripts: tuple[Script, ...], character: str) -> Script | None:
    """The script of that character: its own before the one for all others."""
    own = next((s for s in scripts if character in s.characters), None)
    return own or next((s for s in scripts if not s.characters), None)


def _script(plan: Plan, script: Script, view: View, memory: Memory, character: str) -> Answer:
    """The next order of a script; a stop where it has none."""
    at, kind = int(memory["next"]), str(view["ask"]["kind"])
    if kind != TURN:
        return _within(plan, script, view, memory, character)
    while at < len(script.steps):
        step = script.steps[at]
        ending = next((order for order in step.orders if order.verb == "end"), None)
        if ending and fitting(ending, view):
            forgotten = None if plan.free is False or ending.bare else _forgotten(view)
            if forgotten:
                return Answer(forgotten, None, {**memory, "next": at})
        for order in step.orders:
            move = fitting(order, view)
            if move:
                return _given(move, view, memory, character, at + 1)
        if not (step.attempt or all(order.verb in ANSWERS for order in step.orders)):
            return Answer(None, illegal(step, view), memory)
        at += 1
    return Answer(None, Stop("plan-ran-out", {"character": character}), memory)


def _within(plan: Plan, script: Script, view: View, memory: Memory, character: str) -> Answer:
    """A question in the middle of the turn: the next step answers it, or an answer to a question that was not
    asked is passed over; else the standing answer to it.
    """
    for place in range(int(memory["next"]), len(script.steps)):
        step = script.steps[place]
        for order in step.orders:
            move = fitting(order, view)
            if move:
                return _given(move, view, memory, character, place + 1)
        if not all(order.verb in ANSWERS for order in step.orders):
            break
    found = _standing(plan, view, memory, None)
    if found.move is None and found.stop is None:
        return Answer(None, Stop("plan-question", {"kind": view["ask"]["kind"]}), memory)
    return found


def _given(move: Move, view: View, memory: Memory, character: str, following: int) -> Answer:
    """An order of a script, unless there is a warrant in its way."""
    if under_warrant(move, view, memory, character):
        return Answer(None, Stop("plan-warranted", {"character": character}), memory)
    return Answer(move, None, {**memory, "next": following})


def _forgotten(view: View) -> Move | None:
    """A free benefit that is still on offer."""
    on_offer = offered(view)
    return next((Move(verb) for verb in FREE if Move(verb) in on_offer), None)


def _once(stop: Stop, view: View, memory: Memory, character: str) -> tuple[Stop | None, Memory]:
    """The stop, and that it has been told for this turn; None the second time."""
    label = f"{view['round']} {character}"
    if memory["turn"] == label and memory["stopped"]:
        return None, memory
    return stop, {**memory, "turn": label, "stopped": True}
