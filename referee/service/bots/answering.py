"""The answer of a bot that had time to think, in its own seat or as a stand-in, played like any order; or
another's, where it has none.
"""

from __future__ import annotations

import logging

from referee.ids import SeatNo
from referee.rules import Move, Refusal
from referee.states import GameStatus
from referee.store import Deadline, Game, Seat

from ..core import outbox
from ..core.unit_of_work import UnitOfWork
from ..deadlines import bot_pauses, clock_state
from ..people.letter_facts import PromptFacts
from ..play import bot_turns, enacting, moves

log = logging.getLogger(__name__)


def still_asked(game: Game | None, row: Deadline) -> bool:
    """Whether a row's question is open."""
    return (
        game is not None
        and game.status == GameStatus.RUNNING
        and game.question == row.question
        and str(row.seat) in game.asked.split(",")
    )


def answer(uow: UnitOfWork, game: Game, no: SeatNo, move: Move | None) -> bool:
    """Play it for the seat, which is asked; the substitute's answer where there is none or the rules refuse
    it. Whether it was the bot's own. Whose turn a stand-in has played is told so at its end.
    """
    seats = uow.seats(game.id)
    by = "bot" if seats[no].bot else "standin"
    pauses = by == "standin" and bot_pauses.has_pauses(uow, game, seats, clock_state.policy_of(game))
    done = moves.OrderAttempt(uow.states.of(game), pauses=pauses)
    own = move is not None and _played(done, seats, no, move, by)
    ask = done.asked(no)
    if not own and ask is not None:
        done.play(seats, no, bot_turns.at_once(done.state, seats[no], ask, bot_turns.SUBSTITUTE), by)
    bot_turns.let_bots(done, seats)
    fresh = enacting.enact(uow, game, seats, done)
    if by == "standin" and not clock_state.read_clocks(fresh).seat(no).stands:
        outbox.to_seat(uow, fresh, seats[no], PromptFacts(echo=[], trouble=None))
    return own


def after_pause(uow: UnitOfWork, game: Game) -> None:
    """The bots of a table answer that were asked while one of them paused."""
    seats = uow.seats(game.id)
    done = moves.OrderAttempt(uow.states.of(game))
    bot_turns.let_bots(done, seats)
    enacting.enact(uow, game, seats, done)


def _played(done: moves.OrderAttempt, seats: list[Seat], no: SeatNo, move: Move, by: str) -> bool:
    try:
        done.play(seats, no, move, by)
    except Refusal as refused:
        log.error("a bot of game %s answered what the rules refuse: %s", seats[no].game_id, refused.code)
        return False
    return True
