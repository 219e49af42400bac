"""One decision of a review after the other, as the queue of thoughts lets them be judged.

A decision is judged from the position that was answered, which the process is handed as it was: what the seat
could not see is dealt anew there. What was found is written down together with how far that is, so a process
that dies costs one decision, which is judged again by the same dice.
"""

from __future__ import annotations

import msgspec

from referee.ids import GameId, PersonId, SeatNo
from referee.search.search import Compared
from referee.search.thinking import Answer, Thought
from referee.states import DeadlineKind, GameStatus
from referee.store import Address, DamagedPack, Deadline, Game, GameReview, Seat, Tx

from ..bots import hooks
from ..core import outbox
from ..core.alerts import alert_daily
from ..core.letters import Facts
from ..core.unit_of_work import StateCache, UnitOfWork, json_text
from ..deadlines import bot_questions
from ..people.letter_facts import notice
from . import findings
from .letter_facts import ReviewFacts
from .past import decisions

#: who judges, and with what part of the effort of an answer: a game has fifty decisions
JUDGE, SHARE = "strong", 0.4
#: when that many decisions could not be judged, nobody tries the others
FAILURES = 3


def begin(uow: UnitOfWork, seat: Seat, person_id: PersonId, channel: str) -> None:
    """Let a review wait for its turn."""
    uow.tx.add(
        GameReview,
        game_id=seat.game_id,
        seat=seat.no,
        person_id=person_id,
        asked_ms=uow.now_ms,
        data=json_text(findings.Findings(channel=channel)),
    )
    wait(uow, seat.game_id, seat.no)


def wait(uow: UnitOfWork, game_id: GameId, no: SeatNo) -> None:
    """Behind all that waits already."""
    uow.tx.add(
        Deadline,
        game_id=game_id,
        seat=no,
        question=0,
        kind=DeadlineKind.REVIEW,
        due_ms=uow.now_ms + bot_questions.PATIENCE_MS,
    )
    uow.wakes |= {"clock", bot_questions.DESK}


def is_queued(uow: UnitOfWork, game_id: GameId, no: SeatNo) -> bool:
    """Whether the review of a seat is in the queue, or in hand."""
    kinds = (DeadlineKind.REVIEW, DeadlineKind.REVIEWING)
    return any(one.seat == no for one in uow.tx.all(Deadline, game_id=game_id, kind=kinds, done_ms=0))


def of_seat(tx: Tx, game_id: GameId, no: SeatNo) -> GameReview | None:
    """The review of a seat, where one was asked for."""
    return tx.one(GameReview, game_id=game_id, seat=no)


@hooks.to_judge.on
def next_decision(
    tx: Tx, states: StateCache, now_ms: int, row: Deadline, effort: float
) -> hooks.Decision | None:
    """The first decision after those that were judged; None behind the last."""
    game, review = tx.get(Game, row.game_id), of_seat(tx, row.game_id, row.seat)
    if game is None or review is None or review.done_ms or game.status != GameStatus.OVER:
        return None
    left = (one for one in decisions(tx, states, now_ms, game, row.seat) if one.no > review.upto)
    one = next(left, None)
    if one is None:
        return None
    given = Answer(one.move.verb, [*msgspec.to_builtins(one.move.args)])
    dice = f"review:{game.id}:{one.question}:{row.seat}"
    position = msgspec.Raw(one.position)
    return hooks.Decision(one.no, Thought(position, row.seat, JUDGE, SHARE * effort, dice, given=given))


@hooks.compared.on
def judged(uow: UnitOfWork, row: Deadline, decision: hooks.Decision | None, found: Compared | None) -> bool:
    """Write down what came of it, and tell when it was the last; whether there is more to judge."""
    review = of_seat(uow.tx, row.game_id, row.seat)
    if review is None or review.done_ms:  # whose it was has deleted their account
        return False
    if decision is None:
        uow.tx.set(GameReview, review.id, done_ms=uow.now_ms)
        tell(uow, review, ReviewFacts())
        return False
    if decision.no <= review.upto:
        return True
    known = findings.read(review)
    if found is None:
        known.failed += 1
        if known.failed >= FAILURES:
            give_up(uow, review)
            return False
    else:
        known.take(decision.no, found)
    uow.tx.set(GameReview, review.id, upto=decision.no, data=json_text(known))
    return True


@hooks.broke.on
def unreadable(uow: UnitOfWork, row: Deadline, why: Exception) -> None:
    """The game can't be looked through. What was found so far is no review: it is begun anew when it is asked
    for again, as somebody may have mended the game by then.
    """
    review = of_seat(uow.tx, row.game_id, row.seat)
    if review is None or review.done_ms:
        return
    if not isinstance(why, DamagedPack):
        give_up(uow, review)
        return
    alert_daily(uow, "pack-damaged", game=review.game_id)
    uow.tx.drop(GameReview, id=review.id)
    tell(uow, review, notice("pack-damaged", game=review.game_id))


def give_up(uow: UnitOfWork, review: GameReview) -> None:
    """Nobody has time for it: who asked is told so, and may ask again."""
    uow.tx.drop(GameReview, id=review.id)
    tell(uow, review, ReviewFacts(nobody=True))


def tell(uow: UnitOfWork, review: GameReview, what: Facts) -> None:
    """Where it was asked for, if that is still theirs; else as any letter about that game."""
    game, channel = uow.tx.get(Game, review.game_id), findings.read(review).channel
    seat = uow.seats(review.game_id)[review.seat]
    if game is None or seat.person_id is None:
        return
    at: Address | None = next(
        (one for one in outbox.addresses(uow, seat.person_id) if one.channel == channel), None
    )
    outbox.to_seat(uow, game, seat, what, at=at)
