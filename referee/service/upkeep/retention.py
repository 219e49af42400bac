"""What was said long ago is forgotten, where the admin wishes it: the words of letters that went out and of
messages that were answered, what could not be read; and, by a wish of its own, comments on positions.

The rows stay, so that nothing is sent or acted upon twice; journals, events, results and records stay whole.
What waits is never touched, however old.
"""

from __future__ import annotations

from itertools import takewhile

from referee.states import InboxState, OutboxState
from referee.store import Bookmark, Inbox, Outbox, StepComment, Tx

from ..core.unit_of_work import json_text

#: rows looked at in one transaction: a few milliseconds
MOST = 200
#: messages for which nobody waits; also those of which processes died: an admin has had the time to look
_SETTLED = (InboxState.DONE, InboxState.DROPPED, InboxState.REFUSED, InboxState.PARKED)
_STORE, _LETTERS, _MESSAGES = "", "tidied-letters", "tidied-messages"


def tidy(tx: Tx, before_ms: int) -> bool:
    """Forget some of what is older; whether there may be more.

    Rows are looked at once, in their order: each time from where the last one ended.
    """
    return any((_letters(tx, before_ms), _messages(tx, before_ms)))


def _letters(tx: Tx, before_ms: int) -> bool:
    rows = tx.all(Outbox, after={"id": _reached(tx, _LETTERS)}, order="id", limit=MOST)
    old = list(takewhile(lambda row: row.created_ms < before_ms, rows))
    for row in old:
        if row.state not in (OutboxState.QUEUED, OutboxState.SENDING):
            tx.set(Outbox, row.id, letter="", data="{}")
    return _on(tx, _LETTERS, [row.id for row in old])


def _messages(tx: Tx, before_ms: int) -> bool:
    rows = tx.all(Inbox, after={"id": _reached(tx, _MESSAGES)}, order="id", limit=MOST)
    old = list(takewhile(lambda row: max(row.at_ms, row.done_ms) < before_ms, rows))
    for row in old:
        if row.state in _SETTLED:
            # what every message has, and nothing else
            empty = {"channel": row.channel, "key": row.key, "address": ""}
            tx.set(Inbox, row.id, body=json_text(empty).encode(), lane="")
    return _on(tx, _MESSAGES, [row.id for row in old])


def comments(tx: Tx, before_ms: int) -> bool:
    """Forget some of the comments that are older; whether there may be more."""
    rows = tx.all(StepComment, order="id", limit=MOST)
    old = [row.id for row in takewhile(lambda row: row.at_ms < before_ms, rows)]
    for number in old:
        tx.drop(StepComment, id=number)
    return len(old) == MOST


def _on(tx: Tx, name: str, old: list[int]) -> bool:
    if old:
        tx.put(Bookmark, channel=_STORE, name=name, value=str(old[-1]))
    return len(old) == MOST


def _reached(tx: Tx, name: str) -> int:
    row = tx.one(Bookmark, channel=_STORE, name=name)
    return 0 if row is None else int(row.value)
