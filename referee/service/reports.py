"""What adapters report about rooms and people, not words: invited, expelled, moved, reachable, blocked,
bounced.
"""

from __future__ import annotations

from referee.ports import Inbound, What
from referee.store import Room

from . import letters, people, reaching, rooms
from .sitting import Sitting


def reported(sitting: Sitting, came: Inbound) -> None:
    """Note what happened to a wire, and do what follows from it."""
    match came.what:
        case What.INVITED:
            here = rooms.room(sitting, came)
            if here is not None and not rooms.shown(sitting, here):
                letters.to_room(
                    sitting, here, "notice", data={"notices": [{"code": "invited-room", "facts": {}}]}
                )
        case What.EXPELLED:
            sitting.tx.change(Room, {"channel": came.channel, "place": came.place}, state="closed")
        case What.MOVED:
            rooms.moved(sitting, came.channel, came.place or "", str(came.facts["to"]))
        case What.REACHABLE:
            person, address = people.meet(sitting, came)
            people.seen(sitting, address, people.handle_of(came))
            reaching.back(sitting, int(person.id or 0))
        case What.BLOCKED:
            reaching.lost(sitting, came.channel, came.address, "blocked")
        case What.BOUNCED:
            reaching.bounced(sitting, came)
        case _:
            pass  # an auto-reply is on record and moves nothing
