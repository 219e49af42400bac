"""Answering whoever spoke: where they spoke, in a code that the templates put into words."""

from __future__ import annotations

from typing import Any

from referee.ports import Inbound, What
from referee.store import Game, Seat

from ..core import outbox
from ..core.alerts import alert as alert
from ..core.letters import Facts
from ..core.unit_of_work import Sitting
from ..teaching import lesson_state
from . import chat_rooms
from .identity import Speaker
from .letter_facts import NoticeFacts, PromptFacts


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


def again(
    sitting: Sitting,
    speaker: Speaker,
    game: Game,
    seat: Seat,
    trouble: dict[str, Any] | None = None,
    echo: list[dict[str, Any]] | None = None,
    pressed: bool = False,
    step: dict[str, Any] | None = None,
    pictured: bool = False,
) -> None:
    """Tell a player what was understood and what is asked now (`pictured`: with a picture, also where
    questions have none); a copy of the echo goes to the seat's other channels.

    `step`: the place of a big question that is shown (see play/stepwise.py). `echo` are the orders done,
    {order}, and those taken back, {order, undone}: letters that fold tell both.
    """
    is_asked = game.status == "running" and str(seat.no) in game.asked.split(",")
    if game.status == "over" and not trouble:
        return
    row = speaker.letter if pressed else None
    revises = int(row.id or 0) if row is not None and row.kind == PromptFacts.kind else 0
    facts = PromptFacts(echo=echo or [], trouble=trouble, step=step, pictured=pictured, revises=revises)
    outbox.to_seat(
        sitting,
        game,
        seat,
        facts,
        at=speaker.address,
        question=game.question if is_asked else 0,
    )
    # nobody else plays there, and a first game is noisy enough
    if echo and lesson_state.mode_of(seat.lessons) != lesson_state.LEARN:
        for other in outbox.addresses(sitting, int(speaker.person.id or 0)):
            if other.id != speaker.address.id and other.state == "green":
                outbox.to_seat(sitting, game, seat, EchoFacts(echo=echo), at=other)
