"""`pictures off`, `pictures on`, `pictures dark`: in private for oneself, in a room for the room, by the
person who may say its language.
"""

from __future__ import annotations

from referee.ports import Inbound
from referee.rules import Refusal
from referee.store import Game, Person, Room
from referee.text import Intent

from ..core.commands import CommandTopic, HelpTopic, TableNeed, command
from ..core.unit_of_work import UnitOfWork
from ..people import chat_rooms
from ..people.identity import Speaker
from ..people.replies import answer


@command("pictures", topic=HelpTopic.SETTINGS, table=TableNeed.NONE, about=CommandTopic.PERSON)
def pictures(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """Note it, or tell how it is."""
    wanted = str(intent.args["pictures"])
    room = chat_rooms.room(uow, came)
    if not wanted:
        now = speaker.person.pictures if room is None else room.pictures
        answer(uow, speaker, came, "pictures-are", how=now or "on", here=room is not None)
        return
    kept = "" if wanted == "on" else wanted
    if room is None:
        uow.tx.set(Person, speaker.person.id, pictures=kept)
    elif chat_rooms.may_set(uow, speaker, room):
        uow.tx.set(Room, room.id, pictures=kept)
    else:
        raise Refusal("pictures-host")
    answer(uow, speaker, came, "pictures-noted", how=wanted, here=room is not None)
