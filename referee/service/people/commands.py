"""What people may say about themselves and to the referee: language, name, prefer, help, or nothing at all.

`language pt-br`: in private one's own, in a room the room's, which is for the opener of a table that is
on there, or an admin; where no table is on, for anybody.
"""

from __future__ import annotations

import dataclasses

from referee.ports import Inbound
from referee.rules import Refusal
from referee.states import ALIVE, AddressState
from referee.store import Game, Person, Room, Seat
from referee.text import Intent
from referee.text.reading.tongues import named

from ..core import outbox
from ..core.commands import HELP, CommandTopic, HelpTopic, TableNeed, command, linked
from ..core.letters import Notice
from ..core.unit_of_work import UnitOfWork
from . import chat_rooms
from .identity import Speaker
from .letter_facts import HelpFacts, NoticeFacts
from .replies import answer, answer_with


@command(
    "language", topic=HelpTopic.SETTINGS, table=TableNeed.NONE, about=CommandTopic.PERSON, numberless=True
)
def language(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """`language pt-br`, `language`: of the room where it is said in one, else of the person."""
    words, wanted = uow.words, str(intent.args["tongue"])
    room = chat_rooms.room(uow, came)
    if not wanted:
        now = speaker.person.language if room is None else room.language
        answer(
            uow,
            speaker,
            came,
            "language-is",
            tongue=_name(uow, now),
            known=list(named(words.languages, words.own)),
            here=room is not None,
        )
        return
    if room is None:
        uow.tx.set(Person, speaker.person.id, language=wanted)
    elif chat_rooms.may_set(uow, speaker, room):
        uow.tx.set(Room, room.id, language=wanted)
    else:
        raise Refusal("language-host")
    answer(uow, speaker, came, "language-noted", tongue=_name(uow, wanted), here=room is not None)


@command("name", topic=HelpTopic.SETTINGS, table=TableNeed.NONE, about=CommandTopic.PERSON, numberless=True)
def name(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """`name Ana`: what one is called at tables from now on."""
    wanted = " ".join(str(intent.args["text"]).split())[:40]
    uow.tx.set(Person, speaker.person.id, name=wanted or speaker.person.name)
    answer(uow, speaker, came, "name-noted", name=wanted or speaker.person.name)


@command("prefer", topic=HelpTopic.SETTINGS, table=TableNeed.NONE, about=CommandTopic.PERSON, numberless=True)
def prefer(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """`prefer mail`: where prompts go, for all of one's seats."""
    mine = {a.channel for a in outbox.addresses(uow, speaker.person.id)}
    wanted = [str(c) for c in intent.args["channels"]]
    unknown = [c for c in wanted if c not in mine]
    if unknown:
        raise Refusal("prefer-bad", channel=unknown[0], channels=sorted(mine))
    uow.tx.set(Person, speaker.person.id, prefer=",".join([*wanted, *sorted(mine - set(wanted))]))
    for seat, _ in uow.tx.seats_of(speaker.person.id, ALIVE):
        uow.tx.set(Seat, seat.id, channel=wanted[0])
    answer(uow, speaker, came, "prefer-noted", channel=wanted[0])


@command("nothing", topic=HelpTopic.UNTYPED, table=TableNeed.NONE, about=CommandTopic.READ, numberless=True)
def nothing(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """An empty message changes nothing and is answered with what would be right. So is "#3" alone: it may be
    a table's number or an option's.
    """
    if intent.game is None:
        answer(uow, speaker, came, "empty")
    else:
        answer(uow, speaker, came, "number-alone", number=intent.game)


@command("help", topic=HelpTopic.PLAY, table=TableNeed.NONE, about=CommandTopic.READ, numberless=True)
def help_(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """`help`; what is not for everybody to read is told by the person whom it belongs to.

    In a group it would push aside what others say there: the answer goes to the private chat, where that is
    open or can be opened from here.
    """
    if came.place is not None and speaker.address.channel in uow.settings.shy:
        if speaker.address.state != AddressState.GREEN:
            _open_first(uow, speaker, came)
            return
        came = dataclasses.replace(came, place=None, message_id="")
    own = HELP.get(str(intent.args.get("command") or ""))
    if own is not None:
        own(uow, speaker, came, intent, game)
    else:
        answer_with(uow, speaker, came, HelpFacts(**intent.args), game)


def _open_first(uow: UnitOfWork, speaker: Speaker, came: Inbound) -> None:
    """Say in the room that help is in the private chat, with a button that opens it and asks there."""
    room = chat_rooms.room(uow, came)
    assert room is not None
    said = [Notice("help-in-private", {"name": speaker.person.name})]
    outbox.to_room(uow, room, NoticeFacts(said, start_payload="help", answers=came.message_id))


@linked("help")
def help_by_link(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, rest: str) -> bool:
    """A deep link from a room: the private chat is open now."""
    outbox.to_person(uow, speaker.person.id, HelpFacts(), at=speaker.address)
    return True


def _name(uow: UnitOfWork, code: str) -> str:
    return str(uow.words.lexicon(code).table("language").get("name", code))
