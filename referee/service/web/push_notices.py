"""Telling browsers whose player asked for it that it is their turn.

A notice stands beside a letter and never in its place: it is queued when a letter that asks has left, for
each browser in which its reader is signed in and wants that. So whatever keeps the letter back (what they
want to hear, their quiet hours, an answer that they wait for anyway) keeps the notice back, too. It says
which table it is, and nothing that only its player may know.
"""

from __future__ import annotations

import json

from referee.ids import NO_QUESTION, QuestionNo, SeatNo, SessionId
from referee.ports import PushSubscription, Receipt, subscription_of
from referee.states import GameStatus
from referee.store import Outbox, Seat, Tx, WebSession

from ..core import outbox
from ..core.composing import Draft, LetterContext
from ..core.letter_rows import read
from ..core.letters import Facts, LetterTraits, UnsolicitedDelivery, letter, traits
from ..core.unit_of_work import UnitOfWork, json_text
from ..outbound import hooks
from ..outbound.outbox_rows import thawed

#: a notice of a question that was asked longer ago is none, ms
_LIVES_MS = 12 * 3_600_000


class TurnNoticeFacts(Facts):
    """Which question waits for which seat, and whether it is asked for the first time."""

    kind = "turn_notice"
    to_seat: SeatNo
    asked: QuestionNo
    again: bool = False


def keep(tx: Tx, session_id: SessionId, wanted: PushSubscription | None) -> None:
    """A browser wants to be told there, or (None) no more.

    Its address outlives its cookie: somebody who was signed in there before is told nothing there any more.
    """
    row = tx.get(WebSession, session_id)
    said = "" if wanted is None else json_text(wanted.fields())
    if row is None or row.push == said:
        return
    if said:
        tx.change(WebSession, {"push": said}, push="")
    tx.set(WebSession, session_id, push=said)


def subscribed(row: WebSession | None) -> PushSubscription | None:
    """Where a browser is told; None for one that wants it not."""
    return None if row is None or not row.push else subscription_of(json.loads(row.push))


@hooks.letter_left.on
def tell_browsers(uow: UnitOfWork, row: Outbox) -> None:
    """A letter has left: where it asks its reader, and they did not wait for it, their browsers tell it."""
    if not uow.settings.push_key or row.person_id is None or row.seat is None or row.question == NO_QUESTION:
        return
    kind = traits(row.kind)
    if not kind.asks or kind.unasked is None or read(row, Facts).reply:
        return
    for session in uow.tx.all(WebSession, person_id=row.person_id):
        if session.push and session.expires_ms > uow.now_ms:
            outbox.queue(
                uow,
                TurnNoticeFacts(to_seat=row.seat, asked=row.question, again=not kind.puts),
                channel=outbox.PUSH,
                address=str(session.id),
                person_id=row.person_id,
                game_id=row.game_id,
                collapse=f"{TurnNoticeFacts.kind}:{row.game_id}:{session.id}",
                lives_ms=_LIVES_MS,
            )


@hooks.letter_refused.on
def forget_browser(uow: UnitOfWork, row: Outbox, receipt: Receipt) -> None:
    """A push service knows a browser no more: it is not told again unless its player asks anew."""
    if row.channel != outbox.PUSH:
        return
    session = uow.tx.get(WebSession, SessionId(int(row.address)))
    before = subscribed(session)
    if session is None or before is None:
        return
    if before.endpoint == thawed(row.letter).facts.get("endpoint"):  # else it has got another one meanwhile
        keep(uow.tx, session.id, None)


@letter(
    TurnNoticeFacts,
    LetterTraits(bound=True, secret=True, unasked=UnsolicitedDelivery("off", gathered=False)),
)
def turn_notice(ctx: LetterContext) -> Draft | None:
    """Which table it is; None where the question is gone, or the browser, or somebody else uses it."""
    facts, game = ctx.read(TurnNoticeFacts), ctx.game
    session = ctx.tx.get(WebSession, SessionId(int(ctx.row.address)))
    to = subscribed(session)
    if to is None or session is None or session.person_id != ctx.row.person_id or game is None:
        return None
    seat = ctx.tx.one(Seat, game_id=game.id, person_id=session.person_id)
    waits = game.status == GameStatus.RUNNING and str(facts.to_seat) in game.asked.split(",")
    if not waits or seat is None or seat.no != facts.to_seat or game.question != facts.asked:
        return None
    path = f"{ctx.settings.root}/me/{game.id}"
    return Draft({"again": facts.again}, facts={**to.fields(), "at": path})
