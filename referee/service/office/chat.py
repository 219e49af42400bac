"""`league …` in chat and by mail: who speaks is an official by who they are; what concerns nobody else is answered in private."""
from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from referee.ports import Inbound, What
from referee.store import Game
from referee.text import Wish

from .. import charge, letters, rooms
from ..people import Speaker
from ..replies import answer
from ..sitting import Sitting
from . import speaking
from .roles import Official

if TYPE_CHECKING:
    from referee.store import Room

#: acts after which somebody's tables will be asked for in private
_COMES_IN = frozenset({"join", "alternate"})


def official(sitting: Sitting, speaker: Speaker) -> Official:
    """Somebody who speaks, as the office sees them."""
    return Official(speaker.person, speaker.person.name, speaker.address.channel, charge.is_admin(sitting, speaker), speaker.person.zone or "UTC",
                    sitting.words.language(speaker.person.language))


def league(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """`league …`.  In a room, public things are answered there."""
    room = rooms.room(sitting, came)
    said = speaking.said(sitting, official(sitting, speaker), str(wish.args["text"]), room)
    if room is not None and sitting.about.get("act") in _COMES_IN:
        press_start(sitting, speaker, room)
    if said.kind == "notice" and (room is None or not said.private):
        notice = said.data["notices"][0]
        answer(sitting, speaker, came, notice["code"], **notice["facts"])
        return
    pressed = came.what is What.BUTTON and bool(came.facts.get("callback"))
    if room is None or said.private or pressed:
        at = speaker.address if came.place is None else None
        letters.to_person(sitting, int(speaker.person.id or 0), said.kind, at=at, data={**said.data, "answers": came.message_id if at else ""})
        if room is not None or pressed:
            answer(sitting, speaker, came, "league-in-private")
        return
    letters.to_room(sitting, room, said.kind, data={**said.data, "answers": came.message_id})


def press_start(sitting: Sitting, speaker: Speaker, room: Room) -> None:
    """Somebody who has never been heard in private must open that chat first, or their tables can't reach them."""
    if speaker.address.state != "green" and speaker.address.channel in sitting.settings.shy:
        letters.to_room(sitting, room, "notice", data={
            "notices": [{"code": "press-start-first", "facts": {"name": speaker.person.name}}], "start_payload": "league"})


WISHES: dict[str, Callable[[Sitting, Speaker, Inbound, Wish, Game | None], None]] = {"league": league}
