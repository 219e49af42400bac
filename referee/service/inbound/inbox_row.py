"""A message in hand: how its row is found, also by a job that is run anew, and what became of it."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import msgspec

from referee.ports import Inbound
from referee.states import InboxState
from referee.store import Inbox, Tx

from ..core.unit_of_work import Sitting
from . import dispatch

#: a row's number in the inbox, and what it holds
Waiting = tuple[int, Inbound]


class Begin(Protocol):
    """What brings the row that is to be handled, marked done at that hour, or still new where the hour is 0;
    None when there is nothing to do."""

    def __call__(self, tx: Tx, *, done_ms: int) -> Waiting | None: ...


class Outcome(NamedTuple):
    """What became of a message: its row, the sitting's notes, what broke, who had sent it, and the
    processor's time that it took.
    """

    number: int
    sitting: Sitting
    broken: Exception | None = None
    came: Inbound | None = None
    spent_ms: float = 0


class Unread(Exception):
    """A message that was written down, and can't be read: by another version of the referee, or damaged.

    `number`: its row.
    """

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def read(number: int, body: bytes) -> Inbound:
    try:
        return dispatch.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Unread(number) from error


class Pinned:
    """A `Begin` that brings the same row at every further call within one run of a job."""

    def __init__(self, first: Begin) -> None:
        self._first, self._number = first, 0

    def __call__(self, tx: Tx, *, done_ms: int) -> Waiting | None:
        if self._number:
            return take(self._number, tx, done_ms=done_ms)
        found = self._first(tx, done_ms=done_ms)
        self._number = 0 if found is None else found[0]
        return found


def take(number: int, tx: Tx, *, done_ms: int) -> Waiting | None:
    """A row that waits in the inbox; None when it waits no more."""
    row = tx.get(Inbox, number)
    return None if row is None or row.state != InboxState.NEW else _begun(tx, row, done_ms)


def take_next(tx: Tx, *, done_ms: int) -> Waiting | None:
    """The oldest row that may be handled and that no other process has in hand."""
    row = tx.next_inbox()
    return None if row is None else _begun(tx, row, done_ms)


def _begun(tx: Tx, row: Inbox, done_ms: int) -> Waiting:
    number = int(row.id or 0)
    if done_ms:
        tx.set(Inbox, number, state=InboxState.DONE, done_ms=done_ms)
    return number, read(number, row.body)


def lane(one: Inbound) -> str:
    """Whose messages are handled in their order, whoever handles them."""
    return f"{one.channel} {one.address}"
