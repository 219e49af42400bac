"""A plan answers: order by order from what its seat sees, until it stops, is not asked any more, or the turn
is over.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import NamedTuple

from referee.ids import SeatNo
from referee.plans import Stop
from referee.policy import Span
from referee.rules import Refusal
from referee.states import DeadlineKind, GameStatus
from referee.store import Deadline, Game, Seat, SeatPlan

from ..core import outbox
from ..core.unit_of_work import UnitOfWork
from ..deadlines import bot_pauses, clock_state
from ..people.letter_facts import PromptFacts
from ..play import bot_turns, enacting, moves, seat_plans
from ..play.moves import OrderAttempt

log = logging.getLogger(__name__)


class PlanRun(NamedTuple):
    """What a plan's orders lead to, and why it stopped."""

    done: OrderAttempt
    stop: Stop | None


def run(uow: UnitOfWork, game: Game, seats: list[Seat], filed: dict[SeatNo, SeatPlan], no: SeatNo) -> PlanRun:
    """Play what the plan of a seat says, on a copy.  Among those that are `filed` it is then with what it has
    in mind.
    """
    pauses = any(one.bot for one in seats) and bot_pauses.has_pauses(
        uow, game, seats, clock_state.policy_of(game)
    )
    done, row = OrderAttempt(uow.states.of(game), pauses=pauses), filed[no]
    turn = moves.where(done.state)
    stop = None
    while done.asked(row.seat) is not None and moves.where(done.state) == turn:
        said = seat_plans.consult(row, done.state)
        row = seat_plans.remember(uow, row, said.memory)
        if said.move is None:
            stop = said.stop
            break
        try:
            done.play(seats, row.seat, said.move, "plan")
        except Refusal:  # plans choose from what is on offer: a fault of ours, and no reason to stop a game
            log.exception("a plan gave an order that the rules refuse")
            row = seat_plans.remember(uow, row, {**said.memory, "stopped": True})
            break
        bot_turns.let_bots(done, seats)
    filed[no] = row
    return PlanRun(done, stop)


def run_due_plan(uow: UnitOfWork, game: Game, due: Deadline) -> None:
    """The delay of a plan is over: it answers, or its player is asked with the reason.

    Nothing is done where another question is open by now than the one that it was to answer.
    """
    if due.question != game.question:
        return
    seats, no = uow.seats(due.game_id), due.seat
    filed = uow.plans(game.id)
    ran = run(uow, game, seats, filed, no) if no in filed else None
    if ran is not None and ran.done.steps:
        stops = {} if ran.stop is None else {no: ran.stop}
        enacting.enact(uow, game, seats, ran.done, stops=stops, filed=filed)
        return
    outbox.to_seat(
        uow,
        game,
        seats[no],
        PromptFacts(stopped=None if ran is None or ran.stop is None else seat_plans.stop_facts(ran.stop)),
        question=game.question,
    )


def put_right(uow: UnitOfWork, never: Sequence[Span]) -> None:
    """The clock was ahead: what plans answer then, they answer after their delay from now on."""
    for number in {row.game_id for row in uow.tx.all(Deadline, kind=DeadlineKind.PLAN, done_ms=0)}:
        game = uow.tx.get(Game, number)
        if game is not None and game.status == GameStatus.RUNNING:
            seat_plans.arm(uow, game, *uow.states.position(game), uow.plans(game.id))
