"""What a restored database must not confuse: the time between the backup and now is gone from it, but not
from its players' memories.

They hold letters that the database never wrote, pressed buttons it never saw, and will be told things again
that they know. So that no move is lost unsaid, none done twice, and none taken for another:

    questions   every game's goes on far above any number that was given out since: what is on a screen now
      answers none of them
    letters     the same for their numbers, which buttons, mails and channels know them by; what waited to be
      sent may have gone, so it never will
    tables      everybody at a live one is told, with the position as it is
    messages    written before the restore, and brought by a channel only now: not acted upon, their writer is
      told (rate_limiter.py)
    sessions    links and browsers sign nobody in any more, and codes join no addresses: some were perhaps
      taken back since
"""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime
from typing import NamedTuple

from referee import rules
from referee.ids import NO_QUESTION, EventNo, LetterId
from referee.states import CalendarState, GameStatus, OutboxState
from referee.store import (
    CalendarEntry,
    Game,
    Lease,
    LinkCode,
    Meta,
    Outbox,
    WebLink,
    WebSession,
)

from ..admin.speaker import CONSOLE
from ..core import audit_log, outbox
from ..core.unit_of_work import UnitOfWork, write_event
from ..deadlines import clock_state, rows
from ..inbound import rate_limiter
from ..people.letter_facts import PromptFacts, notice
from ..people.replies import alert
from ..play import seat_plans
from .audit import DEALT, LIVE

log = logging.getLogger(__name__)
#: no installation writes this many letters, no game asks this many questions, no calendar changes so often
#: between two backups
LETTERS, QUESTIONS, CHANGES = 10_000_000, 10_000, 1_000
#: why a letter that waited was given up
MAY_HAVE_GONE = "it waited when the backup was made, and may have gone since"


class RestoreFollowUp(NamedTuple):
    """How many tables were told, and how many letters were given up."""

    tables: int
    letters: int


def settled(uow: UnitOfWork, made_ms: int) -> RestoreFollowUp:
    """Make a database that was restored fit to be served from, in one transaction.

    `made_ms`: of which moment it is.
    """
    tx = uow.tx
    given_up, gap = _letters(uow)
    for table in (Lease, WebLink, WebSession, LinkCode):
        tx.drop(table)
    entries = tx.all(CalendarEntry, state=CalendarState.OPEN)
    tx.set_all(CalendarEntry, {row.id: {"sequence": row.sequence + CHANGES} for row in entries})
    tx.put(Meta, name=rate_limiter.RESTORED, value=json.dumps({"at_ms": uow.now_ms, "made_ms": made_ms}))
    made = datetime.fromtimestamp(made_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")
    numbers = tx.column(Game, "id", status=LIVE, order="id")
    for number in numbers:
        (game,) = tx.all(
            Game, id=number
        )  # not to be locked: a server has not this many locks to give, and nobody else is here
        try:
            _table(uow, game, made)
        except Exception:
            # one that the audit found, and that was wanted all the same: it stands still until an admin has
            # mended it
            log.exception("game %s can't go on", number)
            tx.set(Game, number, status=GameStatus.FROZEN)
            rows.stop(uow, number)
            alert(uow, "frozen", game=number)
    audit_log.note(uow, audit_log.HOUSE, None, CONSOLE, "restore", {"made": made})
    alert(uow, "restored", made=made, tables=len(numbers), letters=given_up)
    if tx.all(Outbox, order="id", after={"id": gap}, limit=1):
        tx.drop(Outbox, id=gap)  # others hold the place now
    return RestoreFollowUp(len(numbers), given_up)


def _letters(uow: UnitOfWork) -> tuple[int, LetterId]:
    """Give up what waited, and let the next letter have a number that nobody has seen: how many, and the row
    that holds the place.
    """
    tx = uow.tx
    given_up = sum(
        tx.change(Outbox, {"state": state}, state=OutboxState.UNKNOWN, collapse="", error=MAY_HAVE_GONE)
        for state in (OutboxState.QUEUED, OutboxState.SENDING)
    )
    last = tx.column(Outbox, "id", order="-id", limit=1)
    gap = tx.add(
        Outbox,
        id=(last[0] if last else 0) + LETTERS,
        channel="",
        kind="none",
        state=OutboxState.DROPPED,
        error="no letter: numbers go on from here after a restore",
        created_ms=uow.now_ms,
    )
    tx.follow(Outbox)
    return given_up, gap


def _table(uow: UnitOfWork, game: Game, made: str) -> None:
    """One table: another number for its question, and everybody is told."""
    tx, number = uow.tx, game.id
    seats = uow.seats(number)
    if game.status not in DEALT:
        fresh = tx.renew(Game, game, question=game.question + QUESTIONS)
        for seat in seats:
            outbox.to_seat(uow, fresh, seat, notice("book-restored", game=number, made=made))
        outbox.to_rooms(uow, fresh)
        return
    state = rules.asked_anew(rules.load(json.loads(game.snapshot)), game.question + QUESTIONS)
    waiting = rules.asks(state)
    snapshot = uow.states.encoded(number, state, waiting)
    write_event(uow, number, EventNo(game.event_no + 1), "book_restored", {"made": made})
    fresh = tx.renew(Game, game, snapshot=snapshot, question=waiting[0].number, event_no=game.event_no + 1)
    if fresh.status == GameStatus.RUNNING:
        clock_state.again(uow, fresh, ())
        seat_plans.arm(uow, fresh, state, waiting, uow.plans(number))
    asked = {one.seat: one.number for one in waiting} if fresh.status == GameStatus.RUNNING else {}
    for seat in seats:
        outbox.to_seat(uow, fresh, seat, PromptFacts(fresh=True), question=asked.get(seat.no, NO_QUESTION))
    outbox.to_rooms(uow, fresh)
