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

from referee.ids import NO_QUESTION
from referee.policy import DAILY, scaled, to_json
from referee.ports import Inbound
from referee.search import MILDEST
from referee.states import GameStatus
from referee.store import Game, Person, Seat
from referee.text import Intent, fold, lexicon

from ..core import outbox
from ..core.commands import CommandTopic, HelpTopic, TableNeed, command, linked
from ..core.letters import Notice
from ..core.unit_of_work import UnitOfWork, settings_of
from ..people import chat_rooms
from ..people.identity import Speaker
from ..people.letter_facts import HelpFacts, NoticeFacts, PromptFacts
from ..people.replies import answer, answer_with
from ..play.commands import prompt_again
from ..tables import lobby
from . import advice as advice
from . import lesson_state

#: how many bots the learner plays against
BOTS = 3
#: after this many days without an answer the table is put away; halfway there is a reminder
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
    "bots": {"kind": MILDEST, "count": BOTS},
    "entry": "invite",
    "policy": to_json(POLICY),
    "learn": True,
}


@command("learn", topic=HelpTopic.PLAY, table=TableNeed.NONE, about=CommandTopic.PERSON, numberless=True)
def learn(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """`learn`: a new guided game, or what the one that is on asks; `learn new`: that one is given up for
    another.
    """
    if came.place is not None:
        room = chat_rooms.room(uow, came)
        if room is not None:
            outbox.to_room(
                uow,
                room,
                NoticeFacts(
                    [Notice("learn-in-private")],
                    start_payload="learn",
                    answers=came.message_id,
                    to=speaker.person.name,
                ),
            )
        return
    if wonders(uow, speaker, intent):
        answer_with(uow, speaker, came, HelpFacts(topic="turn"), None)
        return
    for seat, old in uow.tx.seats_of(speaker.person.id, lobby.ALIVE):
        if not is_one(old):
            continue
        if old.status == GameStatus.RUNNING and not intent.args.get("anew"):
            answer(uow, speaker, came, "learn-is-on", game=old.id)
            asked = old.question if str(seat.no) in old.asked.split(",") else NO_QUESTION
            outbox.to_seat(
                uow,
                old,
                seat,
                PromptFacts(echo=[], trouble=None, explain=True),
                at=speaker.address,
                question=asked,
            )
            return
        lobby.finish(uow, old, GameStatus.ABANDONED)
    made = lobby.create(uow, speaker.person, speaker.address, None, TABLE)
    mine = uow.seats(made.id)[0]
    uow.tx.set(Seat, mine.id, lessons=lesson_state.LEARN)
    lobby.ready(uow, made, speaker.person, speaker.address)
    begun = lobby.reload(uow, made.id)
    prompt_again(uow, speaker, begun, uow.seats(made.id)[0])


def wonders(uow: UnitOfWork, speaker: Speaker, intent: Intent) -> bool:
    """Whether somebody who plays asks how: "how do I play" is no wish for another game then."""
    language = lexicon(speaker.person.language, uow.words.own)
    if fold(intent.quote) not in map(fold, language.entry("commands", "learn").get("wondering", ())):
        return False
    return any(not is_one(one) for _, one in uow.tx.seats_of(speaker.person.id, (GameStatus.RUNNING,)))


def is_one(game: Game) -> bool:
    """Whether a table is somebody's guided game."""
    return bool(settings_of(game).get("learn"))


@linked("learn")
def by_link(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, rest: str) -> bool:
    """A link to the guided game."""
    learn(uow, speaker, came, intent, None)
    return True


@command("hints", topic=HelpTopic.PLAY, table=TableNeed.NONE, about=CommandTopic.PERSON)
@command("skip lessons", topic=HelpTopic.PLAY, table=TableNeed.NONE, about=CommandTopic.PERSON)
def hints(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """`hints on`, `hints off`: from now on, in every game; `hints`: how it stands."""
    wanted = str(intent.args.get("hints") or "")
    if not wanted:
        answer(uow, speaker, came, "hints-are", on=speaker.person.hints != "off")
        return
    uow.tx.set(Person, speaker.person.id, hints=wanted)
    for seat, table in uow.tx.seats_of(speaker.person.id, (GameStatus.RUNNING,)):
        on = lesson_state.LEARN if is_one(table) else lesson_state.HINTS
        uow.tx.set(
            Seat,
            seat.id,
            lessons=lesson_state.set_mode(seat.lessons, on if wanted == "on" else lesson_state.OFF),
        )
    answer(uow, speaker, came, f"hints-{wanted}")
