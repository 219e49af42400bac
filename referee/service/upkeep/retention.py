"""What was said long ago is forgotten, where the admin wishes it: the words of letters that went out and of
messages that were answered, what could not be read; and, by a wish of its own, comments on positions.

The rows stay for as long as a letter opens anything: until then a button is known for an old one, and what
comes again is not acted upon twice. Then they go, too: a mail counts only as an answer to a letter, and other
channels bring nothing as old as that. Journals, events, results and records stay whole. What waits is never
touched, however old.
"""

from __future__ import annotations

from itertools import takewhile
from typing import Any

from referee.states import InboxState, OutboxState
from referee.store import Bookmark, Inbox, Outbox, StepComment, Tx

from ..core.unit_of_work import json_text

#: rows looked at in one transaction: a few milliseconds
MOST = 200
#: messages for which nobody waits; also those of which processes died: an admin has had the time to look
_SETTLED = (InboxState.DONE, InboxState.DROPPED, InboxState.REFUSED, InboxState.PARKED)
#: letters that are on no way any more
_ENDED = (OutboxState.SENT, OutboxState.FAILED, OutboxState.UNKNOWN, OutboxState.DROPPED)
_LETTERS_GONE, _MESSAGES_GONE = "dropped-letters", "dropped-messages"
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


def drop(tx: Tx, before_ms: int) -> bool:
    """Throw away some of the letters and messages that are older and at their end; whether there may be more.

    Never the last of all: on SQLite its number would be given again.
    """
    return any((_drop(tx, Outbox, _LETTERS_GONE, before_ms), _drop(tx, Inbox, _MESSAGES_GONE, before_ms)))


def _drop(tx: Tx, table: type[Outbox | Inbox], name: str, before_ms: int) -> bool:
    # one more than goes: it tells whether there is a last one that must stay
    rows: list[Any] = tx.all(table, after={"id": _reached(tx, name)}, order="id", limit=MOST + 1)
    ends = _ENDED if table is Outbox else _SETTLED
    old = list(takewhile(lambda row: _at(row) < before_ms, rows))
    if len(old) == len(rows):
        old = old[:-1]
    tx.drop(table, id=tuple(row.id for row in old if row.state in ends), state=ends)
    return _on(tx, name, [row.id for row in old])


def _at(row: Any) -> int:
    return int(row.created_ms) if hasattr(row, "created_ms") else max(row.at_ms, row.done_ms)


def _on(tx: Tx, name: str, old: list[int]) -> bool:
    if old:
        tx.put(Bookmark, channel=_STORE, name=name, value=str(old[-1]))
    return len(old) == MOST


def _reached(tx: Tx, name: str) -> int:
    row = tx.one(Bookmark, channel=_STORE, name=name)
    return 0 if row is None else int(row.value)
