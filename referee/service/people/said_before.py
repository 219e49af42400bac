"""What comes by mail a second time: done once.

A mail that is delivered twice is known by its Message-ID. Relays, mailing lists and programs that send once
more may give each copy another one. So what would add up is looked at here: the same words below the same
letter, of which the first were carried out, are not carried out again. Anyone who means them once more
answers the letter that says so.
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


def must_be_new(uow: UnitOfWork, came: Inbound) -> None:
    """Raises Refusal for a copy of a mail that was carried out."""
    mine = None if uow.inbox_id is None or not mailed(came) else uow.tx.get(Inbox, uow.inbox_id)
    if mine is None:
        return
    since = {"id": max(0, mine.id - _LOOKED)}
    for row in uow.tx.all(Inbox, lane=mine.lane, state=InboxState.DONE, error="", after=since):
        if row.id != mine.id and row.body:
            then = msgspec.json.decode(row.body, type=Inbound)
            if what_was_said(then) == what_was_said(came):
                raise Refusal("said-before")


def what_was_said(came: Inbound) -> tuple[str, str, list[str]]:
    """Which letter a message answers, and in what words."""
    return came.token, came.thread, came.text.casefold().split()
