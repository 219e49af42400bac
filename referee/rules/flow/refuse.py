"""Why an order is refused: first what holds for every question, then the frame's own reason.

Whether it is legal is never decided here; that is `Frame.options` alone.
"""

from __future__ import annotations

from collections.abc import Container
from typing import Any

from ..facts import Move, Refusal
from ..model import Frame, State
from .standing import plain_name


def refusal(g: State, frame: Frame, move: Move) -> Refusal:
    shapes = g.rules.shapes.get(move.verb)
    if not shapes:
        return Refusal("unknown-verb", verb=move.verb)
    fitting = [s for s in shapes if s.fits(move.args)]
    if not fitting:
        return Refusal("malformed", verb=move.verb, expected=[s.text for s in shapes])
    for part, arg in zip(fitting[0].parts, move.args, strict=True):
        unknown = _unknown(g, part, arg)
        if unknown:
            return unknown
    if frame.verbs and move.verb not in frame.verbs:
        return Refusal("wrong-question", verb=move.verb, kind=frame.kind(g))
    return frame.why_not(g, move)


def lacking(card: str, have: int) -> Refusal:
    """Why an order can't name that card of one's hand, or not as often as it does."""
    return Refusal("too-often", card=card, have=have) if have else Refusal("not-in-hand", card=card)


def _unknown(g: State, part: str, arg: Any) -> Refusal | None:
    if part == "<P>" and arg >= len(g.players):
        return Refusal("unknown-player", name=str(arg))
    known: Container[str] = g.rules.characters if part[:2] == "<C" else g.rules.districts
    for name in arg if isinstance(arg, tuple) else (arg,):
        if part[:2] in ("<C", "<D", "<B") and (plain_name(name) if part[:2] == "<B" else name) not in known:
            return Refusal("unknown-card", name=name)
    return None
