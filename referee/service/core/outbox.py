"""Queueing letters: what is to be told to whom, not yet in words.

A queued letter says only its kind and a few facts (`what`: both in one).  The words are made when the
channel is ready, from what is true then; a newer letter of the same name takes the place of one that still
waits.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

import msgspec

from referee.ids import NO_QUESTION, GameId, PersonId, QuestionNo, SeatNo
from referee.states import AddressState, OutboxState, RoomState
from referee.store import Address, Game, GameRoom, Outbox, Person, Room, Seat, Tx

from .letter_rows import Again, Stored, read
from .letters import Facts, traits
from .unit_of_work import UnitOfWork, json_text

#: the channel of what is written on one's own pages; nobody has an address there (see web_sessions.py)
WEB = "web"
#: the channel of notices in browsers; nobody has an address there either (see web/push_notices.py)
PUSH = "push"
#: channels on which nothing is counted: one's own machine, and pages, which count for themselves
#: (adapters.web.client_limits)
UNCOUNTED = ("terminal", WEB)
#: channels whose every letter somebody has to open and put away
LETTERBOXES = frozenset({"mail"})
_DAY = 86_400_000
#: facts of a letter that say something of its question alone: why no plan answers that, which place of it is
#: shown, in place of which letter (a letter that is rewritten rings nowhere: no other question is put there)
_OF_QUESTION = frozenset({"stopped", "step", "revises"})


def addresses(uow: UnitOfWork, person_id: PersonId) -> list[Address]:
    """Where a person can be written to now, the last used first.

    Channels that the admin has turned off count only where there is no other.
    """
    return _usable(uow, uow.tx.all(Address, person_id=person_id))


def _usable(uow: UnitOfWork, every: Sequence[Address]) -> list[Address]:
    found = [a for a in every if a.state in (AddressState.GREEN, AddressState.NEW)]
    found = [a for a in found if not uow.settings.channels or a.channel in uow.settings.channels] or found
    found.sort(key=lambda a: (a.state != AddressState.GREEN, -a.seen_ms))
    return found


def best_of_each(uow: UnitOfWork, people: Sequence[Person]) -> dict[PersonId, Address]:
    """The same as `best`, for those of some hundred people who can be written to: asked at once."""
    every: dict[PersonId, list[Address]] = {}
    for one in uow.tx.all(Address, person_id=tuple(person.id for person in people)):
        every.setdefault(one.person_id, []).append(one)
    usable = {person.id: _usable(uow, every.get(person.id, ())) for person in people}
    return {one.id: _preferred(usable[one.id], one) for one in people if usable[one.id]}


class Known(NamedTuple):
    """What was looked up of somebody together with many others: their best address (None: none), and the
    letter of the name at hand that waits (None: none does).
    """

    best: Address | None
    waiting: Outbox | None


def lasts(at: Address) -> bool:
    """Whether what is written to an address is there to be read later; a page is gone when it is closed."""
    return at.channel != WEB


def best(
    uow: UnitOfWork, person_id: PersonId, seat: Seat | None = None, but: Collection[str] = ()
) -> Address | None:
    """The address for prompts: the seat's channel, then the person's own order, then the last used; on none
    of the channels `but`.
    """
    found = [one for one in addresses(uow, person_id) if one.channel not in but]
    if len(found) < 2:
        return found[0] if found else None
    return _preferred(found, uow.tx.get(Person, person_id), seat)


def _preferred(found: Sequence[Address], person: Person | None, seat: Seat | None = None) -> Address:
    order = [seat.channel] if seat is not None and seat.channel else []
    order += person.prefer.split(",") if person is not None and person.prefer else []
    for channel in order:
        for address in found:
            if address.channel == channel:
                return address
    return found[0]


class _Done(msgspec.Struct):
    """What of a letter's facts tells that orders were done, whatever its kind."""

    echo: Sequence[Any] = ()


class LivingFacts(Facts):
    """The living message of a room: all that it says is looked up."""

    kind = "table"


_LIVING = LivingFacts()


def queue(
    uow: UnitOfWork,
    what: Facts | Again,
    *,
    channel: str,
    address: str = "",
    place: str = "",
    person_id: PersonId | None = None,
    game_id: GameId | None = None,
    seat: SeatNo | None = None,
    question: QuestionNo = NO_QUESTION,
    collapse: str = "",
    delay_ms: int = 0,
    lives_ms: int = 7 * _DAY,
    known: Known | None = None,
) -> None:
    """Put one letter into the outbox, or fold it into the one of the same name that waits there (`known`)."""
    stored: Stored = what.stored if isinstance(what, Again) else msgspec.to_builtins(what)
    tx = uow.tx
    uow.told.add((person_id, channel, place))
    if collapse:
        waiting = _waiting(tx, collapse, person_id, known)
        if waiting is not None:
            same = question in (NO_QUESTION, waiting.question)
            tx.renew(
                Outbox,
                waiting,
                data=json_text(fold_facts(msgspec.json.decode(waiting.data), stored, same)),
                question=question,
                letter="",
                channel=channel,
                address=address,
                place=place,
                not_before_ms=min(waiting.not_before_ms, uow.now_ms + delay_ms),
                # later than before in any case: anyone who is wording it just now sees that it is not the
                # same letter any more
                expires_ms=max(waiting.expires_ms + 1, uow.now_ms + lives_ms),
            )
            uow.wakes.add("post")
            return
    if channel in LETTERBOXES and seat is not None:
        hasten(uow, channel, address, game_id)
    tx.note(
        Outbox,
        channel=channel,
        address=address,
        place=place,
        person_id=person_id,
        game_id=game_id,
        seat=seat,
        question=question,
        kind=what.kind,
        data=json_text(stored),
        collapse=collapse,
        not_before_ms=uow.now_ms + delay_ms,
        expires_ms=uow.now_ms + lives_ms,
        created_ms=uow.now_ms,
    )
    uow.wakes.add("post")


