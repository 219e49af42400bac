"""What a card lets its player order: an ability during the turn, another way to build."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .declared import Declaration
from .facts import NO_FIGURES, Figures, Move, Refusal
from .shapes import Shape

if TYPE_CHECKING:
    from .flow.build import Build
    from .flow.turn import Turn
    from .model import Option, State
    from .seams import District


class Ability:
    """Something that a player may order during the turn, once, thanks to a card.

    `key` marks it as used (two abilities of which only one may be used share a key).
    """

    key: str = ""
    shapes: tuple[Shape, ...] = ()
    #: as long as it is on offer and not used, the turn can't be ended
    must: bool = False
    #: what other layers are to know of its orders
    declares: tuple[Declaration, ...] = ()

    def __init__(self) -> None:
        self.verbs = frozenset(shape.verb for shape in self.shapes)

    def offer(self, g: State, turn: Turn, out: list[Option]) -> None:
        """Append every order that is legal now.  This alone decides what is legal."""
        raise NotImplementedError(self.key)

    def why_not(self, g: State, turn: Turn, move: Move) -> Refusal:
        """Why that order, which `offer` does not offer, is not legal."""
        raise NotImplementedError(self.key)

    def play(self, g: State, turn: Turn, move: Move) -> None:
        raise NotImplementedError(self.key)

    def figures(self, g: State, turn: Turn, move: Move) -> Figures:
        """What that order, which is on offer, would give and cost now: for its button."""
        return NO_FIGURES


class Way:
    """Another way to build a district than paying its price from the stash.

    A character may know one for all that its player builds, a district in the city too
    (`ways`), and a district in the hand one for itself (`own_ways`).  What holds for every
    build (limit, same name, forbidden) has been seen to before a way is asked.
    """

    shapes: tuple[Shape, ...] = ()
    #: a payment in another coin, and not something done instead of paying
    is_payment: bool = False
    #: what other layers are to know of its orders
    declares: tuple[Declaration, ...] = ()

    def offer(self, g: State, turn: Turn, district: District, out: list[Option]) -> None:
        """Append every order that builds this district of the hand in this way."""
        raise NotImplementedError

    def why_not(self, g: State, turn: Turn, move: Move) -> Refusal:
        """Why that order, which is of this way's shape and not offered, is not legal."""
        raise NotImplementedError

    def pay(self, g: State, turn: Turn, move: Move, build: Build) -> None:
        """The card has left the hand and is in the Build frame, which is on the stack; set
        `build.paid`.  A district destroyed instead goes by `destroy`, above the build."""
        raise NotImplementedError
