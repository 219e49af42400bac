"""Table talk: what players say to each other through the referee, in public, in private or without a name.

    say hello        to everybody at the table and the rooms that follow it
    tell Ana hello   to Ana alone
    whisper hello    to everybody, and nobody is told by whom; where the table allows it

It is passed on and not kept: no word of it is an order, an event or part of the record. What goes out without
a name goes to all seats alike, its writer's too, at the next full half hour.
"""

from __future__ import annotations

import secrets
from typing import Any

import msgspec

from referee.ports import Inbound
from referee.rules import Refusal
from referee.states import RoomState
from referee.store import Game, GameRoom, Mute, Person, Room, Seat
from referee.text import Wish
from referee.text.reading.talking import addressee

from ..core import outbox
from ..core.commands import About, command
from ..core.letters import Facts
from ..core.unit_of_work import Sitting, names, settings_of, talk_mode, tell
from ..people import chat_rooms, table_roles
from ..people.identity import Speaker
from ..people.replies import answer
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
#: what has no name goes out when the clock stands at a full half hour: of the moment of writing its readers
#: learn that half hour and no more
NAMELESS_MS = 1_800_000
#: and within so long of it, by chance: of several, the first to go is not the first that was written
_SHUFFLED_MS = 60_000
#: among fewer people everybody knows who it was
NAMELESS_LEAST = 3
#: where letters are looked at now and then, several lines make one: the first waits so long for others
GATHERED_MS = {"mail": 120_000}
_DAY_MS = 86_400_000


