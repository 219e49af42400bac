"""What follows from a letter's fate: it was told, it may have got lost, it will never arrive."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any, NamedTuple

from referee.ids import PersonId, QuestionNo, SeatId, SeatNo
from referee.ports import Fate, Receipt
from referee.states import AddressState, GameStatus, OutboxState, RoomState
from referee.store import DamagedPack, Game, GameRoom, Outbox, Room, Seat, Tx

from ..core import outbox
from ..core.alerts import alert_daily
from ..core.letter_rows import Again, Notes, noted, notes, read
from ..core.letters import Facts, traits
from ..core.unit_of_work import UnitOfWork, json_text
from ..deadlines import clock_state
from ..deadlines import rows as deadlines_rows
from ..notices import delivery_rules, reachability
from ..people import chat_rooms, officials
from ..people.letter_facts import notice
from ..people.replies import alert
from ..teaching import lesson_state
from . import hooks
from .channel_queue import HELD_MS, SOON_MS, backoff_ms
from .outbox_rows import fold_into_newer, frozen, lightened, release, requeue, thawed

#: how many of the letters that a seat was sent are looked at, the newest first
_LOOKED_AT = 20
#: where a letter waits until its reader comes
_TERMINAL = "terminal"
#: reasons for which nothing more is written to a room; one of them is told
_TOPIC = "topic-closed"
_CLOSED = ("not-a-member", "gone", _TOPIC)
_FILES = "no-files"
_ITSELF = 4  # this many tries, each of which stopped a channel or a chat, may be the letter's own fault
_PATIENCE = 12  # tries before a letter that always fails softly is given up; the same after an admin's retry

#: a server that refuses our credentials is asked this often whether they are right by now
_REFUSED = "unauthorised"
_REFUSED_MS = 60_000


class ChannelHealth(NamedTuple):
    """How a letter's channel is: `resting`, it takes nothing now; `shared`, that may be so, and only few have
    noticed; `again`, it recognises the same letter, which may be sent once more. `before`: it had these words
    already, and they may be there.
    """

    resting: bool
    shared: bool
    again: bool
    before: bool = False


def waiting(receipt: Receipt) -> Receipt:
    """The receipt for a letter whose server refuses our credentials: nothing is wrong with it, nor with its
    address, so it waits with all others of its channel until they are right. Others stay as they are.
    """
    if receipt.reason != _REFUSED or receipt.wire_id:  # a part of it is there
        return receipt
    return replace(receipt, fate=Fate.LATER, retry_ms=_REFUSED_MS, whole=True)


def record(uow: UnitOfWork, row: Outbox, receipt: Receipt, wire: ChannelHealth) -> None:
    """What became of a letter that was sent as that row, and what follows from it."""
    fresh = uow.tx.get(Outbox, row.id)
    if fresh is None or fresh.tries > row.tries + 1:
        return  # sent again by the process that had the channel after us
    if fresh.state != OutboxState.SENDING and not _known_after_all(uow.tx, fresh, receipt):
        return  # settled by it
    wire = wire._replace(again=wire.again or receipt.again, before=bool(row.letter))
    _follows(uow, fresh, receipt, wire)
    ended = receipt.fate in (Fate.SENT, Fate.FAILED)
    if ended and traits(row.kind).secret:
        words = frozen(replace(thawed(fresh.letter), text="", markup="", facts={}))
        uow.tx.set(Outbox, row.id, data="{}", letter=words)
    elif ended or (receipt.fate is Fate.UNKNOWN and not wire.again):
        light = lightened(fresh.letter)
        if light != fresh.letter:
            uow.tx.set(Outbox, row.id, letter=light)


def _follows(uow: UnitOfWork, row: Outbox, receipt: Receipt, wire: ChannelHealth) -> None:
    tx, now = uow.tx, uow.now_ms
    match receipt.fate:
        case Fate.SENT:
            tx.set(Outbox, row.id, state=OutboxState.SENT, wire_id=receipt.wire_id, sent_ms=now, error="")
            record_told(tx, row, receipt)
            _put(uow, row)
            hooks.letter_left(uow, row)
        case Fate.LATER:
            _later(tx, row, receipt, now, wire)
            if receipt.reason == _REFUSED:
                alert_daily(uow, "channel-unauthorised", channel=row.channel)
        case Fate.UNKNOWN:
            tx.set(Outbox, row.id, state=OutboxState.UNKNOWN, error=receipt.detail[:300])
            if wire.again:
                requeue(tx, row, _again_ms(row, receipt, now, wire))
            else:
                second_chance(uow, row)
        case Fate.MOVED:
            chat_rooms.move_room(uow, row.channel, row.place, receipt.moved_to)
            tx.set(Outbox, row.id, place=receipt.moved_to)
            release(tx, row, now)
        case Fate.FAILED:
            tx.set(
                Outbox, row.id, state=OutboxState.FAILED, error=f"{receipt.reason}: {receipt.detail}"[:300]
            )
            failed(uow, row, receipt)


def _put(uow: UnitOfWork, row: Outbox) -> None:
    """A question has arrived: where that took its time, the seat's clock counts from now.  Where the turn has
    asked them something already, it stands still for so long as this letter took; that the same question is
    put once more gives nobody any time.
    """
    if not (traits(row.kind).puts and row.question):
        return
    late_ms = uow.now_ms - delivery_rules.left_ms(row)
    if late_ms <= deadlines_rows.AT_ONCE_MS:
        return
    game, no, theirs = uow.tx.get(Game, row.game_id), row.seat or SeatNo(0), row.channel == _TERMINAL
    if game is None or game.status != GameStatus.RUNNING or str(no) not in game.asked.split(","):
        return
    if _seat_of(uow.tx, row) is None:
        return
    known = _put_before(uow, game, no, row)
    if not known:
        deadlines_rows.delivered(uow, game, no, theirs=theirs)
    elif row.question not in known and not theirs:
        deadlines_rows.given(uow, game, no, late_ms)


def _seat_of(tx: Tx, row: Outbox) -> Seat | None:
    """The seat that a letter was for; None where somebody else sits there by now: what its reader was told
    and asked, nobody else was.
    """
    seat = None if row.seat is None else tx.one(Seat, game_id=row.game_id, no=row.seat)
    return seat if seat is not None and row.person_id in (None, seat.person_id) else None


def _put_before(uow: UnitOfWork, game: Game, no: SeatNo, row: Outbox) -> set[QuestionNo]:
    """Which questions of this turn other letters have put to the seat's player."""
    asked = clock_state.read_clocks(game).seat(no).asked
    sent = uow.tx.all(
        Outbox,
        game_id=game.id,
        seat=no,
        person_id=row.person_id,
        state=OutboxState.SENT,
        order="-id",
        limit=_LOOKED_AT,
    )
    return {
        one.question
        for one in sent
        if one.id != row.id and one.question and one.sent_ms >= asked and traits(one.kind).puts
    }


