"""The hint that a whole turn fits into one message, for somebody who gives one order at a time.

It is given once to a person, on channels where each order is a message of its own, and never to anyone who
gives several together. What it shows is possible at that moment: the seat's own question says so.
"""

from __future__ import annotations

from collections import Counter

from referee import rules
from referee.plans import FREE
from referee.rules import Move, Refusal
from referee.rules.notation import order_text
from referee.store import Game, Journal, Seat, Tx

from ..core.composing import LetterContext
from ..core.unit_of_work import names
from . import lesson_state

#: as it is remembered among a seat's lessons
NAME = "several"
#: this many messages in a row with a single order each; this many orders are looked at, and seats of a person
_IN_A_ROW, _LOOKED, _SEATS = 3, 12, 20
#: not counted: while characters are picked there is never more than one order to give, and what is free may
#: have been taken along with another order
_UNCOUNTED = frozenset({"pick", "discard", *FREE})
_GATHER, _BUILD, _END = "gold", "build", "end"


def example(ctx: LetterContext, game: Game, seat: Seat) -> list[str]:
    """Orders that this seat could give together now, where it is time for the hint; [] else."""
    person = ctx.person
    if ctx.rewrites or person is None or person.hints == "off":  # taps go through one message
        return []
    if lesson_state.mode_of(seat.lessons) == lesson_state.LEARN or not one_by_one(ctx.tx, game, seat):
        return []
    seats = ctx.tx.all(Seat, person_id=person.id, order="-id", limit=_SEATS)
    if any(NAME in lesson_state.had(one.lessons) for one in seats):
        return []
    return possible(ctx.states.of(game), seat, names(ctx.seats))


def one_by_one(tx: Tx, game: Game, seat: Seat) -> bool:
    """Whether the player's last messages held a single order each."""
    last = tx.all(Journal, game_id=game.id, seat=seat.no, by="person", undone=0, order="-no", limit=_LOOKED)
    orders = Counter(one.inbox_id for one in last if one.order.split(" ", 1)[0] not in _UNCOUNTED)
    return len(orders) >= _IN_A_ROW and max(orders.values()) == 1


def possible(state: rules.State, seat: Seat, called: list[str]) -> list[str]:
    """Gathering, building where something can be built then, and the end of the turn, as orders; [] where
    that can't be. Nothing beyond the first order is tried: what follows a building may be hidden from the
    seat.
    """
    try:
        asked = rules.play(state, seat.no, Move(_GATHER)).asks
    except Refusal:
        return []
    moves = [move for ask in asked if ask.seat == seat.no for move in ask.moves]
    builds = [move for move in moves if move.verb == _BUILD and len(move.args) == 1][:1]
    ends = [move for move in moves if move.verb == _END]
    return [order_text(move, called) for move in (Move(_GATHER), *builds, *ends)] if ends else []
