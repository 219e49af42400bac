"""`league …` in chat and by mail: who speaks is an official by who they are; what concerns nobody else is
answered in private.
"""

from __future__ import annotations

from msgspec import UNSET
from msgspec.structs import replace

from referee.ids import NO_GAME, GameId, LeagueId
from referee.ports import Inbound, What
from referee.rules import Refusal
from referee.states import AddressState
from referee.store import Game, GameRoom, LeagueRoom, Room
from referee.text import Intent

from ..core import outbox
from ..core.commands import CommandTopic, HelpTopic, TableNeed, command, linked
from ..core.letters import Notice
from ..core.unit_of_work import UnitOfWork
from ..people import chat_rooms, officials, said_before, table_roles
from ..people.identity import Speaker
from ..people.letter_facts import NoticeFacts, notice
from ..people.replies import answer
from .letter_facts import ReadFacts
from .office import dispatch
from .roles import Official

#: refusals that tell something of somebody which no room should hear
_PERSONAL = frozenset({"league-unreliable"})


#: acts that are announced at once in the rooms of their league
_NEWS = frozenset({"open", "postpone", "pause", "resume", "announce", "rule", "void", "replay", "bonus"})
#: acts that add up where they are said twice
_ADDS = frozenset({"announce", "bonus", "extend", "invite", "pause", "penalty", "postpone", "start"})
#: of these, what is rightly said several times running: each code invites one
_OFTEN = frozenset({"invite"})


def official(uow: UnitOfWork, speaker: Speaker) -> Official:
    """Somebody who speaks, as the office sees them."""
    me = speaker.person.id
    return Official(
        speaker.person,
        speaker.person.name,
        speaker.address.channel,
        table_roles.is_admin(uow, speaker),
        speaker.person.zone or "UTC",
        uow.words.language(speaker.person.language),
        officials.ranks(uow.tx, me, speaker.address),
        officials.key(uow, me),
    )


@command("league", topic=HelpTopic.LEAGUE, table=TableNeed.NONE, about=CommandTopic.PERSON, office=True)
def league(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """`league …`.  In a room, public things are answered there."""
    room = chat_rooms.room(uow, came)
    try:
        about = _about(uow, speaker, room)
        said = dispatch.said(uow, official(uow, speaker), str(intent.args["text"]), room, about)
        if (act := uow.about.get("act")) in _ADDS:
            said_before.must_be_new(uow, came, apart=act not in _OFTEN)
    except Refusal as no:  # conditions are looked at before anything is written
        if room is None or not (
            no.code in _PERSONAL
            or (
                no.code == "league-not-green"
                and press_start(uow, speaker, room, LeagueId(int(no.facts["id"])))
            )
        ):
            raise
        if no.code in _PERSONAL:
            outbox.to_person(uow, speaker.person.id, notice(no.code, **no.facts))
            answer(uow, speaker, came, "league-in-private")
        return
    pressed = came.what is What.BUTTON and bool(came.facts.get("callback"))
    if room is not None and not pressed and not said.private and announced(uow, room):
        return
    notices = said.what.notices if isinstance(said.what, NoticeFacts) else ()
    if len(notices) == 1 and not said.what.offers and (room is None or not said.private):
        one = notices[0]
        answer(uow, speaker, came, one.code, **one.facts)
        return
    if room is None or said.private or pressed:
        at = speaker.address if came.place is None else None
        outbox.to_person(
            uow,
            speaker.person.id,
            replace(said.what, answers=came.message_id if at else ""),
            at=at,
        )
        if room is not None or pressed:
            answer(uow, speaker, came, "league-in-private")
        return
    what = replace(said.what, answers=came.message_id)
    # a room reads what is everybody's
    outbox.to_room(uow, room, replace(what, reader=UNSET) if isinstance(what, ReadFacts) else what)


def _about(uow: UnitOfWork, speaker: Speaker, room: Room | None) -> GameId:
    """The game of the letter that is answered, else the only one that the room watches; 0 for none."""
    if speaker.letter is not None and speaker.letter.game_id is not None:
        return speaker.letter.game_id
    watched = [] if room is None else uow.tx.all(GameRoom, room_id=room.id)
    return watched[0].game_id if len(watched) == 1 else NO_GAME


@linked("league")
def by_link(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, rest: str) -> bool:
    """A link that signs somebody up, with the code of an invitation where it has one."""
    number, _, code = rest.partition("_")
    if number.isdecimal():
        given = f" code {code[:40]}" if code.isalnum() else ""
        league(uow, speaker, came, Intent("league", {"text": f"#{number[:9]} join{given}"}), None)
    return number.isdecimal()


def announced(uow: UnitOfWork, room: Room) -> bool:
    """Whether everybody in a room reads what was just done as news of its league: then it is not said
    twice.
    """
    return (
        uow.about.get("act") in _NEWS
        and uow.tx.one(LeagueRoom, league_id=uow.about.get("league"), room_id=room.id) is not None
    )


def press_start(uow: UnitOfWork, speaker: Speaker, room: Room, league_id: LeagueId) -> bool:
    """Somebody who has never been heard in private opens that chat first, with a button that also signs them
    up. False where no channel needs that.
    """
    if speaker.address.state == AddressState.GREEN or speaker.address.channel not in uow.settings.shy:
        return False
    outbox.to_room(
        uow,
        room,
        NoticeFacts(
            [Notice("league-press-start", {"name": speaker.person.name})],
            start_payload=f"league_{league_id}",
        ),
    )
    return True
