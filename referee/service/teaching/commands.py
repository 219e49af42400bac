"""`learn`: a first game against bots, explained as it goes; `hints off`, `hints on`: whether anything is
explained at all.

The guided game is an honest one: the seed is drawn and sealed as for any table, and the lessons follow what
happens (`lessons`). Nobody waits in it: the bots answer at once, and a learner who stays away is reminded
once and then the table is put away (`misses`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from referee.policy import DAILY, scaled, to_json
from referee.ports import Inbound
from referee.states import GameStatus
from referee.store import Game, Person, Seat
from referee.text import Wish

from ..core import outbox
from ..core.commands import About, Need, command, linked
from ..core.unit_of_work import Sitting, settings_of
from ..people import chat_rooms
from ..people.identity import Speaker
from ..people.letter_facts import PromptFacts
from ..people.replies import answer
from ..play.prompts import again
from ..tables import lobby
from . import lesson_state

#: how many bots the learner plays against
BOTS = 3
#: after so many days without an answer the table is put away; halfway there is a reminder
DAYS = 14
POLICY = replace(
    scaled(DAILY, 24 * DAYS),
    grace_hours=24 * DAYS,
    bank_hours=0,
    bank_credit_hours=0,
    quiet=None,
    quiet_most_hours=0,
    remind_at=(0.5,),
    vacation_days=0,
    vacation_reserve_hours=0,
    unreachable_hours=0,
    first_round_miss=False,
)
TABLE: Mapping[str, Any] = {
    "edition": "classic",
    "seats": 1 + BOTS,
    "bots": {"kind": "greedy", "count": BOTS},
    "entry": "invite",
    "policy": to_json(POLICY),
    "learn": True,
}


@command("learn", table=Need.NONE, about=About.PERSON, numberless=True)
def learn(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """`learn`: a new guided game, or what the one that is on asks; `learn new`: that one is given up for
    another.
    """
    if came.place is not None:
        room = chat_rooms.room(sitting, came)
        if room is not None:
            outbox.to_room(
                sitting,
                room,
                "notice",
                data={
                    "notices": [{"code": "learn-in-private", "facts": {}}],
                    "start_payload": "learn",
                    "answers": came.message_id,
                    "to": speaker.person.name,
                },
            )
        return
    for seat, old in sitting.tx.seats_of(int(speaker.person.id or 0), lobby.ALIVE):
        if not is_one(old):
            continue
        if old.status == GameStatus.RUNNING and not wish.args.get("anew"):
            answer(sitting, speaker, came, "learn-is-on", game=old.id)
            asked = old.question if str(seat.no) in old.asked.split(",") else 0
            outbox.to_seat(
                sitting,
                old,
                seat,
                PromptFacts(echo=[], trouble=None, explain=True),
                at=speaker.address,
                question=asked,
            )
            return
        lobby.finish(sitting, old, GameStatus.ABANDONED)
    made = lobby.create(sitting, speaker.person, speaker.address, None, TABLE)
    mine = sitting.seats(int(made.id or 0))[0]
    sitting.tx.set(Seat, mine.id, lessons=lesson_state.LEARN)
    lobby.ready(sitting, made, speaker.person, speaker.address)
    begun = lobby.reload(sitting, made.id)
    again(sitting, speaker, begun, sitting.seats(int(made.id or 0))[0])


def is_one(game: Game) -> bool:
    """Whether a table is somebody's guided game."""
    return bool(settings_of(game).get("learn"))


@linked("learn")
def by_link(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, rest: str) -> bool:
    """A link to the guided game."""
    learn(sitting, speaker, came, wish, None)
    return True


@command("hints", table=Need.NONE, about=About.PERSON)
@command("skip lessons", table=Need.NONE, about=About.PERSON)
def hints(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """`hints on`, `hints off`: from now on, in every game; `hints`: how it stands."""
    wanted = str(wish.args.get("hints") or "")
    if not wanted:
        answer(sitting, speaker, came, "hints-are", on=speaker.person.hints != "off")
        return
    sitting.tx.set(Person, speaker.person.id, hints=wanted)
    for seat, table in sitting.tx.seats_of(int(speaker.person.id or 0), (GameStatus.RUNNING,)):
        on = lesson_state.LEARN if is_one(table) else lesson_state.HINTS
        sitting.tx.set(
            Seat,
            seat.id,
            lessons=lesson_state.turned(seat.lessons, on if wanted == "on" else lesson_state.OFF),
        )
    answer(sitting, speaker, came, f"hints-{wanted}")
