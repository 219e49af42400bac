"""What adapters report about rooms and people, not words: invited, expelled, moved, reachable, blocked,
bounced.
"""

from __future__ import annotations

from referee.ports import Inbound, What
from referee.states import RoomState
from referee.store import Room

from ..core import outbox
from ..core.unit_of_work import Sitting
from ..people import chat_rooms, identity
from . import reachability


def reported(sitting: Sitting, came: Inbound) -> None:
    """Note what happened to a wire, and do what follows from it."""
    match came.what:
        case What.INVITED:
            here = chat_rooms.room(sitting, came)
            if here is not None and not chat_rooms.shown(sitting, here):
                outbox.to_room(
                    sitting, here, "notice", data={"notices": [{"code": "invited-room", "facts": {}}]}
                )
        case What.EXPELLED:
            sitting.tx.change(Room, {"channel": came.channel, "place": came.place}, state=RoomState.CLOSED)
        case What.MOVED:
            chat_rooms.moved(sitting, came.channel, came.place or "", str(came.facts["to"]))
        case What.REACHABLE:
            person, address = identity.meet(sitting, came)
            identity.seen(sitting, address, identity.handle_of(came))
            reachability.back(sitting, int(person.id or 0))
        case What.BLOCKED:
            reachability.lost(sitting, came.channel, came.address, "blocked")
        case What.BOUNCED:
            reachability.bounced(sitting, came)
        case _:
            pass  # an auto-reply is on record and moves nothing
