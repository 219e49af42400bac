"""What comes a second time: done once.

A mail that is delivered twice is known by its Message-ID. Relays, mailing lists and programs that send once
more may give each copy another one. So what would add up is looked at here: the same words below the same
letter, of which the first were carried out, are not carried out again. Anyone who means them once more
answers the letter that says so.

In chats and on pages nothing is delivered twice, but people and programs send a line twice. Where that adds
up and can't be taken back by a word, the same from the same address within a minute is asked back.
"""

from __future__ import annotations

import msgspec

from referee.ports import Inbound
from referee.rules import Refusal
from referee.states import InboxState
from referee.store import Inbox

from ..core.unit_of_work import UnitOfWork
from .identity import mailed

#: this many of the messages that came last are looked through: copies come one soon after the other
_LOOKED = 500
#: for so long after it was carried out the same line is taken for a copy
_MOMENT_MS = 60_000


def must_be_new(uow: UnitOfWork, came: Inbound, *, apart: bool = False) -> None:
    """Raises Refusal for a copy of a mail that was carried out; `apart`: in chats and on pages, too, for what
    was carried out a moment ago.
    """
    mine = None if uow.inbox_id is None else uow.tx.get(Inbox, uow.inbox_id)
    by_mail = mailed(came)
    if mine is None or not (by_mail or apart):
        return
    since = {"id": max(0, mine.id - _LOOKED)}
    for row in uow.tx.all(Inbox, lane=mine.lane, state=InboxState.DONE, error="", after=since):
        if row.id == mine.id or not row.body or (not by_mail and abs(mine.at_ms - row.at_ms) > _MOMENT_MS):
            continue
        then = msgspec.json.decode(row.body, type=Inbound)
        if by_mail and what_was_said(then) == what_was_said(came):
            raise Refusal("said-before")
        if not by_mail and _line(then) == _line(came):
            raise Refusal("said-just-now")


def _line(came: Inbound) -> tuple[object, ...]:
    """Who said or pressed what, and where: below another letter, in another room and on the page of another
    table it is about something else.
    """
    where = (came.place, came.thread, came.facts.get("game"))
    return came.channel, came.address, where, came.payload, came.text.casefold().split()


def what_was_said(came: Inbound) -> tuple[str, str, list[str]]:
    """Which letter a message answers, and in what words."""
    return came.token, came.thread, came.text.casefold().split()
