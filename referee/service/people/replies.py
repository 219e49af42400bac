"""Answering the person who spoke: where they spoke, in a code that the templates put into words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from referee.ids import NOBODY
from referee.ports import Inbound, What
from referee.store import Game

from ..core import outbox
from ..core.alerts import alert as alert
from ..core.letters import Facts, Notice
from ..core.unit_of_work import UnitOfWork
from . import chat_rooms
from .identity import Speaker
from .letter_facts import Echo, NoticeFacts


class ToastFacts(Facts):
    """What is said on a pressed button."""

    kind = "toast"
    notices: Sequence[Notice]


class EchoFacts(Facts):
    """What was understood on another channel."""

    kind = "echo_elsewhere"
    echo: Sequence[Echo]


def answer(uow: UnitOfWork, speaker: Speaker, came: Inbound, code: str, **facts: Any) -> None:
    """Say one thing to the person who spoke, where they spoke; a pressed button is answered on the button."""
    if came.what is What.BUTTON and came.facts.get("callback"):
        outbox.queue(
            uow,
            ToastFacts([Notice(code, facts)], callback=str(came.facts["callback"])),
            channel=came.channel,
            address=came.address,
            person_id=speaker.person.id,
            lives_ms=60_000,
        )
        return
    room, said = chat_rooms.room(uow, came), [Notice(code, facts)]
    if room is not None:
        said_there = NoticeFacts(
            said, answers=came.message_id, to=speaker.person.name, asker=speaker.person.id
        )
        outbox.to_room(uow, room, said_there)
    else:
        outbox.to_person(
            uow, speaker.person.id, NoticeFacts(said, answers=came.message_id), at=speaker.address
        )


def answer_with(
    uow: UnitOfWork,
    speaker: Speaker,
    came: Inbound,
    what: Facts,
    game: Game | None,
    *,
    of_seat: bool = True,
) -> None:
    """A letter that anybody may read, sent where it was asked for.

    `of_seat`: to the speaker alone it goes as to their seat in that game.
    """
    room = chat_rooms.room(uow, came)
    what = replace(what, answers=came.message_id, asker=NOBODY if room is None else speaker.person.id)
    game_id = None if game is None else game.id
    if room is not None:
        outbox.to_room(uow, room, what, game_id=game_id)
        return
    seats = uow.seats(game.id) if of_seat and game is not None else ()
    mine = next((s.no for s in seats if s.person_id == speaker.person.id), None)
    outbox.to_person(uow, speaker.person.id, what, at=speaker.address, game_id=game_id, seat=mine)
