"""Where a table lives: the room that shows it, the lists it stands in, and whether it stands still."""

from __future__ import annotations

from referee.rules import Refusal
from referee.states import GameStatus, OutboxState, RoomState
from referee.store import Game, GameRoom, Outbox, Room

from ..core import outbox
from ..core.unit_of_work import UnitOfWork
from ..people import chat_rooms
from ..people.letter_facts import notice
from ..tables import lobby
from ..tables.seat_names import fold_name
from . import repair, speaker
from .speaker import AdminRequest

#: this many rooms are named where it is not plain which one is meant
_NAMED = 6


def move(uow: UnitOfWork, asked: AdminRequest) -> None:
    """`admin move #17 here`, in a room; `admin move #17 to ROOM`: its living message lives there from now on,
    and nowhere else.
    """
    game = speaker.named_table(uow, asked)
    new = found(uow, asked)
    old = [uow.tx.get(Room, row.room_id) for row in uow.tx.all(GameRoom, game_id=game.id)]
    left = [room for room in old if room is not None and room.id != new.id]
    if not left and any(room is not None for room in old):
        raise Refusal("moved-already", game=game.id)
    for room in left:
        uow.tx.drop(GameRoom, game_id=game.id, room_id=room.id)
        uow.tx.change(
            Outbox,
            {"game_id": game.id, "channel": room.channel, "place": room.place, "state": OutboxState.QUEUED},
            state=OutboxState.DROPPED,
            error="the table lives elsewhere",
        )
        if room.state == RoomState.OPEN:
            outbox.to_room(uow, room, notice("moved-away", game=game.id))
    chat_rooms.watch(uow, new, game)
    speaker.log_admin_act(
        uow,
        asked,
        "move",
        game=game.id,
        room=f"{new.channel}:{new.place}",
        left=[f"{room.channel}:{room.place}" for room in left],
    )
    speaker.answer_admin(uow, asked, "moved", game=game.id, room=new.name or new.place)


def found(uow: UnitOfWork, asked: AdminRequest) -> Room:
    """The room that is meant: the one in which it is said, or by its name or channel:place.

    Raises Refusal.
    """
    said = asked.args["room"]
    if not said:
        here = chat_rooms.room(uow, asked.came)
        if here is None:
            raise Refusal("move-where")
        return here
    open_ = uow.tx.all(Room, state=RoomState.OPEN, order="id")
    fits = (
        [room for room in open_ if f"{room.channel}:{room.place}" == said]
        or [room for room in open_ if fold_name(room.name) == fold_name(said) != ""]
        or [room for room in open_ if fold_name(said) and fold_name(room.name).startswith(fold_name(said))]
    )
    if len(fits) != 1:
        raise Refusal(
            "no-such-room",
            name=said,
            several=bool(fits),
            rooms=[_called(room) for room in (fits or open_)[:_NAMED]],
        )
    return fits[0]


def archive(uow: UnitOfWork, asked: AdminRequest) -> None:
    """`admin archive #17`: a game that is over stands in no list any more; its record stays."""
    game = speaker.named_table(uow, asked)
    if game.status not in (GameStatus.OVER, GameStatus.ABANDONED):
        raise Refusal("archive-later", game=game.id)
    if game.archived_ms:
        raise Refusal("archived-already", game=game.id)
    uow.tx.set(Game, game.id, archived_ms=uow.now_ms)
    speaker.log_admin_act(uow, asked, "archive", game=game.id)
    speaker.answer_admin(uow, asked, "archived", game=game.id)


def unarchive(uow: UnitOfWork, asked: AdminRequest) -> None:
    """`admin unarchive #17`: it stands in lists again."""
    game = speaker.named_table(uow, asked)
    if not game.archived_ms:
        raise Refusal("not-archived", game=game.id)
    uow.tx.set(Game, game.id, archived_ms=0)
    speaker.log_admin_act(uow, asked, "unarchive", game=game.id)
    speaker.answer_admin(uow, asked, "unarchived", game=game.id)


def abandon(uow: UnitOfWork, asked: AdminRequest) -> None:
    """`admin abandon #17`: a table that has not begun, or at which nobody sits any more, is given up."""
    game = speaker.named_table(uow, asked)
    lobby.abandon(uow, game, asked.speaker.person, key=True)
    speaker.log_admin_act(uow, asked, "abandon", game=game.id)
    speaker.answer_admin(uow, asked, "abandoned", game=game.id)


def thaw(uow: UnitOfWork, asked: AdminRequest) -> None:
    """`admin thaw #17`: a table that stands still because something broke goes on."""
    game = speaker.named_table(uow, asked)
    if not repair.thaw(uow, game.id):
        raise Refusal("not-frozen", game=game.id)
    speaker.log_admin_act(uow, asked, "thaw", game=game.id)
    speaker.answer_admin(uow, asked, "thawed", game=game.id)


def _called(room: Room) -> str:
    return f"{room.name} ({room.channel}:{room.place})" if room.name else f"{room.channel}:{room.place}"
