"""What players made of code answer at once: bots, and who plays for a seat for which nobody waits.

Their dice depend on the game's secret seed and the question only: the same game goes the same way after a
restart, and who sits in a seat, or stays away from it, changes nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from referee import rules
from referee.bots import caretaker
from referee.ids import QuestionNo
from referee.policy import Policy
from referee.rules import Ask, Move
from referee.search import PLAYERS, Sight, player, thinks
from referee.store import Seat

from ..core.unit_of_work import UnitOfWork, playing
from ..deadlines import bot_pauses

if TYPE_CHECKING:
    from .moves import OrderAttempt

#: who may play for a seat that nobody waits for, as the journal calls them
STANDINS = frozenset({"caretaker", "standin"})
#: who answers where thinking came to nothing: the best of those that take no time
SUBSTITUTE = next(name for name in ("steady", "greedy") if name in PLAYERS)
#: a bot answers at most this many questions behind one order; more means that something is wrong
_PATIENCE = 2_000


def let_bots(done: OrderAttempt, seats: list[Seat]) -> None:
    """Bots that are asked answer, up to the first that thinks or pauses before it does (`done.pauses`)."""
    for _ in range(_PATIENCE):
        ask = next((a for a in done.waiting if seats[a.seat].bot), None)
        if ask is None or thinks(seats[ask.seat].bot):
            return
        last = done.steps[-1] if done.pauses and done.steps else None
        if last is not None and bot_pauses.pauses(done.state, seats, last.seat):
            return
        done.play(seats, ask.seat, at_once(done.state, seats[ask.seat], ask, seats[ask.seat].bot), "bot")
    with playing(seats[0].game_id):
        raise RuntimeError("the bots never stop")


def at_once(state: Any, seat: Seat, ask: Ask, level: str) -> Move:
    """What a player made of code that does not think long answers for a seat."""
    with playing(seat.game_id):
        sight = Sight(state, seat.no)
        return player(level).choose(sight, sight.dice(seed(seat, ask.number)))


def quick(level: str) -> str:
    """That level, or the one that answers at once in its place."""
    return SUBSTITUTE if thinks(level) else level


def full(uow: UnitOfWork) -> str:
    """At which level a full bot stands in here: as the house chose, where it lets somebody think."""
    bots = uow.settings.bots
    return bots.stand_in if bots.process else quick(bots.stand_in)


def announced(uow: UnitOfWork, policy: Policy) -> dict[str, str]:
    """What an event says of who stands in at such a table: `bot`, its level; nothing of the caretaker."""
    return {"bot": full(uow)} if policy.bot else {}


def seed(seat: Seat, question: QuestionNo) -> str:
    """What the dice for a question depend on, beside the game's secret seed (`Sight.dice`)."""
    return f"{seat.game_id}:{question}:{seat.no}"


def instead(by: str, state: Any, seat: Seat, ask: Ask, level: str) -> Move | None:
    """What one of STANDINS answers for a seat, None where it leaves that to the dullest answer.  `level`: how
    a full bot plays.
    """
    if by == "caretaker":
        return caretaker.choose(rules.view(state, seat.no))
    return at_once(state, seat, ask, level) if by == "standin" else None
