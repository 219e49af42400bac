"""Rooms: groups in which the referee speaks publicly, and the tables that they watch."""

from __future__ import annotations

from referee.ports import Inbound
from referee.states import ALIVE, OutboxState, RoomState
from referee.store import Game, GameRoom, Outbox, Room

from ..core import outbox
from ..core.speaker import Speaker
from ..core.unit_of_work import UnitOfWork
from . import first_language, officials
from .hooks import room_moved


def room(uow: UnitOfWork, came: Inbound) -> Room | None:
    """The room something was said in, made known if new; None for a private conversation."""
    if came.place is None:
        return None
    found = uow.tx.one(Room, channel=came.channel, place=came.place)
    if found is None:
        room_id = uow.tx.add(
            Room,
            channel=came.channel,
            place=came.place,
            name=came.place_name,
            language=first_language.of_room(uow, came),
        )
        found = uow.tx.get(Room, room_id)
    elif found.state != RoomState.OPEN:
        uow.tx.set(Room, found.id, state=RoomState.OPEN)
        found = uow.tx.get(Room, found.id)
    return found


def show_tables_again(uow: UnitOfWork, here: Room) -> bool:
    """Show the tables again that live in a room the referee comes back to, or in one of its parts.  False
    when there are none.
    """
    rooms = [here, *_parts(uow, here)]
    watched = [uow.tx.get(Game, w.game_id) for room in rooms for w in uow.tx.all(GameRoom, room_id=room.id)]
    alive = {game.id: game for game in watched if game is not None and game.status in ALIVE}
    for game in alive.values():
        outbox.to_rooms(uow, game)
    return bool(alive)


def _parts(uow: UnitOfWork, here: Room) -> list[Room]:
    """The parts of a room, open again: they were closed when something could not be written there."""
    places = uow.tx.column(Room, "place", channel=here.channel)
    inside = tuple(place for place in places if place.startswith(f"{here.place}/"))
    found = uow.tx.all(Room, channel=here.channel, place=inside) if inside else []
    for part in found:
        uow.tx.set(Room, part.id, state=RoomState.OPEN)
    return found


def move_room(uow: UnitOfWork, channel: str, old: str, new: str) -> None:
    """A group has another id now (Telegram's supergroups): everything that was meant for it goes there.

    The wire may report it several times, by either id. Messages of the old group can't be edited in the new
    one.
    """
    here = uow.tx.one(Room, channel=channel, place=old)
    there = uow.tx.one(Room, channel=channel, place=new)
    if here is not None and there is None:
        uow.tx.set(Room, here.id, place=new)
        uow.tx.change(GameRoom, {"room_id": here.id}, wire_id="")
    elif here is not None and there is not None:
        for watch in uow.tx.all(GameRoom, room_id=here.id):
            if uow.tx.one(GameRoom, game_id=watch.game_id, room_id=there.id) is None:
                uow.tx.set(GameRoom, watch.id, room_id=there.id, wire_id="")
            else:
                uow.tx.drop(GameRoom, id=watch.id)
        room_moved(uow, here, there)
        if here.state == RoomState.OPEN:  # the first report: what is set there later stays
            uow.tx.set(Room, there.id, language=here.language, pictures=here.pictures)
        uow.tx.set(Room, here.id, state=RoomState.CLOSED)
    uow.tx.change(
        Outbox, {"channel": channel, "address": "", "place": old, "state": OutboxState.QUEUED}, place=new
    )
    now = uow.tx.one(Room, channel=channel, place=new)
    if here is not None and now is not None:
        show_tables_again(uow, now)


def watch(uow: UnitOfWork, here: Room, game: Game) -> None:
    """Show a game's public table in this room from now on."""
    uow.tx.add_new(GameRoom, game_id=game.id, room_id=here.id)
    outbox.to_rooms(uow, game)


def may_set(uow: UnitOfWork, speaker: Speaker, room: Room) -> bool:
    """Whether somebody may say how the room is spoken to, and what is shown there."""
    here = (uow.tx.get(Game, one.game_id) for one in uow.tx.all(GameRoom, room_id=room.id))
    on = [game for game in here if game is not None and game.status in ALIVE]
    return (
        not on
        or bool(speaker.person.admin)
        or any(officials.same(uow.tx, game.creator_id, speaker.person.id) for game in on)
    )
