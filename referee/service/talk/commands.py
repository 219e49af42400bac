"""Table talk: what players say to each other through the referee, in public, in private or without a name.

    say hello        to everybody at the table and the rooms that follow it
    tell Ana hello   to Ana alone
    whisper hello    to everybody, and nobody is told by whom; where the table allows it

It is passed on and not kept: no word of it is an order, an event or part of the record. What goes out without
a name goes to all seats alike, its writer's too, at the next full half hour.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import msgspec
from msgspec.structs import replace

from referee.ids import EventNo, SeatNo
from referee.ports import Inbound
from referee.rules import Move, Refusal
from referee.states import GameStatus, RoomState
from referee.store import Game, GameRoom, Mute, Person, Room, Seat
from referee.text import Intent, Reading, read_order
from referee.text.meter import TooCostly
from referee.text.reading.orders import for_another_table
from referee.text.reading.splitting import LONGEST
from referee.text.reading.talking import addressee, aside, told

from ..core import outbox
from ..core.commands import CommandTopic, HelpTopic, command
from ..core.letters import Facts
from ..core.table_settings import TableSettings
from ..core.unit_of_work import UnitOfWork, names, settings_of, talk_mode, write_event
from ..people import chat_rooms, said_before, table_roles
from ..people.identity import Speaker
from ..people.replies import answer
from ..play import moves
from ..tables import lobby
from . import mutes

PUBLIC, PRIVATE, NAMELESS = "public", "private", "nameless"
#: what a table's setting allows
WAYS = {
    "anonymous": {PUBLIC, PRIVATE, NAMELESS},
    "open": {PUBLIC, PRIVATE},
    "public": {PUBLIC},
    "off": set[str](),
}
USUAL = "open"
#: so long after its end a table may still be talked at
AFTER_DAYS = 7
AFTER_MS = AFTER_DAYS * 86_400_000
#: what has no name goes out when the clock stands at a full half hour: of the moment of writing its readers
#: learn that half hour and no more
NAMELESS_MS = 1_800_000
#: and within so long of it, by chance: of several, the first to go is not the first that was written
_SHUFFLED_MS = 60_000
#: among fewer people everybody knows who it was
NAMELESS_LEAST = 3
#: this many lines of what is said are looked at for orders
_BELOW = 12
#: where letters are looked at now and then, several lines make one: the first waits so long for others
GATHERED_MS = {"mail": 120_000}


@command("say", topic=HelpTopic.TALK)
def say(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """`say hello`: to everybody."""
    game, seats, mine = talk_table(uow, speaker, game, PUBLIC)
    here = chat_rooms.room(uow, came)
    if here is None:
        not_aside(uow, speaker, intent, seats)
        no_orders_below(uow, speaker, came, intent, game, mine)
    said_before.must_be_new(uow, came)
    mutes.counted(uow, speaker.person)
    heard = spread(
        uow,
        game,
        seats,
        line(uow, intent, PUBLIC, mine),
        by=speaker.person,
        but=(mine.no,),
        but_room=here,
    )
    if here is None or uow.tx.one(GameRoom, game_id=game.id, room_id=here.id) is None:
        answer(uow, speaker, came, "talk-said", game=game.id, count=heard)


@command("tell", topic=HelpTopic.TALK)
def to_one(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """`tell Ana hello`: to her alone."""
    if in_a_room(uow, speaker, came):
        return
    game, seats, mine = talk_table(uow, speaker, game, PRIVATE)
    reading = Reading(speaker.person.language, own=uow.words.own)
    no, text = told(str(intent.args["text"]), names(seats), reading)
    if no is None:
        raise Refusal(
            "talk-whom", names=[s.name for s in seats if s.person_id not in (None, speaker.person.id)]
        )
    if no == mine.no:
        raise Refusal("talk-self")
    if seats[no].person_id is None:
        raise Refusal("talk-bot", name=seats[no].name)
    if not text:
        raise Refusal("talk-nothing", name=seats[no].name)
    no_orders_below(uow, speaker, came, intent, game, mine)
    said_before.must_be_new(uow, came)
    mutes.counted(uow, speaker.person)
    spread(
        uow,
        game,
        seats,
        replace(line(uow, intent, PRIVATE, mine), speech=text),
        by=speaker.person,
        but=tuple(s.no for s in seats if s.no != no),
    )
    answer(uow, speaker, came, "talk-told", name=seats[no].name, game=game.id)


@command("whisper", topic=HelpTopic.TALK)
def whisper(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """`whisper hello`: to everybody, without a name."""
    uow.about["wish"] = "say"  # anyone who reads the log learns of no whisper
    if in_a_room(uow, speaker, came):
        return
    game, seats, mine = talk_table(uow, speaker, game, NAMELESS)
    people = sum(s.person_id is not None for s in seats)
    if people < NAMELESS_LEAST:
        raise Refusal("talk-few", least=NAMELESS_LEAST)
    not_aside(uow, speaker, intent, seats, whispered=True)
    no_orders_below(uow, speaker, came, intent, game, mine)
    said_before.must_be_new(uow, came)
    mutes.counted(uow, speaker.person)
    delay_ms = NAMELESS_MS - uow.now_ms % NAMELESS_MS + secrets.randbelow(_SHUFFLED_MS)
    spread(uow, game, seats, line(uow, intent, NAMELESS, None), by=None, delay_ms=delay_ms)
    answer(uow, speaker, came, "talk-whispered", game=game.id, minutes=NAMELESS_MS // 60_000)


@command("talk", topic=HelpTopic.TALK, office=True)
def talk(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """`talk #17`: how one may talk there; `talk off`, by the person who opened the table or an admin:
    everybody is told.
    """
    if game is None:
        raise Refusal("no-game", game=None)
    wanted = str(intent.args["mode"])
    if not wanted:
        answer(uow, speaker, came, "talk-mode", game=game.id, mode=talk_mode(game))
        return
    if not table_roles.role(uow, game, speaker, "talk").key and not table_roles.is_admin(uow, speaker):
        raise Refusal("only-creator", game=game.id)
    if game.status not in lobby.ALIVE:
        raise Refusal("game-over", game=game.id)
    now = settings_of(game)
    opened = str(now.get("talk") or USUAL)
    wanted = opened if wanted == "on" else wanted
    if game.status not in lobby.GATHERING and not WAYS[wanted] <= WAYS[opened]:
        raise Refusal("talk-wider", mode=opened)
    if wanted != talk_mode(game):
        if game.status in lobby.GATHERING:
            now["talk"] = wanted
        else:
            now["talk_now"] = wanted
        change(uow, speaker, game, now, wanted)
    answer(uow, speaker, came, "talk-mode", game=game.id, mode=wanted)


def change(uow: UnitOfWork, speaker: Speaker, game: Game, settings: TableSettings, mode: str) -> None:
    """Write a table's setting down; once it has begun that is an event that everybody reads."""
    number = game.event_no
    if game.status not in lobby.GATHERING:
        mine = uow.tx.one(Seat, game_id=game.id, person_id=speaker.person.id)
        number = EventNo(number + 1)
        write_event(
            uow,
            game.id,
            number,
            "talk_set",
            {"seat": None if mine is None else mine.no, "mode": mode},
        )
    fresh = uow.tx.renew(Game, game, settings=msgspec.json.encode(settings).decode(), event_no=number)
    outbox.to_rooms(uow, fresh)


