"""What stands on the button of an option: short, with the price where one is paid."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ...rules.facts import Move
from ..folding import clean
from ..reading.asking import Option
from .cards import card
from .preparing import cleaned

_MOST = 60


def label_of(
    option: Option | Move | str, view: Mapping[str, Any] | None,
    say: Callable[[str, str, Mapping[str, Any]], str], raw: Callable[[str, str], str | None],
) -> str:
    """The words of `[labels]` or `[families]` for an option, a move, or a canonical order as text."""
    if isinstance(option, str):
        verb = option.split(" ", 1)[0]
        if option == verb and raw("labels", verb) and "{{" not in (raw("labels", verb) or ""):
            return say("labels", verb, {})
        return clean(option[:1].upper() + option[1:], _MOST)
    if isinstance(option, Option):
        if option.step is not None:
            verb = option.step.example.verb
            code = verb if len(option.step.path) == 1 and raw("families", verb) else "other"
            return clean(say("families", code, {"order": option.order_text[:1].upper() + option.order_text[1:]}), _MOST)
        if option.move is None:
            return say("buttons", "button-back", {})
        move, text = option.move, option.order_text
    else:
        move, text = option, ""
    assert move is not None
    if raw("labels", move.verb) is None or len(move.args) > 2:
        return label_of(text or move.verb, view, say, raw)
    names = [] if view is None else cleaned([p["name"] for p in view["players"]])
    me = None if view is None else view.get("you")
    cost = card(str(move.args[0]), "" if view is None else view["edition"]).get("cost") if move.args else None
    facts = {"a": cleaned(move.args), "names": names, "me_seat": me, "cost": cost}
    return clean(say("labels", move.verb, facts), _MOST)
