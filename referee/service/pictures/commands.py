"""`pictures off`, `pictures on`, `pictures dark`: in private for oneself, in a room for the room, by whoever
may say its language.
"""

from __future__ import annotations

from referee.ports import Inbound
from referee.rules import Refusal
from referee.store import Game, Person, Room
from referee.text import Wish

from ..core.commands import About, Need, command
from ..core.unit_of_work import Sitting
from ..people import chat_rooms
from ..people.identity import Speaker
from ..people.replies import answer


@command("pictures", table=Need.NONE, about=About.PERSON)
def pictures(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """Note it, or tell how it is."""
    wanted = str(wish.args["pictures"])
    room = chat_rooms.room(sitting, came)
    if not wanted:
        now = speaker.person.pictures if room is None else room.pictures
        answer(sitting, speaker, came, "pictures-are", how=now or "on", here=room is not None)
        return
    kept = "" if wanted == "on" else wanted
    if room is None:
        sitting.tx.set(Person, speaker.person.id, pictures=kept)
    elif chat_rooms.may_set(sitting, speaker, room):
        sitting.tx.set(Room, room.id, pictures=kept)
    else:
        raise Refusal("pictures-host")
    answer(sitting, speaker, came, "pictures-noted", how=wanted, here=room is not None)
