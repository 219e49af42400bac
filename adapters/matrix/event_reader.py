"""One event of one room, as something for the referee's inbox."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from referee.ports import Inbound, What

from . import reading
from .reactions import Reactions
from .rooms import Rooms

CHANNEL = "matrix"
_SPOKEN = ("m.text", "m.emote")
#: whose conversation it is in which somebody can be reached
_OPENED, _ACCEPTED = {"conversation": "opened"}, {"conversation": "accepted"}


class EventReader:
    """Turns events into `Inbound`.  Asks the homeserver only what a reaction means."""

    def __init__(self, rooms: Rooms, offers: Reactions, clock_ms: Callable[[], int], *, e2e: bool) -> None:
        self.rooms = rooms
        self.offers = offers
        self.clock_ms = clock_ms
        self.e2e = e2e
        #: who asked us into a room we have just joined
        self.inviters: dict[str, str] = {}

    async def hear(self, room: str, event: dict[str, Any]) -> Inbound | None:
        """What the event says to us, or None if it says nothing.

        `MatrixError` if the homeserver must be asked and is away.
        """
        kind = event.get("type")
        if not reading.word(event, "event_id"):
            return None
        if kind == "m.room.member":
            one = self._membership(room, event)
            if one is None or one.what is not What.INVITED:
                return one
            one = await self._instead(one)
            return await self._privately(room, event, one) if one.what is What.INVITED else one
        if reading.word(event, "sender") == self.rooms.line.me:
            return None
        if kind == "m.room.encryption" and not self.rooms.readable(room):
            return self._unreadable(room, event, reading.word(event, "sender"))
        if kind == "m.room.message":
            return self._said(room, event)
        if kind == "m.reaction":
            return await self._tapped(room, event)
        if kind == "m.room.encrypted":
            return self._sealed(room, event)
        return None

    def _said(self, room: str, event: dict[str, Any]) -> Inbound | None:
        me = self.rooms.line.me
        manner = reading.word(event, "content", "msgtype")
        if reading.is_edit(event) or manner in ("", "m.notice"):
            return None  # m.notice is how machines speak: never answered
        if manner in _SPOKEN:
            said, called = reading.spoken_to(reading.text(event), event, me, self.rooms.person_name(room, me))
            return self._inbound(
                room,
                event,
                text=said,
                thread=reading.answered(event),
                facts={"mentioned": True} if called else {},
            )
        one = self._inbound(room, event, thread=reading.answered(event), facts={"attachment": manner})
        return one if one.place is None else None

    async def _tapped(self, room: str, event: dict[str, Any]) -> Inbound | None:
        chosen = reading.choice(event)
        if chosen is None:
            return None
        key = await self.offers.key(room, *chosen)
        return self._inbound(room, event, what=What.BUTTON, payload=key, thread=chosen[0]) if key else None

    def _sealed(self, room: str, event: dict[str, Any]) -> Inbound:
        if self.e2e:
            return self._inbound(room, event, facts={"encrypted": True, "unreadable": True})
        return self._unreadable(room, event, reading.word(event, "sender"))

    def _unreadable(self, room: str, event: dict[str, Any], who: str) -> Inbound:
        """An encrypted room: told as one of several, since no conversation is possible in it; `direct` says
        that it was to be one, and that another can be made.

        The same key for the whole room: it is told once, whatever is said there and how often we restart.
        """
        facts: dict[str, Any] = {"encrypted": True}
        own = room in self.rooms.own or self.rooms.readable(room)
        if self.rooms.private_with(room, who) is not None and not own:
            facts["direct"] = True
        return self._inbound(
            room,
            event,
            key=f"encrypted:{room}",
            address=who,
            place=room,
            place_name=self.rooms.name(room),
            message_id=reading.word(event, "event_id") if event.get("type") == "m.room.encrypted" else "",
            facts=facts,
        )

    def _membership(self, room: str, event: dict[str, Any]) -> Inbound | None:
        change = reading.membership(event)
        if change is None:
            return None
        who, before, now = change
        person = self.rooms.private_with(room)
        by = reading.word(event, "sender")
        if who == self.rooms.line.me:
            if now != "join":
                return None  # our leaving is told by `left`
            if room in self.rooms.own:
                return None  # made for a letter, which is there in a moment
            inviter = reading.word(event, "unsigned", "prev_sender") or self.inviters.get(room, "")
            if inviter and not self.rooms.readable(room):
                return self._unreadable(room, event, inviter)
            if person is not None:
                return self._inbound(room, event, what=What.REACHABLE, address=person, facts=_OPENED)
            return self._inbound(room, event, what=What.INVITED, address=inviter)
        if now == "join" and person == who:
            facts = _ACCEPTED if room in self.rooms.own else {}
            return self._inbound(room, event, what=What.REACHABLE, address=who, facts=facts)
        if now in ("leave", "ban") and self._was_alone_with(room, who) and not self.rooms.nearby(who):
            return self._inbound(room, event, what=What.BLOCKED, address=who, place=None)
        if before == "leave" and now in ("invite", "join") and self._outgrew(room):
            return self._inbound(room, event, what=What.INVITED, address=by)
        return None

    async def _instead(self, one: Inbound) -> Inbound:
        """An upgraded room: if the room we came into replaces another of ours, that one has moved here.

        Both must say so: anybody can claim a predecessor, only the old room's own people leave a tombstone in
        it.
        """
        room = one.place or ""
        old = await self.rooms.predecessor(room)
        if not old:
            return one
        return replace(one, what=What.MOVED, place=old, facts={"to": room})

    async def _privately(self, room: str, event: dict[str, Any], one: Inbound) -> Inbound:
        """A room with a name in which we are alone with somebody who has no conversation with us yet: that is
        it from now on. A second one is made for others who will come.
        """
        person = self.rooms.alone_with(room)
        if person is None or person != one.address or self.rooms.nearby(person):
            return one
        await self.rooms.remember(person, room)
        return self._inbound(room, event, what=What.REACHABLE, address=person, facts=_OPENED)

    def left(self, room: str, event: dict[str, Any]) -> Inbound | None:
        """Our own leaving: put out of a table's room, or out of a conversation."""
        change = reading.membership(event)
        if change is None or change[1] != "join" or change[0] != self.rooms.line.me:
            return None
        person = self.rooms.flagged(room)
        if person is not None and not self.rooms.nearby(person):
            return self._inbound(room, event, what=What.BLOCKED, address=person, place=None)
        return self._inbound(room, event, what=What.EXPELLED)

    def _was_alone_with(self, room: str, who: str) -> bool:
        flagged = self.rooms.flagged(room)
        return flagged == who or (flagged is None and self.rooms.private_with(room, who) == who)

    def _outgrew(self, room: str) -> bool:
        """Whether a conversation of two has just become a room of three: a table's room from now on."""
        seen = self.rooms.room(room)
        unnamed = seen is not None and not seen.named_room_name()
        return seen is not None and len(seen.users) == 3 and (unnamed or self.rooms.flagged(room) is not None)

    def _inbound(self, room: str, event: dict[str, Any], **more: Any) -> Inbound:
        sender = more.pop("address", reading.word(event, "sender"))
        private = self.rooms.private_with(room, sender) is not None
        event_id = reading.word(event, "event_id")
        return Inbound(
            **{
                "channel": CHANNEL,
                "key": event_id,
                "address": sender,
                "message_id": event_id,
                "place": None if private else room,
                "place_name": "" if private else self.rooms.name(room),
                "name": self.rooms.person_name(room, sender),
                "at_ms": reading.moment(event) or self.clock_ms(),
                **more,
            }
        )
