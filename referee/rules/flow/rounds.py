"""A round: selection, calling, and what remains when all ranks have been called."""

from __future__ import annotations

from ..model import Frame, State
from .call import Call
from .draft import deal
from .moment import announce
from .scoring import finish


class Round(Frame):
    """Always at the bottom of the stack.  `step` counts through `advance`."""

    __slots__ = ("step",)
    code = "round"
    shared = True

    def __init__(self, step: int = 0) -> None:
        self.step = step

    def advance(self, g: State) -> None:
        step = self.step
        g.stack[-1] = Round(step + 1)
        if step == 0:
            g.tell("round_began", round=g.round, crown=g.crown)
            deal(g)
        elif step == 1:
            announce(g, "drafted")
        elif step == 2:
            g.stack.append(Call())
        elif step == 3:
            g.called = None
            announce(g, "round_over")
        elif g.completed:
            finish(g, "city")
        elif g.quiet >= g.rules.edition.standstill and "standstill" not in g.setup.options:
            g.tell("standstill", rounds=g.quiet)
            finish(g, "standstill")
        else:
            g.stack[-1] = Round()
            _tidy(g)


def _tidy(g: State) -> None:
    """All character cards go back; what was true for the round only is forgotten."""
    g.round += 1
    g.quiet += 1
    g.phase = "draft"
    g.round_drawer = {}
    g.faceup = g.facedown = ()
    for seat in range(len(g.players)):
        player = g.own(seat)
        player.characters = player.revealed = ()
