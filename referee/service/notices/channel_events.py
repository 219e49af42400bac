"""What adapters report about rooms and people, not words: invited, expelled, moved, reachable, blocked,
bounced.
"""

from __future__ import annotations

from referee.ports import Inbound, What
from referee.states import RoomState
from referee.store import Room

from ..core import outbox
from ..core.unit_of_work import UnitOfWork
from ..people import chat_rooms, identity
from ..people.letter_facts import notice
from . import reachability


def reported(uow: UnitOfWork, came: Inbound) -> None:
    """Note what happened to a wire, and do what follows from it."""
    match came.what:
        case What.INVITED:
            here = chat_rooms.room(uow, came)
            if here is not None and not chat_rooms.show_tables_again(uow, here):
                outbox.to_room(uow, here, notice("invited-room"))
        case What.EXPELLED:
            uow.tx.change(Room, {"channel": came.channel, "place": came.place}, state=RoomState.CLOSED)
        case What.MOVED:
            chat_rooms.move_room(uow, came.channel, came.place or "", str(came.facts["to"]))
        case What.REACHABLE:
            person, address = identity.meet(uow, came)
            identity.seen(uow, address, identity.handle_of(came))
            reachability.back(uow, person.id)
        case What.BLOCKED:
            reachability.note_unreachable(uow, came.channel, came.address, "blocked")
        case What.BOUNCED:
            reachability.bounced(uow, came)
        case _:
            pass  # an auto-reply is on record and moves nothing
