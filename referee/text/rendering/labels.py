"""What stands on the button of an option: short, with what it gives and costs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ...rules.facts import NO_FIGURES, Move
from ...rules.notation import shapes
from ..folding import clean
from ..reading.open_question import Option
from .preparing import cleaned

_MOST = 60
#: of a longer one so much stands at its end: what was chosen last tells it from the others
_TAIL = 32
#: a word may be so much longer on either side of what is left out
_BEGUN = 12


def label_of(
    option: Option | Move | str,
    view: Mapping[str, Any] | None,
    say: Callable[[str, str, Mapping[str, Any]], str],
    raw: Callable[[str, str], str | None],
) -> str:
    """The words of `[labels]` or `[families]` for an option, a move, or a canonical order as text."""
    if isinstance(option, str):
        if raw("labels", option) is not None and any(s.fits(()) for s in shapes().get(option, ())):
            return label_of(Move(option), view, say, raw)
        return _short(say("families", "other", {"order": option[:1].upper() + option[1:]}))
    figures = NO_FIGURES
    if isinstance(option, Option):
        if option.step is not None:
            code = (
                option.order_text
                if len(option.step.path) == 1 and raw("families", option.order_text)
                else "other"
            )
            return _short(
                say("families", code, {"order": option.order_text[:1].upper() + option.order_text[1:]})
            )
        if option.move is None:
            return say("buttons", "button-back", {})
        move, text, figures = option.move, option.order_text, option.figures
    else:
        move, text = option, ""
    assert move is not None
    if raw("labels", move.verb) is None:
        return label_of(text or move.verb, view, say, raw)
    facts = {
        "a": cleaned(move.args),
        "names": [] if view is None else cleaned([p["name"] for p in view["players"]]),
        "me_seat": None if view is None else view.get("you"),
        "faceup": () if view is None else view.get("faceup", ()),
        **figures._asdict(),
    }
    return _short(say("labels", move.verb, facts))


def label_of_line(line: str) -> str:
    """The words of a line of a plan, as it is typed in the reader's language."""
    return _short(line[:1].upper() + line[1:])


def _short(text: str) -> str:
    """The same in one line, its middle left out where it is too long: no word or number is cut, if it is not
    very long.
    """
    line = clean(text, 4 * _MOST)
    if len(line) <= _MOST:
        return line
    tail = line[-_TAIL:]
    begun = line[:-_TAIL].rpartition(" ")[2]
    if len(begun) <= _BEGUN:
        tail = begun + tail
    head = line[: _MOST - len(tail) - 2]
    head = head[: head.rfind(" ", len(head) - _BEGUN) + 1] or head[:-1]
    return f"{head.rstrip(' ,')} … {tail.lstrip(' ,')}"
