"""What follows from a letter's fate: it was told, it may have got lost, it will never arrive."""

from __future__ import annotations

import json
from typing import Any

from referee.ports import Receipt
from referee.store import GameRoom, Outbox, Room, Seat, Tx

from ..core import outbox
from ..core.letters import traits
from ..core.unit_of_work import Sitting
from ..notices import reachability
from ..people.replies import alert
from ..teaching import lesson_state


def told(tx: Tx, row: Outbox, receipt: Receipt) -> None:
    """After a letter went out: remember what the seat has been told, and where the living message is."""
    if row.upto and row.seat is not None:
        seat = tx.one(Seat, game_id=row.game_id, no=row.seat)
        news = (
            {}
            if seat is None
            else {**({"told": row.upto} if seat.told < row.upto else {}), **taught(seat, row)}
        )
        if seat is not None and news:
            tx.set(Seat, seat.id, **news)
    for seat_id, upto in (json.loads(row.data).get("seats") or {}).items() if traits(row.kind).spans else ():
        place = tx.get(Seat, int(seat_id))
        if place is not None and place.told < upto and place.person_id == row.person_id:
            tx.set(Seat, place.id, told=upto)
    if traits(row.kind).living and receipt.wire_id:
        room = tx.one(Room, channel=row.channel, place=row.place)
        if room is not None:
            tx.change(GameRoom, {"game_id": row.game_id, "room_id": room.id}, wire_id=receipt.wire_id)


def taught(seat: Seat, row: Outbox) -> dict[str, Any]:
    """What a seat knows now that it has had the lessons of a letter."""
    brought = json.loads(row.data).get("taught") if seat.lessons else None
    return (
        {}
        if not brought
        else {"lessons": lesson_state.remembered(seat.lessons, [name for _, name in brought], row.question)}
    )


def second_chance(sitting: Sitting, row: Outbox) -> None:
    """A letter that may or may not have arrived on a wire that can't tell: a prompt is repeated once, a
    minute later, if its question is still open then; a living message is simply renewed.
    """
    kind = traits(row.kind)
    worth = kind.living or (kind.must_arrive and (row.question or not kind.asks))
    if worth and "repeated" not in json.loads(row.data):
        outbox.queue(
            sitting,
            row.kind,
            channel=row.channel,
            address=row.address,
            place=row.place,
            person_id=row.person_id,
            game_id=row.game_id,
            seat=row.seat,
            question=row.question,
            data={**json.loads(row.data), "repeated": True},
            collapse=row.collapse,
            delay_ms=0 if kind.living else 60_000,
        )


def failed(sitting: Sitting, row: Outbox, receipt: Receipt) -> None:
    """A letter that will never arrive there: try the person's next address, close the room, tell the
    admin.
    """
    if receipt.reason == "unauthorised":
        alert(sitting, "channel-unauthorised", channel=row.channel)
    elif row.address and row.person_id is not None:
        reachability.refused(sitting, row, receipt)
    elif row.place and receipt.reason in ("not-a-member", "gone"):
        sitting.tx.change(Room, {"channel": row.channel, "place": row.place}, state="closed")
