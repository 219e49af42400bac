"""A destroyed district on its way under the deck."""

from __future__ import annotations

from ..acts import bury
from ..facts import Seat
from ..model import Frame, State
from .moment import announce


class Loss(Frame):
    """`numbers`: the district, then whatever lay with it.  While `lost` is told a card may
    take from it or add to it; what is left goes under the deck, in that order.

    `raid`: it was rank 8's doing."""

    __slots__ = ("by", "numbers", "raid", "step", "victim")
    code = "loss"

    def __init__(self, victim: Seat, by: Seat, number: int, *, raid: bool = False) -> None:
        self.victim, self.by, self.raid, self.step = victim, by, raid, 0
        self.numbers: tuple[int, ...] = (number,)

    def advance(self, g: State) -> None:
        self.step += 1
        if self.step == 1:
            announce(g, "lost", self.victim, self.by)
        else:
            g.stack.pop()
            bury(g, self.numbers)

    def holds(self) -> tuple[int, ...]:
        return self.numbers

    def holds_openly(self) -> bool:
        return True


def destroy(g: State, by: Seat, victim: Seat, number: int, paid: int, *, raid: bool = False) -> None:
    """Take a district out of a city.  Paying is the caller's."""
    g.own(victim).city.remove(number)
    g.tell("destroyed", seat=by, victim=victim, district=g.cards[number].name, paid=paid)
    g.stack.append(Loss(victim, by, number, raid=raid))
