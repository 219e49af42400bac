"""Reminders: each at its time, but none for somebody who has just looked, unless it is the last."""

from __future__ import annotations

from referee.ids import QuestionNo
from referee.policy import HOUR_MS, ms
from referee.states import DeadlineKind, OutboxState
from referee.store import Address, Game, Outbox, Seat

from ..core import outbox
from ..core.letter_rows import notes
from ..core.letters import Facts
from ..core.unit_of_work import UnitOfWork
from ..deadlines import clock_state
from ..people.letter_facts import PromptFacts

#: how long somebody who looked needs no reminder, at most; at quick tables a share of the time for an answer
LOOKED_MS = 2 * HOUR_MS
_SHARE = 4


class ReminderFacts(Facts):
    """Whether it is the last reminder of its question."""

    kind = "reminder"
    last: bool


def remind(uow: UnitOfWork, game: Game, seat: Seat, question: QuestionNo) -> None:
    """The clock of a seat that is asked rings, and is set for what comes next; its player is reminded, unless
    they need not be.
    """
    clock_state.again(uow, game, (seat.no,))
    if clock_state.when_away(game, uow.seats(game.id)) is clock_state.WhenAway.STAYS:
        return
    last = not any(
        row.seat == seat.no and row.kind == DeadlineKind.REMIND for row in clock_state.running(uow, game.id)
    )
    if coming(uow, game, seat):
        return
    if last or not looked(uow, game, seat, question):
        outbox.to_seat(uow, game, seat, ReminderFacts(last=last), question=question)


def coming(uow: UnitOfWork, game: Game, seat: Seat) -> bool:
    """Whether the question itself has not left yet, since its channel is away: it will tell the time that is
    left.
    """
    queued = uow.tx.all(
        Outbox, game_id=game.id, seat=seat.no, kind=PromptFacts.kind, state=OutboxState.QUEUED
    )
    return any(not notes(row).held for row in queued)


def looked(uow: UnitOfWork, game: Game, seat: Seat, question: QuestionNo) -> bool:
    """Whether the player of a seat has just been here: wrote or pressed anything in private, or was shown
    this very question.
    """
    since = uow.now_ms - min(LOOKED_MS, ms(clock_state.policy_of(game).move_hours) // _SHARE)
    if any(one.seen_ms >= since for one in uow.tx.all(Address, person_id=seat.person_id)):
        return True
    shown = uow.tx.all(
        Outbox, game_id=game.id, seat=seat.no, state=OutboxState.SENT, question=question, order="-id", limit=3
    )
    return any(row.sent_ms >= since for row in shown)