@command("say")
def say(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """`say hello`: to everybody."""
    game, seats, mine = table(sitting, speaker, game, PUBLIC)
    mutes.counted(sitting, speaker.person)
    here = chat_rooms.room(sitting, came)
    heard = spread(
        sitting,
        game,
        seats,
        line(sitting, wish, PUBLIC, mine),
        by=speaker.person,
        but=(mine.no,),
        but_room=here,
    )
    if here is None or sitting.tx.one(GameRoom, game_id=game.id, room_id=here.id) is None:
        answer(sitting, speaker, came, "talk-said", game=game.id, count=heard)


@command("tell")
def to_one(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """`tell Ana hello`: to her alone."""
    if in_a_room(sitting, speaker, came):
        return
    game, seats, mine = table(sitting, speaker, game, PRIVATE)
    no, text = addressee(str(wish.args["text"]), names(seats))
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
    mutes.counted(sitting, speaker.person)
    spread(
        sitting,
        game,
        seats,
        {**line(sitting, wish, PRIVATE, mine), "speech": text},
        by=speaker.person,
        but=tuple(s.no for s in seats if s.no != no),
    )
    answer(sitting, speaker, came, "talk-told", name=seats[no].name, game=game.id)


@command("whisper")
def whisper(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """`whisper hello`: to everybody, without a name."""
    sitting.about["wish"] = "say"  # whoever reads the log learns of no whisper
    if in_a_room(sitting, speaker, came):
        return
    game, seats, _ = table(sitting, speaker, game, NAMELESS)
    people = sum(s.person_id is not None for s in seats)
    if people < NAMELESS_LEAST:
        raise Refusal("talk-few", least=NAMELESS_LEAST)
    mutes.counted(sitting, speaker.person)
    delay_ms = NAMELESS_MS - sitting.now_ms % NAMELESS_MS + secrets.randbelow(_SHUFFLED_MS)
    spread(sitting, game, seats, line(sitting, wish, NAMELESS, None), by=None, delay_ms=delay_ms)
    answer(sitting, speaker, came, "talk-whispered", game=game.id, minutes=NAMELESS_MS // 60_000)


@command("talk", office=True)
def talk(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """`talk #17`: how one may talk there; `talk off`, by whoever opened the table or an admin: everybody is
    told.
    """
    if game is None:
        raise Refusal("no-game", game=None)
    wanted = str(wish.args["mode"])
    if not wanted:
        answer(sitting, speaker, came, "talk-mode", game=game.id, mode=talk_mode(game))
        return
    if not table_roles.role(sitting, game, speaker, "talk").key and not table_roles.is_admin(
        sitting, speaker
    ):
        raise Refusal("only-creator", game=game.id)
    if game.status not in lobby.ALIVE:
        raise Refusal("game-over", game=game.id)
    now = settings_of(game)
    opened = str(now.get("talk") or USUAL)
    wanted = opened if wanted == "on" else wanted
    if game.status not in lobby.GATHERING and not WAYS[wanted] <= WAYS[opened]:
        raise Refusal("talk-wider", mode=opened)
    if wanted != talk_mode(game):
        change(
            sitting,
            speaker,
            game,
            {**now, ("talk" if game.status in lobby.GATHERING else "talk_now"): wanted},
            wanted,
        )
    answer(sitting, speaker, came, "talk-mode", game=game.id, mode=wanted)


def change(sitting: Sitting, speaker: Speaker, game: Game, settings: dict[str, Any], mode: str) -> None:
    """Write a table's setting down; once it has begun that is an event that everybody reads."""
    number = game.event_no
    if game.status not in lobby.GATHERING:
        mine = sitting.tx.one(Seat, game_id=game.id, person_id=speaker.person.id)
        number += 1
        tell(
            sitting,
            int(game.id or 0),
            number,
            "talk_set",
            {"seat": None if mine is None else mine.no, "mode": mode},
        )
    fresh = sitting.tx.renew(Game, game, settings=msgspec.json.encode(settings).decode(), event_no=number)
    outbox.to_rooms(sitting, fresh)


@command("mute", about=About.PERSON)
def mute(
    sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None, *, off: bool = False
) -> None:
    """`mute Ana`: at no table; `mute talk`, `mute whispers`: at this one; `mute` alone tells.

    Nobody learns of it.
    """
    if in_a_room(sitting, speaker, came):
        return
    me, what = int(speaker.person.id or 0), str(wish.args["what"])
    if not what:
        answer(sitting, speaker, came, "mutes", **mutes.told(sitting, me))
        return
    if game is None:
        raise Refusal("no-game", game=None)
    row: dict[str, Any] = {"person_id": me, "what": what, "other_id": None, "game_id": game.id}
    called = ""
    if what == "person":
        seats = sitting.seats(int(game.id or 0))
        no, rest = addressee(str(wish.args["name"]), names(seats))
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
        sitting.tx.drop(Mute, **row)
    elif sitting.tx.one(Mute, **row) is None:
        sitting.tx.add(Mute, **row)
    answer(sitting, speaker, came, "unmuted" if off else "muted", what=what, name=called, game=game.id)


@command("unmute", about=About.PERSON)
def unmute(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """`unmute Ana`: heard again."""
    mute(sitting, speaker, came, wish, game, off=True)


def in_a_room(sitting: Sitting, speaker: Speaker, came: Inbound) -> bool:
    """What is for some ears only must be said in private: tell so."""
    if came.place is not None:
        answer(sitting, speaker, came, "talk-in-private")
    return came.place is not None


def table(sitting: Sitting, speaker: Speaker, game: Game | None, way: str) -> tuple[Game, list[Seat], Seat]:
    """The table that somebody may talk at in this way, its seats, and theirs.  Raises Refusal."""
    if game is None:
        raise Refusal("no-game", game=None)
    seats = sitting.seats(int(game.id or 0))
    mine = next((s for s in seats if s.person_id == speaker.person.id), None)
    if mine is None:
        raise Refusal("not-seated", game=game.id)
    if game.status not in lobby.ALIVE and sitting.now_ms - game.ended_ms > AFTER_DAYS * _DAY_MS:
        raise Refusal("talk-over", game=game.id, days=AFTER_DAYS)
    if way not in WAYS[talk_mode(game)]:
        raise Refusal("talk-not-here", game=game.id, mode=talk_mode(game))
    return game, seats, mine


def line(sitting: Sitting, wish: Wish, way: str, by: Seat | None) -> dict[str, Any]:
    """One thing that was said, as letters tell it.  What has no name has no hour either."""
    return {
        "way": way,
        "by": "" if by is None else by.name,
        "speech": str(wish.args["text"]),
        "at_ms": 0 if by is None else sitting.now_ms,
    }


class TalkFacts(Facts):
    """What players said to each other: {way public | private | nameless, by, speech, at_ms}."""

    kind = "talk"
    said: list[dict[str, Any]]


def spread(
    sitting: Sitting,
    game: Game,
    seats: list[Seat],
    said: dict[str, Any],
    *,
    by: Person | None,
    but: tuple[int, ...] = (),
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
        if mutes.hears(sitting, seat.person_id, game, by, nameless=said["way"] == NAMELESS):
            at = outbox.best(sitting, seat.person_id, seat)
            # what has no name never goes along with what has one: that would tell when it was said
            outbox.to_seat(
                sitting,
                game,
                seat,
                TalkFacts(said=[said]),
                collapse="" if delay_ms else None,
                delay_ms=delay_ms or GATHERED_MS.get("" if at is None else at.channel, 0),
            )
    for watch in sitting.tx.all(GameRoom, game_id=game.id) if said["way"] != PRIVATE else ():
        room = sitting.tx.get(Room, watch.room_id)
        if room is not None and room.state == RoomState.OPEN and (but_room is None or room.id != but_room.id):
            outbox.queue(
                sitting,
                TalkFacts(said=[said]),
                channel=room.channel,
                place=room.place,
                game_id=game.id,
                delay_ms=delay_ms,
                collapse="" if delay_ms else f"talk:{game.id}:room:{room.id}",
            )
    return heard