@command("mute", topic=HelpTopic.TALK, about=CommandTopic.PERSON)
def mute(
    uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None, *, off: bool = False
) -> None:
    """`mute Ana`: at no table; `mute talk`, `mute whispers`: at this one; `mute` alone tells.

    Nobody learns of it.
    """
    if in_a_room(uow, speaker, came):
        return
    me, what = speaker.person.id, str(intent.args["what"])
    if not what:
        answer(uow, speaker, came, "mutes", **mutes.mute_facts(uow, me))
        return
    if game is None:
        raise Refusal("no-game", game=None)
    row: dict[str, Any] = {"person_id": me, "what": what, "other_id": None, "game_id": game.id}
    called = ""
    if what == "person":
        seats = uow.seats(game.id)
        no, rest = addressee(str(intent.args["name"]), names(seats))
        if no is None or rest:
            raise Refusal("talk-whom", names=[s.name for s in seats if s.person_id not in (None, me)])
        if seats[no].person_id in (None, me):
            raise Refusal(
                *("talk-self",) if no is not None and seats[no].person_id == me else ("talk-bot",),
                name=seats[no].name,
            )
        row |= {"other_id": seats[no].person_id, "game_id": None}
        called = seats[no].name
    if off:
        uow.tx.drop(Mute, **row)
    elif uow.tx.one(Mute, **row) is None:
        uow.tx.add(Mute, **row)
    answer(uow, speaker, came, "unmuted" if off else "muted", what=what, name=called, game=game.id)


