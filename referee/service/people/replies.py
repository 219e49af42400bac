"""Answering whoever spoke: where they spoke, in a code that the templates put into words."""

from __future__ import annotations

from typing import Any

from referee.ports import Inbound, What
from referee.store import Game
from referee.text import Wish

from ..core import outbox
from ..core.alerts import alert as alert
from ..core.letters import Facts
from ..core.unit_of_work import Sitting
from . import chat_rooms
from .identity import Speaker
from .letter_facts import NoticeFacts


class ToastFacts(Facts):
    """What is said on a pressed button, and which press that answers (the wire's id)."""

    kind = "toast"
    notices: list[dict[str, Any]]
    callback: str


class EchoFacts(Facts):
    """What was understood on another channel: orders done {order} or taken back {order, undone}."""

    kind = "echo_elsewhere"
    echo: list[dict[str, Any]]


def notices(code: str, **facts: Any) -> dict[str, Any]:
    """The data of a letter that says one thing."""
    return {"notices": [{"code": code, "facts": facts}]}


def answer(sitting: Sitting, speaker: Speaker, came: Inbound, code: str, **facts: Any) -> None:
    """Say one thing to whoever spoke, where they spoke; a pressed button is answered on the button."""
    if came.what is What.BUTTON and came.facts.get("callback"):
        outbox.queue(
            sitting,
            ToastFacts(**notices(code, **facts), callback=str(came.facts["callback"])),
            channel=came.channel,
            address=came.address,
            person_id=speaker.person.id,
            lives_ms=60_000,
        )
        return
    room = chat_rooms.room(sitting, came)
    if room is not None:
        outbox.to_room(
            sitting,
            room,
            NoticeFacts(**notices(code, **facts), answers=came.message_id, to=speaker.person.name),
        )
    else:
        outbox.to_person(
            sitting,
            int(speaker.person.id or 0),
            NoticeFacts(**notices(code, **facts), answers=came.message_id),
            at=speaker.address,
        )


def answer_with(
    sitting: Sitting, speaker: Speaker, came: Inbound, kind: str, wish: Wish, game: Game | None
) -> None:
    """A letter of that kind, which anybody may read, sent where it was asked for."""
    room = chat_rooms.room(sitting, came)
    data = {**wish.args, "answers": came.message_id}
    game_id = None if game is None else game.id
    if room is not None:
        outbox.to_room(sitting, room, kind, data=data, game_id=game_id)
        return
    seats = () if game is None else sitting.seats(int(game.id or 0))
    mine = next((s.no for s in seats if s.person_id == speaker.person.id), None)
    outbox.to_person(
        sitting,
        int(speaker.person.id or 0),
        kind,
        at=speaker.address,
        data=data,
        game_id=game_id,
        seat=mine,
    )
