"""What people may say about themselves and to the referee: language, name, prefer, help, or nothing at all.

`language pt-br`: in private one's own, in a room the room's, which is for whoever opened a table that is on
there, or an admin; where no table is on, for anybody.
"""

from __future__ import annotations

from referee.ports import Inbound
from referee.rules import Refusal
from referee.states import ALIVE
from referee.store import Game, Person, Room, Seat
from referee.text import Wish
from referee.text.reading.tongues import named

from ..core import outbox
from ..core.commands import HELP, About, Need, command
from ..core.unit_of_work import Sitting
from . import chat_rooms
from .identity import Speaker
from .replies import answer, answer_with


@command("language", table=Need.NONE, about=About.PERSON, numberless=True)
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
    elif chat_rooms.may_set(sitting, speaker, room):
        sitting.tx.set(Room, room.id, language=wanted)
    else:
        raise Refusal("language-host")
    answer(sitting, speaker, came, "language-noted", tongue=_name(sitting, wanted), here=room is not None)


@command("name", table=Need.NONE, about=About.PERSON, numberless=True)
def name(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """`name Ana`: what one is called at tables from now on."""
    wanted = " ".join(str(wish.args["text"]).split())[:40]
    sitting.tx.set(Person, speaker.person.id, name=wanted or speaker.person.name)
    answer(sitting, speaker, came, "name-noted", name=wanted or speaker.person.name)


@command("prefer", table=Need.NONE, about=About.PERSON, numberless=True)
def prefer(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """`prefer mail`: where prompts go, for all of one's seats."""
    mine = {a.channel for a in outbox.addresses(sitting, int(speaker.person.id or 0))}
    wanted = [str(c) for c in wish.args["channels"]]
    unknown = [c for c in wanted if c not in mine]
    if unknown:
        raise Refusal("prefer-bad", channel=unknown[0], channels=sorted(mine))
    sitting.tx.set(Person, speaker.person.id, prefer=",".join([*wanted, *sorted(mine - set(wanted))]))
    for seat, _ in sitting.tx.seats_of(int(speaker.person.id or 0), ALIVE):
        sitting.tx.set(Seat, seat.id, channel=wanted[0])
    answer(sitting, speaker, came, "prefer-noted", channel=wanted[0])


@command("nothing", table=Need.NONE, about=About.READ, numberless=True)
def nothing(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """An empty message changes nothing and is answered with what would be right."""
    answer(sitting, speaker, came, "empty")


@command("help", table=Need.NONE, about=About.READ, numberless=True)
def help_(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """`help`; what is not for everybody to read is told by whoever it belongs to."""
    own = HELP.get(str(wish.args.get("command") or ""))
    if own is not None:
        own(sitting, speaker, came, wish, game)
    else:
        answer_with(sitting, speaker, came, "help", wish, game)


def _name(sitting: Sitting, code: str) -> str:
    return str(sitting.words.lexicon(code).table("language").get("name", code))