def _later(tx: Tx, row: Outbox, receipt: Receipt, now: int, wire: ChannelHealth) -> None:
    """Not delivered: back into the queue, to be worded anew when its time comes; not where an earlier try may
    have arrived: what its reader sees by now is what they answer.
    """
    if not receipt.retry_ms and row.tries % _PATIENCE == 0 and row.expires_ms < now:
        tx.set(Outbox, row.id, state=OutboxState.FAILED, error=receipt.detail[:300])
    else:
        (requeue if wire.before else release)(tx, row, _again_ms(row, receipt, now, wire))


def _again_ms(row: Outbox, receipt: Receipt, now: int, wire: ChannelHealth) -> int:
    """When a letter is tried again.

    Its channel rests, or its chat is held back, so it keeps its place there; but one that was sent back again
    and again, and may be what is wrong itself, lets others go first. Where it may be the channel after all,
    it is ready soon: its address is held back until somebody's letter arrives.
    """
    wait = receipt.retry_ms or backoff_ms(row.tries)
    if row.tries < _ITSELF and (wire.resting or wait <= HELD_MS):
        return int(row.not_before_ms)
    return now + (min(wait, SOON_MS) if wire.shared else wait)


def broken(uow: UnitOfWork, row: Outbox, error: Exception) -> None:
    """A letter that can't be made is set aside, and the admin is told; not one that another process has put
    back, or claimed, since that row was looked at: it will see for itself. That a game's pack is damaged is
    told to the person who asked, too: to ask again would be of no use.
    """
    fresh = uow.tx.get(Outbox, row.id)
    if fresh is not None and (fresh.state, fresh.tries) in (
        (OutboxState.QUEUED, row.tries),
        (OutboxState.SENDING, row.tries + 1),
    ):
        uow.tx.set(Outbox, row.id, state=OutboxState.FAILED, error="could not be written: see the log")
        if isinstance(error, DamagedPack) and row.game_id is not None:
            alert_daily(uow, "pack-damaged", game=row.game_id)
            _tell_damaged(uow, row)
        else:
            alert(uow, "letter-broken", letter=row.id, kind=row.kind)


def _tell_damaged(uow: UnitOfWork, row: Outbox) -> None:
    """Say where a letter was to go that its game can't be read."""
    outbox.queue(
        uow,
        notice("pack-damaged", game=row.game_id),
        channel=row.channel,
        address=row.address,
        place=row.place,
        person_id=row.person_id,
        game_id=row.game_id,
    )


