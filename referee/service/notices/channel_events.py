"""What adapters report about rooms and people, not words: invited, expelled, moved, reachable, blocked,
bounced.
"""

from __future__ import annotations

from referee.ports import Inbound, What
from referee.states import RoomState
from referee.store import Room

from ..core import outbox
from ..core.letters import Notice
from ..core.unit_of_work import UnitOfWork
from ..people import chat_rooms, identity
from ..people.identity import Speaker
from ..people.letter_facts import NoticeFacts, notice
from ..people.replies import answer
from . import reachability


def reported(uow: UnitOfWork, came: Inbound) -> None:
    """Note what happened to a wire, and do what follows from it."""
    match came.what:
        case What.INVITED:
            invited(uow, came)
        case What.EXPELLED:
            uow.tx.change(Room, {"channel": came.channel, "place": came.place}, state=RoomState.CLOSED)
        case What.MOVED:
            chat_rooms.move_room(uow, came.channel, came.place or "", str(came.facts["to"]))
        case What.REACHABLE:
            reachable(uow, came)
        case What.BLOCKED:
            reachability.note_unreachable(uow, came.channel, came.address, "blocked")
        case What.BOUNCED:
            reachability.bounced(uow, came)
        case _:
            pass  # an auto-reply is on record and moves nothing


def reachable(uow: UnitOfWork, came: Inbound) -> None:
    """Somebody can be written to: they get what they should have and don't see there, else, in a new
    conversation of theirs, the first word.
    """
    person, address = identity.meet(uow, came)
    conversation = came.facts.get("conversation")
    there = conversation == "accepted" and address.state not in reachability.GONE
    identity.seen(uow, address, identity.handle_of(came))
    sent = reachability.back(uow, person.id, ask=not there)
    if conversation == "opened" and not sent:
        outbox.to_person(uow, person.id, notice("welcome", name=person.name), at=address)


def encrypted(uow: UnitOfWork, speaker: Speaker, came: Inbound) -> None:
    """Something was said that can't be decrypted, or will be: say in the clear, which clients show with a
    warning, what to do. Where it was to be a conversation, another one is begun that is not encrypted.
    """
    if came.facts.get("unreadable"):
        answer(uow, speaker, came, "unreadable-message")
        return
    direct = bool(came.facts.get("direct"))
    answer(uow, speaker, came, "encrypted-room", direct=direct)
    if direct:
        outbox.to_person(
            uow, speaker.person.id, notice("welcome", name=speaker.person.name), at=speaker.address
        )


def anonymous(uow: UnitOfWork, came: Inbound) -> None:
    """Somebody spoke in a room's own name: nobody can be meant by that, so they are told what to do."""
    here = chat_rooms.room(uow, came)
    if here is not None:
        outbox.to_room(uow, here, NoticeFacts([Notice("anonymous-admin")], answers=came.message_id))


def invited(uow: UnitOfWork, came: Inbound) -> None:
    """We may write in a room: show its tables, else say hello, unless it was only closed for a while."""
    known = uow.tx.one(Room, channel=came.channel, place=came.place) is not None
    again = bool(came.facts.get("again"))
    here = chat_rooms.room(uow, came) if known or not again else None
    if here is not None and not chat_rooms.show_tables_again(uow, here) and not again:
        outbox.to_room(uow, here, NoticeFacts([Notice("invited-room")], offers=[("new", "new")]))
