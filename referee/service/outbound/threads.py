"""Where a letter is read: the language of its room, and the conversation that it belongs to."""

from __future__ import annotations

from referee.states import OutboxState
from referee.store import Outbox, Room, Tx

from ..core import outbox
from ..core.letters import traits


def room_language(tx: Tx, row: Outbox, otherwise: str) -> str:
    """The language of the room a letter goes to, another one where it goes to none."""
    room = tx.one(Room, channel=row.channel, place=row.place) if row.place else None
    return room.language if room is not None else otherwise


def thread(tx: Tx, row: Outbox) -> tuple[str, ...]:
    """Wire ids of earlier letters of this conversation, oldest first, for threading.

    Of those to its reader only: a mail's id carries the token that lets its reader answer, and somebody else
    may have had the seat before them.
    """
    if row.game_id is None:
        return ()
    if row.seat is None:
        # in a room, what is said about a game belongs under its living message
        shown = outbox.watches(tx, row) if row.place and not traits(row.kind).living else []
        return tuple(one.wire_id for one in shown if one.wire_id)
    sent = tx.column(
        Outbox,
        "wire_id",
        game_id=row.game_id,
        seat=row.seat,
        person_id=row.person_id,
        channel=row.channel,
        state=OutboxState.SENT,
        order="-id",
        limit=3,
    )
    return tuple(wire_id for wire_id in reversed(sent) if wire_id)
