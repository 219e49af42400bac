"""Rooms and what adapters report about them and about people: invited, expelled, moved, blocked, bounced."""
from __future__ import annotations

import json

from referee.ports import Inbound, What
from referee.store import Address, Game, GameRoom, Outbox, Room

from . import letters, people, tokens
from .sitting import Sitting

ACTIVE = ("lobby", "mustering", "running", "frozen")


def room(sitting: Sitting, came: Inbound) -> Room | None:
    """The room something was said in, made known if new; None for a private conversation."""
    if came.place is None:
        return None
    found = sitting.tx.one(Room, channel=came.channel, place=came.place)
    if found is None:
        room_id = sitting.tx.add(Room, channel=came.channel, place=came.place, name=came.place_name)
        found = sitting.tx.get(Room, room_id)
    elif found.state != "open":
        sitting.tx.set(Room, found.id, state="open")
        found = sitting.tx.get(Room, found.id)
    return found


def reported(sitting: Sitting, came: Inbound) -> None:
    """Not words but news of the wire."""
    match came.what:
        case What.INVITED:
            here = room(sitting, came)
            if here is not None and not shown(sitting, here):
                letters.to_room(sitting, here, "notice", data={"notices": [{"code": "invited-room", "facts": {}}]})
        case What.EXPELLED:
            sitting.tx.change(Room, {"channel": came.channel, "place": came.place}, state="closed")
        case What.MOVED:
            moved(sitting, came.channel, came.place or "", str(came.facts["to"]))
        case What.REACHABLE:
            person, address = people.meet(sitting, came)
            people.seen(sitting, address)
            waiting(sitting, int(person.id or 0))
        case What.BLOCKED:
            lost(sitting, came.channel, came.address, "blocked")
        case What.BOUNCED:
            bounced(sitting, came)
        case _:
            pass                                      # an auto-reply is on record and moves nothing


def shown(sitting: Sitting, here: Room) -> bool:
    """Show the tables again that live in a room the referee comes back to.  False when there are none."""
    watched = [sitting.tx.get(Game, w.game_id) for w in sitting.tx.all(GameRoom, room_id=here.id)]
    alive = [game for game in watched if game is not None and game.status in ACTIVE]
    for game in alive:
        letters.to_rooms(sitting, game)
    return bool(alive)


def moved(sitting: Sitting, channel: str, old: str, new: str) -> None:
    """A group has another id now (Telegram's supergroups): everything that was meant for it goes there.  The wire may
    report it several times, by either id.  Messages of the old group can't be edited in the new one."""
    here = sitting.tx.one(Room, channel=channel, place=old)
    there = sitting.tx.one(Room, channel=channel, place=new)
    if here is not None and there is None:
        sitting.tx.set(Room, here.id, place=new)
        sitting.tx.change(GameRoom, {"room_id": here.id}, wire_id="")
    elif here is not None and there is not None:
        for watch in sitting.tx.all(GameRoom, room_id=here.id):
            if sitting.tx.one(GameRoom, game_id=watch.game_id, room_id=there.id) is None:
                sitting.tx.set(GameRoom, watch.id, room_id=there.id, wire_id="")
            else:
                sitting.tx.drop(GameRoom, id=watch.id)
        sitting.tx.set(Room, here.id, state="closed")
    sitting.tx.change(Outbox, {"channel": channel, "place": old, "state": "queued"}, place=new)
    now = sitting.tx.one(Room, channel=channel, place=new)
    if here is not None and now is not None:
        shown(sitting, now)


def lost(sitting: Sitting, channel: str, address: str, state: str) -> None:
    """An address can't be written to: what waited for it goes to the person's next one."""
    found = people.known(sitting, channel, address)
    if found is None:
        return
    sitting.tx.set(Address, found[1].id, state=state)
    redirect(sitting, found[1])


def redirect(sitting: Sitting, gone: Address) -> None:
    """Letters that wait for an address that is gone are queued again for the next one, if there is one."""
    for row in sitting.tx.all(Outbox, channel=gone.channel, address=gone.address, state="queued"):
        again(sitting, row, gone.person_id)


def again(sitting: Sitting, row: Outbox, person_id: int) -> None:
    """Take one letter back from an address that is gone and queue it for the person's next one."""
    sitting.tx.set(Outbox, row.id, state="failed", error="address gone")
    after = letters.best(sitting, person_id)
    if after is None or row.kind in ("toast", "suspicious"):
        return
    letters.queue(sitting, row.kind, channel=after.channel, address=after.address, person_id=person_id, game_id=row.game_id,
                  seat=row.seat, question=row.question, data=json.loads(row.data),
                  collapse=f"{row.kind}:{row.game_id}:{row.seat}:{after.channel}" if row.seat is not None else "")


def bounced(sitting: Sitting, came: Inbound) -> None:
    """A mail came back.  For good: its address is not used any more until its owner writes again."""
    number = tokens.letter_of(tokens.secret(sitting.tx), came.token or str(came.facts.get("letter", "")))
    row = None if number is None else sitting.tx.get(Outbox, number)
    if row is None or not came.facts.get("permanent"):
        return
    sitting.tx.set(Outbox, row.id, state="failed", error=f"bounced: {came.facts.get('reason', '')}"[:300])
    lost(sitting, row.channel, row.address, "bounced")
    if row.person_id is not None:
        again(sitting, row, row.person_id)


def waiting(sitting: Sitting, person_id: int) -> int:
    """Somebody can be reached now: send what they should have had (ready? your turn!).  Returns how many letters."""
    sent = 0
    for seat, game in sitting.tx.seats_of(person_id, ("mustering", "running")):
        if game.status == "mustering" and not seat.ready:
            letters.to_seat(sitting, game, seat, "muster")
            sent += 1
        elif game.status == "running" and str(seat.no) in game.asked.split(","):
            letters.to_seat(sitting, game, seat, "prompt", question=game.question)
            sent += 1
    return sent


def watch(sitting: Sitting, here: Room, game: Game) -> None:
    """Show a game's public table in this room from now on."""
    sitting.tx.add_new(GameRoom, game_id=game.id, room_id=here.id)
    letters.to_rooms(sitting, game)
