"""In which language somebody, or a room, is spoken to at first; `language` changes it (commands.py).

A person: in the one that the wire tells (Telegram's code, a mail's headers), else (Matrix tells none) the one
whose command they begin with, else that of the room where they are heard first, else the installation's. A
room: in that of the person who was heard there first.
"""

from __future__ import annotations

from referee.ports import Inbound
from referee.store import Room
from referee.text import Reading, commands_elsewhere

from ..core.unit_of_work import UnitOfWork


def of_person(uow: UnitOfWork, came: Inbound) -> str:
    """The language of somebody who is new."""
    words, house = uow.words, uow.settings.language
    if came.language:
        return words.language(f"{came.language},{house}")
    room = None if came.place is None else uow.tx.one(Room, channel=came.channel, place=came.place)
    near = house if room is None else room.language
    return next(iter(commands_elsewhere(came.text, Reading(near, own=words.own))), words.language(near))


def of_room(uow: UnitOfWork, came: Inbound) -> str:
    """The language of a room that is new."""
    found = uow.tx.whose(came.channel, came.address)
    return of_person(uow, came) if found is None else found[0].language
