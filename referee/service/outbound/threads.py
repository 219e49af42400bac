"""Where a letter is read: the room, its language, and the conversation that it belongs to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.store import GameRoom, Outbox, Room

if TYPE_CHECKING:
    from .compose import Desk


def room_language(desk: Desk, row: Outbox) -> str:
    """The language of the room a letter goes to, the desk's own where it goes to none."""
    room = desk.tx.one(Room, channel=row.channel, place=row.place) if row.place else None
    return room.language if room is not None else desk.language


def place_of(desk: Desk, room_id: int) -> tuple[str, str]:
    """The wire's name of a room."""
    room = desk.tx.get(Room, room_id)
    return ("", "") if room is None else (room.channel, room.place)


def thread(desk: Desk, row: Outbox) -> tuple[str, ...]:
    """Wire ids of earlier letters of this conversation, oldest first, for threading."""
    if row.game_id is None:
        return ()
    if row.seat is None:
        # in a room, what is said about a game belongs under its living message
        shown = [
            w.wire_id
            for w in desk.tx.all(GameRoom, game_id=row.game_id)
            if row.place and place_of(desk, w.room_id) == (row.channel, row.place)
        ]
        return tuple(wire_id for wire_id in shown if wire_id and row.kind != "table")
    sent = desk.tx.all(
        Outbox, game_id=row.game_id, seat=row.seat, channel=row.channel, state="sent", order="-id", limit=3
    )
    return tuple(s.wire_id for s in reversed(sent) if s.wire_id)
