"""Museum: once a turn a card from the hand goes facedown under it; in the end a point for each.

The cards go where the Museum goes, and after it under the deck when it is destroyed.
"""

from __future__ import annotations

from typing import Any

from ...abilities import Ability
from ...acts import take_named
from ...declared import Told, Use
from ...facts import Move, Refusal, Seat, move_of
from ...flow.loss import Loss
from ...flow.standing import has_name
from ...flow.turn import Turn
from ...model import Option, State
from ...seams import District
from ...shapes import Shape

NAME = "Museum"  # game drawer: the numbers of the cards under it


def exhibits(g: State) -> tuple[int, ...]:
    stored: tuple[int, ...] = g.game_drawer.get(NAME, ())
    return stored


class Exhibit(Ability):
    key = "museum"
    shapes = (Shape("museum <D>", ("with <D>", (0,))),)

    def offer(self, g: State, turn: Turn, out: list[Option]) -> None:
        names = dict.fromkeys(g.names(g.players[turn.seat].hand))
        out.extend([move_of("museum", (name,)) for name in names])

    def why_not(self, g: State, turn: Turn, move: Move) -> Refusal:
        return Refusal("not-in-hand", card=move.args[0])

    def play(self, g: State, turn: Turn, move: Move) -> None:
        g.game_drawer[NAME] = (*exhibits(g), *take_named(g, turn.seat, move.args))
        g.tell("museum", seat=turn.seat, count=len(exhibits(g)))
        g.tell("museum_card", turn.seat, card=move.args[0])


class Museum(District):
    name, cost, secret = NAME, 4, True
    abilities = (Exhibit(),)
    fields = fields_by_seat = fields_of_cards = ("museum",)
    declares = (
        Told("museum", "seat, count: cards under it now"),
        Told("museum_card", "private: card"),
        Use("museum", "spare card", place=2),
    )

    def stores(self, g: State) -> tuple[int, ...]:
        return exhibits(g)

    def restock(self, g: State, numbers: tuple[int, ...]) -> None:
        if NAME in g.game_drawer:
            g.game_drawer[NAME] = numbers

    def score(self, g: State, seat: Seat, kinds: tuple[str, ...]) -> int:
        return len(exhibits(g))

    def lost(self, g: State, victim: Seat, by: Seat) -> None:
        """(The card itself may have been bought out of the loss; or it is another's loss, told
        while the Museum's own waits beneath.)"""
        if not exhibits(g) or any(has_name(g, seat, NAME) for seat in range(len(g.players))):
            return
        waiting = [n for f in g.stack[:-1] if isinstance(f, Loss) for n in f.numbers]
        if NAME not in g.names(waiting):
            g.top(Loss).numbers += exhibits(g)
            del g.game_drawer[NAME]

    def marks(self, g: State, viewer: Seat | None) -> dict[str, Any]:
        return {"museum": len(exhibits(g))}

    def place(self, g: State, field: str, value: Any, seat: Seat | None) -> None:
        if seat is None or not has_name(g, seat, NAME):
            raise ValueError("the Museum must stand in that city")
        g.game_drawer[NAME] = tuple(value)

    def read(self, g: State, field: str, seat: Seat | None) -> Any:
        here = seat is not None and has_name(g, seat, NAME)
        return sorted(g.names(exhibits(g))) if here else []
