"""Questions that a bot does not answer at once, and their rows: one for each, so that a restart forgets none.
They are those of bots' seats, and of seats for which a bot that thinks stands in.

    bot        it is answered after a pause (`bot_pauses`)
    think      it waits for its turn in the one process in which bots think
    thinking   it is in hand there

The last two ring when that takes too long; it is answered without thinking then. A row stays with its
question: an answer that comes when its row is done is nobody's.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from referee.ids import QuestionNo, SeatNo
from referee.policy import Policy
from referee.search import thinks
from referee.states import DeadlineKind
from referee.store import Deadline, Game, Seat

from ..core.unit_of_work import UnitOfWork
from . import bot_pauses

KINDS = frozenset({DeadlineKind.BOT, DeadlineKind.THINK, DeadlineKind.THINKING})
#: of those, what waits for the process in which bots think, or is in hand there
OF_THINKERS = (DeadlineKind.THINK, DeadlineKind.THINKING)
#: for how long a question may wait, in the queue and in hand, ms: then the house has more of them than it can
#: think about, or nobody is there who thinks
PATIENCE_MS = 600_000
#: who waits for questions of that kind, as `UnitOfWork.wakes` calls it
DESK = "bots"


def set_rows(
    uow: UnitOfWork,
    game: Game,
    seats: Sequence[Seat],
    wanted: Mapping[SeatNo, QuestionNo],
    rows: Sequence[Deadline],
    policy: Policy,
    instead: Collection[SeatNo],
) -> dict[SeatNo, QuestionNo]:
    """Set the rows of those questions that wait (`wanted`: seat -> question) for a bot, and stop its other
    ones (`rows`: all that run at the table; `instead`: seats for which one that thinks stands in). Returns
    the questions that wait for people.
    """
    bots = {no: number for no, number in wanted.items() if seats[no].bot or no in instead}
    mine = [row for row in rows if row.kind in KINDS]
    gone = [row.id for row in mine if bots.get(row.seat) != row.question]
    if gone:
        uow.tx.change(Deadline, {"id": tuple(gone)}, done_ms=uow.now_ms)
    for no in bots.keys() - {row.seat for row in mine if row.id not in gone}:
        pause_ms = 0 if no in instead else bot_pauses.pause_ms(uow, game, seats, policy, bots[no])
        if pause_ms or not (no in instead or thinks(seats[no].bot)):
            _add(uow, game, no, bots[no], DeadlineKind.BOT, pause_ms)
        else:
            think(uow, game, no, bots[no])
    return {no: number for no, number in wanted.items() if no not in bots}


def think(
    uow: UnitOfWork, game: Game, no: SeatNo, number: QuestionNo, kind: DeadlineKind = DeadlineKind.THINK
) -> None:
    """Let a bot think about its question, or a person's (HINT), behind those of other tables that wait
    already.
    """
    _add(uow, game, no, number, kind, PATIENCE_MS)
    uow.wakes.add(DESK)


def _add(uow: UnitOfWork, game: Game, no: SeatNo, number: QuestionNo, kind: str, ms: int) -> None:
    uow.tx.add(Deadline, game_id=game.id, seat=no, question=number, kind=kind, due_ms=uow.now_ms + ms)
    uow.wakes.add("clock")
