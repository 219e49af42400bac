"""Games that have been over for a while become small: their letters and messages go, and what was played is
packed (`store.packed_games`). Nothing that somebody can ask for is lost.

One game after the other, a piece of it in one transaction. The pack takes the place of the rows in one of
its own, so a process that is killed leaves a game whole in rows or whole in its pack; letters that are gone
by then are nobody's loss, and the next sweep goes on where this one ended.
"""

from __future__ import annotations

import logging
from typing import NamedTuple

from referee.ids import GameId, InboxId, LetterId
from referee.states import DeadlineKind, GameStatus, InboxState, OutboxState
from referee.store import Bookmark, CalendarEntry, Deadline, Game, GamePack, Inbox, Journal, Outbox, Tx

from ..core.due import KINDS
from ..core.unit_of_work import UnitOfWork

log = logging.getLogger(__name__)
#: rows that go in one transaction: a millisecond
MOST = 100
#: what is at its end: nothing waits for it
_LETTERS = (OutboxState.SENT, OutboxState.FAILED, OutboxState.UNKNOWN, OutboxState.DROPPED)
_MESSAGES = (InboxState.DONE, InboxState.DROPPED, InboxState.REFUSED)
#: how far each kind of deadline has been looked through
_RUNG = "old deadlines"


class OldMail(NamedTuple):
    """Letters of a game, and the messages in which its orders came."""

    letters: tuple[LetterId, ...]
    messages: tuple[InboxId, ...]


def ahead(tx: Tx, before_ms: int) -> OldMail | GamePack | GameId | None:
    """What is next to be done about the game that has been over for longest: its mail, then its pack, or its
    number alone where it can't be packed; None where there is no such game.
    """
    number = next(iter(tx.long_ended(before_ms, 1)), None)
    if number is None:
        return None
    mail = _mail(tx, number)
    if mail.letters or mail.messages:
        return mail
    try:
        return tx.packable(number)
    except ValueError:
        log.exception("game %s can't be packed", number)
        return number


def _mail(tx: Tx, number: GameId) -> OldMail:
    """Some of it.  Never the newest rows of all: on SQLite their numbers would be given again."""
    letters = tx.column(Outbox, "id", game_id=number, state=_LETTERS, limit=MOST + 1)
    came = {one for one in tx.column(Journal, "inbox_id", game_id=number) if one is not None}
    messages = tx.column(Inbox, "id", id=tuple(came), state=_MESSAGES, limit=MOST + 1)
    last = (_last(tx, Outbox), _last(tx, Inbox))
    return OldMail(
        tuple(one for one in letters if one != last[0])[:MOST],
        tuple(one for one in messages if one != last[1])[:MOST],
    )


def _last(tx: Tx, table: type[Outbox | Inbox]) -> int:
    return int(next(iter(tx.column(table, "id", order="-id", limit=1)), 0))


def work(uow: UnitOfWork, found: OldMail | GamePack | GameId | None) -> bool:
    """Do it; whether there may be more."""
    tx = uow.tx
    if isinstance(found, OldMail):
        tx.drop(Outbox, id=found.letters, state=_LETTERS)
        tx.drop(Inbox, id=found.messages, state=_MESSAGES)
    elif isinstance(found, GamePack):
        if tx.pack(found, uow.now_ms):
            for seat in uow.seats(found.game.id):
                if seat.person_id is not None:
                    tx.drop(CalendarEntry, person_id=seat.person_id, game_id=found.game.id)
    elif found is not None:
        tx.set(Game, found, packed_ms=uow.now_ms)  # it stays in rows, and is not looked at again
    return found is not None


def rung(tx: Tx, before_ms: int) -> bool:
    """Throw away some of the deadlines that rang or were dropped before that moment, but for those of games
    that stand still: they say what is to be given back. Whether there may be more.
    """
    return any(_rung(tx, kind, before_ms) for kind in sorted({*DeadlineKind, *dict(KINDS.items())}))


def _rung(tx: Tx, kind: str, before_ms: int) -> bool:
    mark = tx.one(Bookmark, channel=_RUNG, name=kind)
    after = 0 if mark is None else int(mark.value)
    rows = tx.all(Deadline, kind=kind, after={"done_ms": after}, order="done_ms", limit=MOST)
    old = [row for row in rows if row.done_ms < before_ms]
    if not old:
        return False
    still = set(tx.column(Game, "id", id=tuple({row.game_id for row in old}), status=GameStatus.FROZEN))
    gone = tuple(row.id for row in old if row.game_id not in still)
    tx.drop(Deadline, id=gone)
    # several were done at once, and some of these may be left
    upto = old[-1].done_ms - (1 if gone else 0)
    tx.put(Bookmark, channel=_RUNG, name=kind, value=str(upto))
    return len(old) == MOST
