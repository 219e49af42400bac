"""`language pt-br`: in private one's own, in a room the room's, which is for whoever opened a table that is
on there, or an admin; where no table is on, for anybody. And commands that are said in another language than
one's own (first_language.py tells which that is at first).
"""

from __future__ import annotations

from referee.ports import Inbound
from referee.rules import Refusal
from referee.store import Game, GameRoom, Person, Room
from referee.text import Reading, Trouble, Wish, commands_elsewhere
from referee.text.reading.tongues import named

from ..core.unit_of_work import Sitting
from ..inbound import read_ahead
from . import chat_rooms, officials
from .identity import Speaker
from .replies import answer

#: what is no command
_OTHERS = frozenset({"orders", "chatter", "nothing"})


def language(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """`language pt-br`, `language`: of the room where it is said in one, else of the person."""
    words, wanted = sitting.words, str(wish.args["tongue"])
    room = chat_rooms.room(sitting, came)
    if not wanted:
        now = speaker.person.language if room is None else room.language
        answer(
            sitting,
            speaker,
            came,
            "language-is",
            tongue=_name(sitting, now),
            known=list(named(words.languages, words.own)),
            here=room is not None,
        )
        return
    if room is None:
        sitting.tx.set(Person, speaker.person.id, language=wanted)
    elif may(sitting, speaker, room):
        sitting.tx.set(Room, room.id, language=wanted)
    else:
        raise Refusal("language-host")
    answer(sitting, speaker, came, "language-noted", tongue=_name(sitting, wanted), here=room is not None)


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


def may(sitting: Sitting, speaker: Speaker, room: Room) -> bool:
    """Whether somebody may say how the room is spoken to."""
    here = (sitting.tx.get(Game, one.game_id) for one in sitting.tx.all(GameRoom, room_id=room.id))
    on = [game for game in here if game is not None and game.status in chat_rooms.ACTIVE]
    return (
        not on
        or bool(speaker.person.admin)
        or any(officials.same(sitting.tx, game.creator_id, speaker.person.id) for game in on)
    )


def _name(sitting: Sitting, code: str) -> str:
    return str(sitting.words.lexicon(code).table("language").get("name", code))


WISHES = {"language": language}