def _waiting(tx: Tx, collapse: str, person_id: PersonId | None, known: Known | None = None) -> Outbox | None:
    """The letter of that name that waits for that person.

    Names go by seats: where somebody else sits there by now, what waits for the one before them goes by
    itself, and is neither told to another nor lost.
    """
    found = (
        known.waiting if known is not None else tx.one(Outbox, collapse=collapse, state=OutboxState.QUEUED)
    )
    if found is None or found.person_id == person_id:
        return found
    tx.set(Outbox, found.id, collapse="")
    return None


def hasten(uow: UnitOfWork, channel: str, address: str, game_id: GameId | None = None) -> None:
    """Let go what was done there and waits to be told with a later letter (about that game; None: any): it
    never comes behind something newer.
    """
    for row in uow.tx.all(Outbox, channel=channel, address=address, state=OutboxState.QUEUED):
        if game_id in (None, row.game_id) and row.not_before_ms > uow.now_ms and confirms(row):
            uow.tx.set(Outbox, row.id, not_before_ms=uow.now_ms)
            uow.wakes.add("post")


def confirms(row: Outbox) -> bool:
    """Whether a letter that was not tried yet confirms orders where they were given; no copy of them."""
    return row.tries == 0 and traits(row.kind).puts and bool(read(row, _Done).echo)


def fold_facts(older: Stored, newer: Stored, same: bool = True) -> Stored:
    """Two letters in one: nothing that was to be said is lost, the newer facts hold.  `same`: the newer puts
    no other question.
    """
    kept = older if same else {name: fact for name, fact in older.items() if name not in _OF_QUESTION}
    both = {**kept, **newer}
    for name in ("echo", "notices", "said"):
        if older.get(name) or newer.get(name):
            both[name] = [*older.get(name, ()), *newer.get(name, ())]
    if older.get("stops"):
        both["stops"] = {**older["stops"], **newer.get("stops", {})}
    if older.get("trouble") and not newer.get("trouble"):
        both["trouble"] = older["trouble"]
    return both


def to_seat(
    uow: UnitOfWork,
    game: Game,
    seat: Seat,
    what: Facts,
    *,
    question: QuestionNo = NO_QUESTION,
    at: Address | None = None,
    collapse: str | None = None,
    delay_ms: int = 0,
) -> bool:
    """A letter to the person who sits there; bots get none.

    False where somebody should have it and has no address left.
    """
    if seat.person_id is None:
        return True
    where = at or best(uow, seat.person_id, seat)
    if where is None:
        return False
    name = f"{what.kind}:{game.id}:{seat.no}:{where.channel}" if collapse is None else collapse
    queue(
        uow,
        _asked_for(what, at),
        channel=where.channel,
        address=where.address,
        person_id=seat.person_id,
        game_id=game.id,
        seat=seat.no,
        question=question,
        collapse=name,
        delay_ms=delay_ms,
    )
    return True


def to_person(
    uow: UnitOfWork,
    person_id: PersonId,
    what: Facts,
    *,
    at: Address | None = None,
    game_id: GameId | None = None,
    seat: SeatNo | None = None,
    collapse: str = "",
    known: Known | None = None,
) -> None:
    """A letter to a person, about a game or not; `seat` is theirs there."""
    where = at or (best(uow, person_id) if known is None else known.best)
    if where is None:
        person = uow.tx.get(Person, person_id)
        if person is not None and person.now_id:  # they were joined to somebody
            person_id, where = person.now_id, best(uow, person.now_id)
    if where is not None:
        queue(
            uow,
            _asked_for(what, at),
            channel=where.channel,
            address=where.address,
            person_id=person_id,
            game_id=game_id,
            seat=seat,
            collapse=collapse,
            known=known,
        )


def _asked_for(what: Facts, at: Address | None) -> Facts:
    """The same for an address at which somebody is there and waits for it."""
    return what if at is None else msgspec.structs.replace(what, reply=True)


def to_rooms(uow: UnitOfWork, game: Game, what: Facts = _LIVING) -> None:
    """Refresh the living message in every room that watches, or say something there once."""
    for watch in uow.tx.all(GameRoom, game_id=game.id):
        room = uow.tx.get(Room, watch.room_id)
        if room is None or room.state != RoomState.OPEN:
            continue
        queue(
            uow,
            what,
            channel=room.channel,
            place=room.place,
            game_id=game.id,
            collapse=f"{what.kind}:{game.id}:{watch.id}" if traits(what.kind).living else "",
        )


def to_room(
    uow: UnitOfWork, room: Room, what: Facts, *, game_id: GameId | None = None, collapse: str = ""
) -> None:
    """Say something in one room."""
    queue(uow, what, channel=room.channel, place=room.place, game_id=game_id, collapse=collapse)


def watches(tx: Tx, row: Outbox) -> list[GameRoom]:
    """Where the room that a letter goes to watches the letter's game."""
    found = []
    for watch in tx.all(GameRoom, game_id=row.game_id):
        room = tx.get(Room, watch.room_id)
        if room is not None and (room.channel, room.place) == (row.channel, row.place):
            found.append(watch)
    return found
