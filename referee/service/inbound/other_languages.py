"""Commands that are said in another language than one's own (people/first_language.py tells which that is at
first).
"""

from __future__ import annotations

from collections.abc import Collection

from referee.ports import Inbound
from referee.text import Intent, NotUnderstood, Reading

from ..core.unit_of_work import UnitOfWork
from ..people import chat_rooms

#: what is no command
_OTHERS = frozenset({"orders", "chatter", "nothing"})


def otherwise(
    uow: UnitOfWork,
    text: str,
    others: Collection[str],
    found: Intent | NotUnderstood,
    came: Inbound,
    *,
    addressed: bool,
) -> Intent | NotUnderstood:
    """What a message wants that begins like nothing in one's own language, and like a command in `others`: in
    that of the room first.
    """
    room = chat_rooms.room(uow, came)
    troubled: NotUnderstood | None = None
    for other in sorted(others, key=lambda one: room is None or one != room.language):
        reading = Reading(other, own=uow.words.own)
        read = uow.readings.intent(text, reading, private=came.place is None, addressed=addressed)
        if isinstance(read, Intent):
            if read.kind not in _OTHERS:
                return read
        elif came.place is None or addressed:  # the command is known, and what is wrong with it can be told
            troubled = troubled or read
    return troubled or found
