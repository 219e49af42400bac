"""The answer of a bot that had time to think, played like any order; or another's, where it has none."""

from __future__ import annotations

import logging

from referee.ids import SeatNo
from referee.rules import Move, Refusal
from referee.search import PLAYERS
from referee.states import GameStatus
from referee.store import Deadline, Game, Seat

from ..core.unit_of_work import UnitOfWork
from ..play import bot_turns, enacting, moves

log = logging.getLogger(__name__)
#: who answers where thinking came to nothing: the best of those that take no time
SUBSTITUTE = next(name for name in ("steady", "greedy") if name in PLAYERS)


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
    it. Whether it was the bot's own.
    """
    seats = uow.seats(game.id)
    done = moves.OrderAttempt(uow.states.of(game))
    own = move is not None and _played(done, seats, no, move)
    ask = done.asked(no)
    if not own and ask is not None:
        done.play(seats, no, bot_turns.at_once(done.state, seats[no], ask, SUBSTITUTE), "bot")
    bot_turns.let_bots(done, seats)
    enacting.enact(uow, game, seats, done)
    return own


def after_pause(uow: UnitOfWork, game: Game) -> None:
    """The bots of a table answer that were asked while one of them paused."""
    seats = uow.seats(game.id)
    done = moves.OrderAttempt(uow.states.of(game))
    bot_turns.let_bots(done, seats)
    enacting.enact(uow, game, seats, done)


def _played(done: moves.OrderAttempt, seats: list[Seat], no: SeatNo, move: Move) -> bool:
    try:
        done.play(seats, no, move, "bot")
    except Refusal as refused:
        log.error("a bot of game %s answered what the rules refuse: %s", seats[no].game_id, refused.code)
        return False
    return True
