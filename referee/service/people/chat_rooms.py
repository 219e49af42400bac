"""Rooms: groups in which the referee speaks publicly, and the tables that they watch."""

from __future__ import annotations

from referee.ports import Inbound
from referee.states import ALIVE, OutboxState, RoomState
from referee.store import Game, GameRoom, Outbox, Room

from ..core import outbox
from ..core.speaker import Speaker
from ..core.unit_of_work import Sitting
from . import first_language, officials


def room(sitting: Sitting, came: Inbound) -> Room | None:
    """The room something was said in, made known if new; None for a private conversation."""
    if came.place is None:
        return None
    found = sitting.tx.one(Room, channel=came.channel, place=came.place)
    if found is None:
        room_id = sitting.tx.add(
            Room,
            channel=came.channel,
            place=came.place,
            name=came.place_name,
            language=first_language.of_room(sitting, came),
        )
        found = sitting.tx.get(Room, room_id)
    elif found.state != RoomState.OPEN:
        sitting.tx.set(Room, found.id, state=RoomState.OPEN)
        found = sitting.tx.get(Room, found.id)
    return found


def shown(sitting: Sitting, here: Room) -> bool:
    """Show the tables again that live in a room the referee comes back to.  False when there are none."""
    watched = [sitting.tx.get(Game, w.game_id) for w in sitting.tx.all(GameRoom, room_id=here.id)]
    alive = [game for game in watched if game is not None and game.status in ALIVE]
    for game in alive:
        outbox.to_rooms(sitting, game)
    return bool(alive)


def moved(sitting: Sitting, channel: str, old: str, new: str) -> None:
    """A group has another id now (Telegram's supergroups): everything that was meant for it goes there.

    The wire may report it several times, by either id. Messages of the old group can't be edited in the new
    one.
    """
    here = sitting.tx.one(Room, channel=channel, place=old)
    there = sitting.tx.one(Room, channel=channel, place=new)
    if here is not None and there is None:
        sitting.tx.set(Room, here.id, place=new)
        sitting.tx.change(GameRoom, {"room_id": here.id}, wire_id="")
    elif here is not None and there is not None:
        for watch in sitting.tx.all(GameRoom, room_id=here.id):
            if sitting.tx.one(GameRoom, game_id=watch.game_id, room_id=there.id) is None:
                sitting.tx.set(GameRoom, watch.id, room_id=there.id, wire_id="")
            else:
                sitting.tx.drop(GameRoom, id=watch.id)
        sitting.tx.set(Room, here.id, state=RoomState.CLOSED)
    sitting.tx.change(
        Outbox, {"channel": channel, "address": "", "place": old, "state": OutboxState.QUEUED}, place=new
    )
    now = sitting.tx.one(Room, channel=channel, place=new)
    if here is not None and now is not None:
        shown(sitting, now)


def watch(sitting: Sitting, here: Room, game: Game) -> None:
    """Show a game's public table in this room from now on."""
    sitting.tx.add_new(GameRoom, game_id=game.id, room_id=here.id)
    outbox.to_rooms(sitting, game)


def may_set(sitting: Sitting, speaker: Speaker, room: Room) -> bool:
    """Whether somebody may say how the room is spoken to, and what is shown there."""
    here = (sitting.tx.get(Game, one.game_id) for one in sitting.tx.all(GameRoom, room_id=room.id))
    on = [game for game in here if game is not None and game.status in ALIVE]
    return (
        not on
        or bool(speaker.person.admin)
        or any(officials.same(sitting.tx, game.creator_id, speaker.person.id) for game in on)
    )
