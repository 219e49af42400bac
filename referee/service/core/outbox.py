"""Asking the post to write: what is to be told to whom, not yet in words.

A queued letter says only its kind and a few facts (`what`: both in one, or a kind without facts of its own;
`data` comes on top of them).  The words are made when the channel is ready, from what is true then; a newer
letter of the same name takes the place of one that still waits.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import msgspec

from referee.states import AddressState, OutboxState, RoomState
from referee.store import Address, Game, GameRoom, Outbox, Person, Room, Seat, Tx

from . import letters
from .letters import Facts
from .unit_of_work import Sitting, written

#: the channel of what is written on one's own pages; nobody has an address there (see web_sessions.py)
WEB = "web"
#: channels on which nothing is counted: one's own machine, and pages, which count for themselves
#: (adapters.web.callers)
UNCOUNTED = ("terminal", WEB)
_DAY = 86_400_000


def addresses(sitting: Sitting, person_id: int) -> list[Address]:
    """Where a person can be written to now, the last used first.

    Channels that the admin has turned off count only where there is no other.
    """
    found = [
        a
        for a in sitting.tx.all(Address, person_id=person_id)
        if a.state in (AddressState.GREEN, AddressState.NEW)
    ]
    found = [
        a for a in found if not sitting.settings.channels or a.channel in sitting.settings.channels
    ] or found
    found.sort(key=lambda a: (a.state != AddressState.GREEN, -a.seen_ms))
    return found


def lasts(at: Address) -> bool:
    """Whether what is written to an address is there to be read later; a page is gone when it is closed."""
    return at.channel != WEB


def best(
    sitting: Sitting, person_id: int, seat: Seat | None = None, but: Collection[str] = ()
) -> Address | None:
    """The address for prompts: the seat's channel, then the person's own order, then the last used; on none
    of the channels `but`.
    """
    found = [one for one in addresses(sitting, person_id) if one.channel not in but]
    if len(found) < 2:
        return found[0] if found else None
    person = sitting.tx.get(Person, person_id)
    order = [seat.channel] if seat is not None and seat.channel else []
    order += person.prefer.split(",") if person is not None and person.prefer else []
    for channel in order:
        for address in found:
            if address.channel == channel:
                return address
    return found[0]


def queue(
    sitting: Sitting,
    what: str | Facts,
    *,
    channel: str,
    address: str = "",
    place: str = "",
    person_id: int | None = None,
    game_id: int | None = None,
    seat: int | None = None,
    question: int = 0,
    data: dict[str, Any] | None = None,
    collapse: str = "",
    delay_ms: int = 0,
    lives_ms: int = 7 * _DAY,
) -> None:
    """Put one letter into the outbox, or fold it into the one of the same name that still waits there."""
    kind, data = letters.queued(what, data)
    tx = sitting.tx
    if collapse:
        waiting = tx.one(Outbox, collapse=collapse, state=OutboxState.QUEUED)
        if waiting is not None:
            tx.renew(
                Outbox,
                waiting,
                data=written(fold(msgspec.json.decode(waiting.data), data)),
                question=question,
                letter="",
                channel=channel,
                address=address,
                place=place,
                not_before_ms=min(waiting.not_before_ms, sitting.now_ms + delay_ms),
                # later than before in any case: whoever is wording it just now sees that it is not the same
                # letter any more
                expires_ms=max(waiting.expires_ms + 1, sitting.now_ms + lives_ms),
            )
            sitting.wakes.add("post")
            return
    tx.note(
        Outbox,
        channel=channel,
        address=address,
        place=place,
        person_id=person_id,
        game_id=game_id,
        seat=seat,
        question=question,
        kind=kind,
        data=written(data),
        collapse=collapse,
        not_before_ms=sitting.now_ms + delay_ms,
        expires_ms=sitting.now_ms + lives_ms,
        created_ms=sitting.now_ms,
    )
    sitting.wakes.add("post")


def fold(older: dict[str, Any], newer: dict[str, Any]) -> dict[str, Any]:
    """Two letters in one: nothing that was to be said is lost, the newer facts hold."""
    both = {**older, **newer}
    for name in ("echo", "notices", "said"):
        if older.get(name) or newer.get(name):
            both[name] = [*older.get(name, ()), *newer.get(name, ())]
    if older.get("trouble") and not newer.get("trouble"):
        both["trouble"] = older["trouble"]
    return both


def to_seat(
    sitting: Sitting,
    game: Game,
    seat: Seat,
    what: str | Facts,
    *,
    data: dict[str, Any] | None = None,
    question: int = 0,
    at: Address | None = None,
    collapse: str | None = None,
    delay_ms: int = 0,
) -> bool:
    """A letter to whoever sits there; bots get none.

    False where somebody should have it and has no address left.
    """
    if seat.person_id is None:
        return True
    where = at or best(sitting, seat.person_id, seat)
    if where is None:
        return False
    kind, data = letters.queued(what, data)
    name = f"{kind}:{game.id}:{seat.no}:{where.channel}" if collapse is None else collapse
    data = {**data, "reply": True} if at is not None else data  # somebody is there and waits for it
    queue(
        sitting,
        kind,
        channel=where.channel,
        address=where.address,
        person_id=seat.person_id,
        game_id=game.id,
        seat=seat.no,
        question=question,
        data=data,
        collapse=name,
        delay_ms=delay_ms,
    )
    return True


def to_person(
    sitting: Sitting,
    person_id: int,
    what: str | Facts,
    *,
    at: Address | None = None,
    data: dict[str, Any] | None = None,
    game_id: int | None = None,
    seat: int | None = None,
    collapse: str = "",
) -> None:
    """A letter to a person, about a game or not; `seat` is theirs there."""
    kind, data = letters.queued(what, data)
    data = {**data, "reply": True} if at is not None else data
    where = at or best(sitting, person_id)
    if where is None:
        person = sitting.tx.get(Person, person_id)
        if person is not None and person.now_id:  # they were joined to somebody
            person_id, where = person.now_id, best(sitting, person.now_id)
    if where is not None:
        queue(
            sitting,
            kind,
            channel=where.channel,
            address=where.address,
            person_id=person_id,
            game_id=game_id,
            seat=seat,
            data=data,
            collapse=collapse,
        )


def to_rooms(
    sitting: Sitting, game: Game, what: str | Facts = "table", *, data: dict[str, Any] | None = None
) -> None:
    """Refresh the living message in every room that watches, or say something there once."""
    kind, data = letters.queued(what, data)
    for watch in sitting.tx.all(GameRoom, game_id=game.id):
        room = sitting.tx.get(Room, watch.room_id)
        if room is None or room.state != RoomState.OPEN:
            continue
        queue(
            sitting,
            kind,
            channel=room.channel,
            place=room.place,
            game_id=game.id,
            data=data,
            collapse=f"{kind}:{game.id}:{watch.id}" if letters.traits(kind).living else "",
        )


def to_room(
    sitting: Sitting,
    room: Room,
    what: str | Facts,
    *,
    data: dict[str, Any] | None = None,
    game_id: int | None = None,
) -> None:
    """Say something in one room."""
    queue(sitting, what, channel=room.channel, place=room.place, game_id=game_id, data=data)


def watches(tx: Tx, row: Outbox) -> list[GameRoom]:
    """Where the room that a letter goes to watches the letter's game."""
    found = []
    for watch in tx.all(GameRoom, game_id=row.game_id):
        room = tx.get(Room, watch.room_id)
        if room is not None and (room.channel, room.place) == (row.channel, row.place):
            found.append(watch)
    return found
