"""Commands that are said in another language than one's own (people/first_language.py tells which that is at
first).
"""

from __future__ import annotations

from referee.ports import Inbound
from referee.text import Reading, Trouble, Wish, commands_elsewhere

from ..core.unit_of_work import Sitting
from ..people import chat_rooms
from . import read_ahead

#: what is no command
_OTHERS = frozenset({"orders", "chatter", "nothing"})


def otherwise(
    sitting: Sitting, text: str, reading: Reading, found: Wish | Trouble, came: Inbound, *, addressed: bool
) -> Wish | Trouble:
    """What a message wants that begins like nothing in one's own language, and like a command in another:
    that of the room first.
    """
    if not (
        found.code == "unknown-command" if isinstance(found, Trouble) else found.kind in ("orders", "chatter")
    ):
        return found
    others = commands_elsewhere(text, reading)
    room = chat_rooms.room(sitting, came) if others else None
    troubled: Trouble | None = None
    for other in sorted(others, key=lambda one: room is None or one != room.language):
        read = read_ahead.wished(
            sitting,
            text,
            Reading(other, own=sitting.words.own),
            private=came.place is None,
            addressed=addressed,
        )
        if isinstance(read, Wish):
            if read.kind not in _OTHERS:
                return read
        elif came.place is None or addressed:  # the command is known, and what is wrong with it can be told
            troubled = troubled or read
    return troubled or found
