"""What an admin may look at and do from the command line: inbox, outbox, games, records (more of it:
`administering`).
"""

from __future__ import annotations

from typing import Any

import msgspec

from referee import rules
from referee.ports import Inbound
from referee.store import Game, Inbox, Outbox, Seat, Tx
from referee.text import Words

from ..core import audit_log
from ..core.letters import traits
from ..core.unit_of_work import ServiceSettings, Sitting, States, names
from ..deadlines import open_proposals
from ..decisions.acts import ACTS
from ..inbound.dispatch import decode
from ..inbound.inbox_row import lane
from ..play.records import deal_text, record_text
from . import repair
from .speaker import CONSOLE

__all__ = [
    "bring",
    "deal_text",
    "decide",
    "drop",
    "drop_letter",
    "games",
    "noted",
    "outbox",
    "record_text",
    "retry",
    "retry_letter",
    "show_inbox",
    "shunted",
    "thaw",
]


def shunted(tx: Tx) -> list[dict[str, Any]]:
    """Messages that could not be handled: id, channel, key, at_ms, tries, error."""
    return [
        {"id": r.id, "channel": r.channel, "key": r.key, "at_ms": r.at_ms, "tries": r.tries, "error": r.error}
        for r in tx.all(Inbox, state="shunted", order="id")
    ]


def show_inbox(tx: Tx, inbox_id: int) -> dict[str, Any] | None:
    """One message, as it arrived."""
    row = tx.get(Inbox, inbox_id)
    if row is None:
        return None
    came = decode(row.body)
    return {
        "id": row.id,
        "state": row.state,
        "channel": row.channel,
        "key": row.key,
        "at_ms": row.at_ms,
        "tries": row.tries,
        "error": row.error,
        "what": came.what.value,
        "address": came.address,
        "place": came.place or "",
        "text": came.text,
    }


def retry(tx: Tx, inbox_id: int, now_ms: int) -> bool:
    """Put a shunted message back into the queue, and its game back into play.

    False when it is not shunted.
    """
    return repair.retry(_sitting(tx, now_ms), inbox_id) and noted(
        tx, now_ms, "retry-message", number=inbox_id
    )


def drop(tx: Tx, inbox_id: int, now_ms: int) -> bool:
    """Give a shunted message up, and put its game back into play.  False when it is not shunted."""
    return repair.drop(_sitting(tx, now_ms), inbox_id) and noted(tx, now_ms, "drop-message", number=inbox_id)


def bring(tx: Tx, came: Inbound, now_ms: int) -> bool:
    """A message that was parked, into the inbox after all.  False when it is there already."""
    number = tx.add_new(
        Inbox,
        channel=came.channel,
        key=came.key,
        body=msgspec.json.encode(came),
        at_ms=came.at_ms or now_ms,
        state="new",
        lane=lane(came),
    )
    return number is not None and noted(tx, now_ms, "retry-message", number=number)


def thaw(tx: Tx, game_id: int, now_ms: int) -> bool:
    """Let a frozen game go on: whoever is asked is asked again, with the time that they had left.

    False when it is not frozen.
    """
    return repair.thaw(_sitting(tx, now_ms), game_id) and noted(tx, now_ms, "thaw", game=game_id)


def decide(tx: Tx, game_id: int, act: str, now_ms: int) -> bool:
    """Let a table pause, or go on again ("pause", "resume"), as an admin who does not play there.

    False where that is not possible.
    """
    sitting = _sitting(tx, now_ms)
    game = tx.get(Game, game_id)
    if game is None or game.status != "running":
        return False
    try:
        ACTS[act].check(sitting, game, {})
    except rules.Refusal:
        return False
    open_proposals.moot(sitting, game_id, act)
    ACTS[act].do(sitting, game, {}, {"seat": None, "by": ""})
    return True


def outbox(tx: Tx, state: str = "", limit: int = 50) -> list[dict[str, Any]]:
    """Letters, newest first: id, state, kind, channel, to, game, tries, error, created_ms, sent_ms."""
    found = (
        tx.all(Outbox, order="-id", limit=limit, state=state)
        if state
        else tx.all(Outbox, order="-id", limit=limit)
    )
    return [letter_row(r) for r in found]


def letter_row(row: Outbox) -> dict[str, Any]:
    """One letter without its words; what somebody plans has no kind."""
    return {
        "id": row.id,
        "state": row.state,
        "kind": "-" if traits(row.kind).private else row.kind,
        "channel": row.channel,
        "to": row.address or row.place,
        "game": row.game_id,
        "tries": row.tries,
        "error": row.error,
        "created_ms": row.created_ms,
        "sent_ms": row.sent_ms,
    }


def retry_letter(tx: Tx, letter_id: int, now_ms: int) -> bool:
    """Queue a failed, unknown or dropped letter again, worded anew.  False when there is none."""
    return repair.retry_letter(_sitting(tx, now_ms), letter_id) and noted(
        tx, now_ms, "retry-letter", number=letter_id
    )


def drop_letter(tx: Tx, letter_id: int, now_ms: int) -> bool:
    """Don't send a letter after all, or give one up that could not go.  False when it has gone."""
    return repair.drop_letter(_sitting(tx, now_ms), letter_id) and noted(
        tx, now_ms, "drop-letter", number=letter_id
    )


def games(tx: Tx, status: str = "") -> list[dict[str, Any]]:
    """Tables: id, status, edition, round, players, asked; not those that were put away."""
    found = (
        tx.all(Game, order="id", status=status, archived_ms=0)
        if status
        else tx.all(Game, order="id", archived_ms=0)
    )
    return [
        {
            "id": g.id,
            "status": g.status,
            "edition": g.edition,
            "round": g.round,
            "asked": g.asked,
            "players": names(tx.all(Seat, game_id=g.id, order="no")),
        }
        for g in found
    ]


def noted(tx: Tx, now_ms: int, act: str, **facts: Any) -> bool:
    """A line in the logbook of the house: done from the command line.  True."""
    audit_log.note(_sitting(tx, now_ms), audit_log.HOUSE, None, CONSOLE, act, facts)
    return True


def _sitting(tx: Tx, now_ms: int) -> Sitting:
    return Sitting(tx, now_ms, Words(()), ServiceSettings(), States())
