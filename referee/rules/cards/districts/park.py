"""Park: two cards at the end of a turn that its owner ends with an empty hand, unless declined.

An empty hand may be wanted: nobody can spy on it, look into it or take a card of it.
"""

from __future__ import annotations

from ...abilities import Ability
from ...acts import draw_to_hand
from ...declared import Told
from ...facts import Move, Refusal, Seat
from ...flow.standing import has_name
from ...flow.turn import Turn
from ...model import Option, State
from ...seams import District
from ...shapes import Shape

DECLINE = Move("decline")
DECLINED = "park"  # the key of what has been used this turn


class Decline(Ability):
    """Said before the turn is ended; without it the cards come (ruling 51)."""

    key = DECLINED
    shapes = (Shape("decline"),)

    def offer(self, g: State, turn: Turn, out: list[Option]) -> None:
        if turn.gathered and g.deck and not g.players[turn.seat].hand and g.holds(51):
            out.append(DECLINE)

    def why_not(self, g: State, turn: Turn, move: Move) -> Refusal:
        return (
            Refusal("no-effect", verb=move.verb) if turn.gathered else Refusal("gather-first", verb=move.verb)
        )

    def play(self, g: State, turn: Turn, move: Move) -> None:
        g.tell("park_declined", seat=turn.seat)


class Park(District):
    name, cost = "Park", 6
    abilities = (Decline(),)
    declares = (
        Told("park", "seat, count"),
        Told("park_declined", "seat: no cards from it at the end of this turn"),
    )

    def turn_over(self, g: State, seat: Seat) -> None:
        if g.players[seat].hand or not g.deck or not has_name(g, seat, self.name):
            return
        if DECLINED not in g.top(Turn).used:
            g.tell("park", seat=seat, count=min(2, len(g.deck)))
            draw_to_hand(g, seat, 2)