def record_told(tx: Tx, row: Outbox, receipt: Receipt) -> None:
    """After a letter went out: remember what the seat has been told, and where the living message is."""
    if row.upto and row.seat is not None:
        seat = _seat_of(tx, row)
        news = (
            {}
            if seat is None
            else {**({"told": row.upto} if seat.told < row.upto else {}), **taught(seat, row)}
        )
        if seat is not None and news:
            tx.set(Seat, seat.id, **news)
    if traits(row.kind).spans:
        _spans_told(tx, row)
    if traits(row.kind).living and receipt.wire_id:
        room = tx.one(Room, channel=row.channel, place=row.place)
        if room is not None:
            tx.change(GameRoom, {"game_id": row.game_id, "room_id": room.id}, wire_id=receipt.wire_id)


def _spans_told(tx: Tx, row: Outbox) -> None:
    """The same of a letter over several games; what each seat had been told before stays with the letter,
    which may come back.
    """
    before = {}
    for seat_id, upto in notes(row).seats.items():
        place = tx.get(Seat, SeatId(int(seat_id)))
        if place is not None and place.told < upto and place.person_id == row.person_id:
            tx.set(Seat, place.id, told=upto)
            before[seat_id] = int(place.told)
    tx.set(Outbox, row.id, data=json_text({**json.loads(row.data), "before": before}))


def taught(seat: Seat, row: Outbox) -> dict[str, Any]:
    """What a seat knows now that it has had the lessons of a letter."""
    brought = notes(row).taught
    return (
        {}
        if not brought
        else {"lessons": lesson_state.remembered(seat.lessons, [name for _, name in brought], row.question)}
    )


def second_chance(uow: UnitOfWork, row: Outbox) -> None:
    """A letter that may or may not have arrived on a wire that can't tell: a prompt is repeated once, a
    minute later, if its question is still open then; a living message is simply renewed. Where a newer one of
    its name waits, that asks what is open, and tells what this one told.
    """
    if _worth_repeating(row) and not fold_into_newer(uow.tx, row):
        outbox.queue(
            uow,
            Again(row.kind, noted(row, Notes(repeated=True))),
            channel=row.channel,
            address=row.address,
            place=row.place,
            person_id=row.person_id,
            game_id=row.game_id,
            seat=row.seat,
            question=row.question,
            collapse=row.collapse,
            delay_ms=0 if traits(row.kind).living else 60_000,
        )


def _worth_repeating(row: Outbox) -> bool:
    """Whether a letter of unknown fate is repeated: one that must arrive, once."""
    kind = traits(row.kind)
    worth = kind.living or (kind.must_arrive and (row.question or not kind.asks))
    return bool(worth) and not notes(row).repeated


def _known_after_all(tx: Tx, row: Outbox, receipt: Receipt) -> bool:
    """Whether the fate of a letter, which another process had to call unknown while we could not write it
    down, can still be what we know: the letter that was to repeat it has not left, and is dropped.
    """
    if row.state != OutboxState.UNKNOWN or receipt.fate is Fate.UNKNOWN:
        return False
    if not _worth_repeating(row):
        return True
    same = {
        "state": OutboxState.QUEUED,
        "channel": row.channel,
        "address": row.address,
        "place": row.place,
        "kind": row.kind,
        "game_id": row.game_id,
        "seat": row.seat,
        "question": row.question,
        "data": json_text(noted(row, Notes(repeated=True))),
    }
    return tx.change(Outbox, same, state=OutboxState.DROPPED, error="what it repeats has a fate") > 0


def failed(uow: UnitOfWork, row: Outbox, receipt: Receipt) -> None:
    """A letter that will never arrive there: try the person's next address, close the room, tell the
    admin.
    """
    hooks.letter_refused(uow, row, receipt)
    if row.address and row.person_id is not None:
        reachability.refused(uow, row, receipt)
    elif row.place and receipt.reason in _CLOSED:
        room = uow.tx.one(Room, channel=row.channel, place=row.place)
        if receipt.reason == _TOPIC:
            tell_asker(uow, row, receipt.reason, room)
        uow.tx.change(Room, {"channel": row.channel, "place": row.place}, state=RoomState.CLOSED)

    elif row.place and receipt.reason == _FILES:
        tell_asker(uow, row, receipt.reason, uow.tx.one(Room, channel=row.channel, place=row.place))


def tell_asker(uow: UnitOfWork, row: Outbox, code: str, room: Room | None) -> None:
    """A room takes no words any more, or no files: the person whom they would have answered is told in
    private, else, once, the one who opened the table that is shown there.
    """
    game = None if row.game_id is None else uow.tx.get(Game, row.game_id)
    asker: PersonId | None = read(row, Facts).asker or None
    if asker is None and game is not None and room is not None and room.state == RoomState.OPEN:
        asker = game.creator_id
    asker = None if asker is None else officials.now(uow.tx, asker)
    at = None if asker is None else outbox.best(uow, asker)
    if asker is None or at is None or at.state != AddressState.GREEN:
        return
    facts = {"room": "" if room is None else room.name} | ({} if game is None else {"game": game.id})
    outbox.to_person(uow, asker, notice(code, **facts), at=at)
