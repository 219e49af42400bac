"""`league …` in chat and by mail: who speaks is an official by who they are; what concerns nobody else is
answered in private.
"""

from __future__ import annotations

from referee.ports import Inbound, What
from referee.rules import Refusal
from referee.states import AddressState
from referee.store import Game, LeagueRoom, Room
from referee.text import Wish

from ..core import outbox
from ..core.commands import About, Need, command, linked
from ..core.unit_of_work import Sitting
from ..people import chat_rooms, officials, table_roles
from ..people.identity import Speaker
from ..people.replies import answer, notices
from . import deeds
from .roles import Official

#: refusals that tell something of somebody which no room should hear
_PERSONAL = frozenset({"league-unreliable"})


#: acts that are announced at once in the rooms of their league
_NEWS = frozenset({"open", "postpone", "announce", "rule", "void", "replay"})


def official(sitting: Sitting, speaker: Speaker) -> Official:
    """Somebody who speaks, as the office sees them."""
    me = int(speaker.person.id or 0)
    return Official(
        speaker.person,
        speaker.person.name,
        speaker.address.channel,
        table_roles.is_admin(sitting, speaker),
        speaker.person.zone or "UTC",
        sitting.words.language(speaker.person.language),
        officials.ranks(sitting.tx, me, speaker.address),
        officials.key(sitting, me),
    )


@command("league", table=Need.NONE, about=About.PERSON, office=True)
def league(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """`league …`.  In a room, public things are answered there."""
    room = chat_rooms.room(sitting, came)
    try:
        said = deeds.said(sitting, official(sitting, speaker), str(wish.args["text"]), room)
    except Refusal as no:  # conditions are looked at before anything is written
        if room is None or not (
            no.code in _PERSONAL
            or (no.code == "league-not-green" and press_start(sitting, speaker, room, int(no.facts["id"])))
        ):
            raise
        if no.code in _PERSONAL:
            outbox.to_person(
                sitting, int(speaker.person.id or 0), "notice", data=notices(no.code, **no.facts)
            )
            answer(sitting, speaker, came, "league-in-private")
        return
    pressed = came.what is What.BUTTON and bool(came.facts.get("callback"))
    if room is not None and not pressed and not said.private and announced(sitting, room):
        return
    if said.kind == "notice" and (room is None or not said.private):
        notice = said.data["notices"][0]
        answer(sitting, speaker, came, notice["code"], **notice["facts"])
        return
    if room is None or said.private or pressed:
        at = speaker.address if came.place is None else None
        outbox.to_person(
            sitting,
            int(speaker.person.id or 0),
            said.kind,
            at=at,
            data={**said.data, "answers": came.message_id if at else ""},
        )
        if room is not None or pressed:
            answer(sitting, speaker, came, "league-in-private")
        return
    said.data.pop("reader", None)  # a room reads what is everybody's
    outbox.to_room(sitting, room, said.kind, data={**said.data, "answers": came.message_id})


@linked("league")
def by_link(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, rest: str) -> bool:
    """A link that signs somebody up."""
    if rest.isdecimal():
        league(sitting, speaker, came, Wish("league", {"text": f"join #{rest[:9]}"}), None)
    return rest.isdecimal()


def announced(sitting: Sitting, room: Room) -> bool:
    """Whether everybody in a room reads what was just done as news of its league: then it is not said
    twice.
    """
    return (
        sitting.about.get("act") in _NEWS
        and sitting.tx.one(LeagueRoom, league_id=sitting.about.get("league"), room_id=room.id) is not None
    )


def press_start(sitting: Sitting, speaker: Speaker, room: Room, league_id: int) -> bool:
    """Somebody who has never been heard in private opens that chat first, with a button that also signs them
    up. False where no channel needs that.
    """
    if speaker.address.state == AddressState.GREEN or speaker.address.channel not in sitting.settings.shy:
        return False
    outbox.to_room(
        sitting,
        room,
        "notice",
        data={
            "notices": [{"code": "league-press-start", "facts": {"name": speaker.person.name}}],
            "start_payload": f"league_{league_id}",
        },
    )
    return True