@command("unmute", topic=HelpTopic.TALK, about=CommandTopic.PERSON)
def unmute(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """`unmute Ana`: heard again."""
    mute(uow, speaker, came, intent, game, off=True)


def not_aside(
    uow: UnitOfWork, speaker: Speaker, intent: Intent, seats: list[Seat], *, whispered: bool = False
) -> None:
    """Words to everybody that begin as if to one person may be a secret: they are asked about, not passed on.
    A whisper does also where it begins with the name alone.
    """
    text, called = str(intent.args["text"]), names(seats)
    no = aside(text, called, Reading(speaker.person.language, own=uow.words.own))
    if no is None and whispered:
        found, rest = addressee(text, called)
        no = found if rest else None
    if no is not None and seats[no].person_id not in (None, speaker.person.id):
        raise Refusal("talk-whisper-to" if whispered else "talk-aside", name=seats[no].name)


def no_orders_below(
    uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game, mine: Seat
) -> None:
    """A line below the words that is an order, "say good luck" and then "pick King", is meant for us and may
    be a secret: it is asked about, too. One without a card or a name counts where it is an answer just now.
    """
    below = [one.strip() for one in came.text.splitlines() if one.strip()][1:_BELOW]
    if not below or game.status != GameStatus.RUNNING:
        return
    state, waiting = uow.states.position(game)
    ask = next((one for one in waiting if one.seat == mine.no), None)
    called = names(uow.seats(game.id))
    reading = moves.reading(state, ask, called, speaker.person.language, numbers=False, own=uow.words.own)
    with suppress(TooCostly), uow.readings.metered():
        for line in below:
            if for_another_table(line):
                raise Refusal("command-alone", command=line, quote=intent.quote)
            move = read_order(line, reading) if len(line) <= LONGEST else None
            if isinstance(move, Move) and (move.args or (ask is not None and move in ask.moves)):
                raise Refusal("command-alone", command=intent.kind, quote=intent.quote)


def in_a_room(uow: UnitOfWork, speaker: Speaker, came: Inbound) -> bool:
    """What is for some ears only must be said in private: tell so."""
    if came.place is not None:
        answer(uow, speaker, came, "talk-in-private")
    return came.place is not None


def talk_table(
    uow: UnitOfWork, speaker: Speaker, game: Game | None, way: str
) -> tuple[Game, list[Seat], Seat]:
    """The table that somebody may talk at in this way, its seats, and theirs.  Raises Refusal."""
    if game is None:
        raise Refusal("no-game", game=None)
    seats = uow.seats(game.id)
    mine = next((s for s in seats if s.person_id == speaker.person.id), None)
    if mine is None:
        raise Refusal("not-seated", game=game.id)
    if game.status not in lobby.ALIVE and uow.now_ms - game.ended_ms > AFTER_MS:
        raise Refusal("talk-over", game=game.id, days=AFTER_DAYS)
    if way not in WAYS[talk_mode(game)]:
        raise Refusal("talk-not-here", game=game.id, mode=talk_mode(game))
    return game, seats, mine


class Line(msgspec.Struct, frozen=True):
    """One thing that was said: public, private or nameless, by whom ("" nameless), when (UTC ms), about which
    step of a finished game (0: none).
    """

    way: str
    by: str
    speech: str
    at_ms: int
    step: int = 0


def line(uow: UnitOfWork, intent: Intent, way: str, by: Seat | None) -> Line:
    """One thing that was said, as letters tell it.  What has no name has no hour either."""
    return Line(way, "" if by is None else by.name, str(intent.args["text"]), 0 if by is None else uow.now_ms)


class TalkFacts(Facts):
    """What players said to each other."""

    kind = "talk"
    said: Sequence[Line]


def spread(
    uow: UnitOfWork,
    game: Game,
    seats: list[Seat],
    said: Line,
    *,
    by: Person | None,
    but: tuple[SeatNo, ...] = (),
    but_room: Room | None = None,
    delay_ms: int = 0,
) -> int:
    """Pass it on to all seats `but` these, and what is public to all rooms but the one it was said in.

    Returns to how many people.
    """
    heard = 0
    for seat in seats:
        if seat.no in but or seat.person_id is None:
            continue
        heard += 1
        if mutes.hears(uow, seat.person_id, game, by, nameless=said.way == NAMELESS):
            at = outbox.best(uow, seat.person_id, seat)
            # what has no name never goes along with what has one: that would tell when it was said
            outbox.to_seat(
                uow,
                game,
                seat,
                TalkFacts(said=[said]),
                collapse="" if delay_ms else None,
                delay_ms=delay_ms or GATHERED_MS.get("" if at is None else at.channel, 0),
            )
    for watch in uow.tx.all(GameRoom, game_id=game.id) if said.way != PRIVATE else ():
        room = uow.tx.get(Room, watch.room_id)
        if room is not None and room.state == RoomState.OPEN and (but_room is None or room.id != but_room.id):
            outbox.queue(
                uow,
                TalkFacts(said=[said]),
                channel=room.channel,
                place=room.place,
                game_id=game.id,
                delay_ms=delay_ms,
                collapse="" if delay_ms else f"talk:{game.id}:room:{room.id}",
            )
    return heard
