"""A plan answers: order by order from what its seat sees, until it stops, is not asked any more, or the turn
is over.
"""

from __future__ import annotations

import logging
from typing import NamedTuple

from referee.plans import Stop
from referee.rules import Refusal
from referee.store import Deadline, Game, Seat, SeatPlan

from ..core import outbox
from ..core.unit_of_work import Sitting
from ..play import enacting, moves, seat_plans
from ..play.moves import Attempt

log = logging.getLogger(__name__)


class Ran(NamedTuple):
    """What a plan's orders lead to, why it stopped, and its row with what it has in mind then."""

    done: Attempt
    stop: Stop | None
    row: SeatPlan


def run(sitting: Sitting, game: Game, seats: list[Seat], row: SeatPlan) -> Ran:
    """Play what the plan says, on a copy."""
    done = Attempt(sitting.states.of(game))
    turn = moves.where(done.state)
    stop = None
    while done.asked(row.seat) is not None and moves.where(done.state) == turn:
        said = seat_plans.consult(row, done.state)
        row = seat_plans.remember(sitting, row, said.memory)
        if said.move is None:
            stop = said.stop
            break
        try:
            done.play(seats, row.seat, said.move, "plan")
        except Refusal:  # plans choose from what is on offer: a fault of ours, and no reason to stop a game
            log.exception("a plan gave an order that the rules refuse")
            row = seat_plans.remember(sitting, row, {**said.memory, "stopped": True})
            break
        moves.let_bots(done, seats)
    return Ran(done, stop, row)


def answer(sitting: Sitting, game: Game, due: Deadline) -> None:
    """The delay of a plan is over: it answers, or its player is asked with the reason."""
    seats, no = sitting.seats(due.game_id), due.seat
    row = seat_plans.of(sitting, game.id).get(no)
    ran = None if row is None else run(sitting, game, seats, row)
    if ran is not None and ran.done.steps:
        enacting.enact(sitting, game, seats, ran.done, stops={} if ran.stop is None else {no: ran.stop})
        return
    outbox.to_seat(
        sitting,
        game,
        seats[no],
        "prompt",
        question=game.question,
        data=seat_plans.told(None if ran is None else ran.stop),
    )


def instead(sitting: Sitting, game: Game, seats: list[Seat], no: int, by: str) -> Attempt:
    """What is done for a seat that let its time pass: what its plan says, then what `by` does."""
    row = seat_plans.of(sitting, game.id).get(no)
    if row is None:
        return moves.let_the_clock(sitting.states.of(game), seats, no, by)
    done = run(sitting, game, seats, row).done
    if not done.steps or (
        done.asked(no) is not None and moves.where(done.state) == moves.where(sitting.states.of(game))
    ):
        rest = moves.let_the_clock(done.state, seats, no, by)
        done.steps += rest.steps
        done.state, done.waiting = rest.state, rest.waiting
    return done
