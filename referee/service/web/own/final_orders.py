"""Which orders of a turn deserve a second tap: they can't be taken back, and they name or cost something.

Whether an order can be taken back is the rules' own word (`Outcome.undoable`), asked of a position in which
all that the seat can't know is dealt afresh: so the answer tells nothing that is hidden.
"""

from __future__ import annotations

from random import Random

from referee import rules
from referee.ids import SeatNo
from referee.rules.notation import shapes


class FinalOrders:
    """Asked of orders that a seat may give now; one of each form is tried."""

    def __init__(self, state: rules.State, seat: SeatNo) -> None:
        self._state, self._seat = state, seat
        self._tried: dict[str, bool] = {}
        self._dealt: rules.State | None = None

    def __call__(self, move: rules.Move) -> bool:
        """Whether it is one of them; what only brings something is none."""
        form = next((one.text for one in shapes()[move.verb] if one.fits(move.args)), move.verb)
        if form not in self._tried:
            self._dealt = self._dealt or rules.another(self._state, self._seat, Random(0))
            after = rules.play(self._dealt, self._seat, move)
            paid = after.state.players[self._seat].gold < self._dealt.players[self._seat].gold
            self._tried[form] = not after.undoable and (paid or bool(move.args))
        return self._tried[form]
