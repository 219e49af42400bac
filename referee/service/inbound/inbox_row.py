"""A message in hand: how its row is found, also by a job that is run anew, and what became of it."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import msgspec

from referee.ids import InboxId
from referee.ports import Inbound
from referee.states import InboxState
from referee.store import Inbox, Tx

from ..core.unit_of_work import UnitOfWork

#: a row's number in the inbox, and what it holds
Waiting = tuple[InboxId, Inbound]


class RowSource(Protocol):
    """What brings the row that is to be handled, marked done at that hour, or still new where the hour is 0;
    None when there is nothing to do."""

    def __call__(self, tx: Tx, *, done_ms: int) -> Waiting | None: ...


class Outcome(NamedTuple):
    """What became of a message: its row, the unit of work's notes, what broke, who had sent it, and the
    processor's time that it took.
    """

    number: InboxId
    uow: UnitOfWork
    broken: Exception | None = None
    came: Inbound | None = None
    spent_ms: float = 0


class UnreadableMessage(Exception):
    """A message that was written down, and can't be read: by another version of the referee, or damaged.

    `number`: its row.
    """

    def __init__(self, number: InboxId) -> None:
        super().__init__(number)
        self.number = number


def decode(body: bytes) -> Inbound:
    """A row's body as what arrived.  Raises msgspec.DecodeError or UnicodeDecodeError."""
    try:
        return msgspec.json.decode(body, type=Inbound)
    except RecursionError:
        raise msgspec.DecodeError("nested too deep") from None


def decode_body(number: InboxId, body: bytes) -> Inbound:
    """The body of that row.  Raises UnreadableMessage."""
    try:
        return decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UnreadableMessage(number) from error


class FixedRow:
    """A `Begin` that brings the same row at every further call within one run of a job."""

    def __init__(self, first: RowSource) -> None:
        self._first, self._number = first, InboxId(0)

    def __call__(self, tx: Tx, *, done_ms: int) -> Waiting | None:
        if self._number:
            return take(self._number, tx, done_ms=done_ms)
        found = self._first(tx, done_ms=done_ms)
        self._number = InboxId(0) if found is None else found[0]
        return found


def take(number: InboxId, tx: Tx, *, done_ms: int) -> Waiting | None:
    """A row that waits in the inbox; None when it waits no more."""
    row = tx.get(Inbox, number)
    return None if row is None or row.state != InboxState.NEW else _begun(tx, row, done_ms)


def take_next(tx: Tx, *, done_ms: int) -> Waiting | None:
    """The oldest row that may be handled and that no other process has in hand."""
    row = tx.next_inbox()
    return None if row is None else _begun(tx, row, done_ms)


def _begun(tx: Tx, row: Inbox, done_ms: int) -> Waiting:
    number = row.id
    if done_ms:
        tx.set(Inbox, number, state=InboxState.DONE, done_ms=done_ms)
    return number, decode_body(number, row.body)
