"""Who is speaking: from an address to a person, and what an answer answers.

Chat servers vouch for their users.  A mail is believed only with the reply token of a letter that went to
that very address; without it the known address is asked, and nothing moves.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

from referee.ids import PersonId
from referee.ports import Inbound, What
from referee.states import AddressState
from referee.store import Address, Outbox, Person

from ..core import outbox, tokens
from ..core.letter_rows import read
from ..core.letters import Facts
from ..core.speaker import Speaker as Speaker
from ..core.unit_of_work import UnitOfWork
from . import first_language, strangers, web_sessions

#: for so long the token of a letter, and the keys of its buttons, are good for anything
LIFE_MS = 30 * 86_400_000
#: a name in which an address stands
_ADDRESS = re.compile(r"[^\s@]@[^\s@]+[.:][^\s@]")


def known(uow: UnitOfWork, channel: str, address: str) -> tuple[Person, Address] | None:
    """The person behind an address."""
    return uow.tx.whose(channel, address)


def meet(uow: UnitOfWork, came: Inbound, letter: Outbox | None = None) -> tuple[Person, Address]:
    """The person behind an address, made known if new: in the language of the letter that they answer, where
    theirs is not told.
    """
    found = known(uow, came.channel, came.address)
    if found is not None:
        return found
    if letter is not None and not came.language:
        came = replace(came, language=read(letter, Facts).language)
    person_id = uow.tx.add(
        Person,
        name=public_name(came),
        language=first_language.of_person(uow, came),
        created_ms=uow.now_ms,
    )
    uow.tx.add(
        Address,
        person_id=person_id,
        channel=came.channel,
        address=came.address,
        handle=handle_of(came),
        seen_ms=uow.now_ms,
    )
    if mailed(came):
        strangers.proven(uow, came.channel, came.address)
    found = known(uow, came.channel, came.address)
    assert found is not None
    return found


def seated(uow: UnitOfWork, person_id: PersonId) -> None:
    """Somebody gets a seat, while another process may be deleting their account.

    Their row is written as it is, as the deletion writes it: the later of the two begins anew, and sees what
    the other has done.
    """
    person = uow.tx.get(Person, person_id)
    if person is not None:
        uow.tx.set(Person, person_id, created_ms=person.created_ms)


def public_name(came: Inbound) -> str:
    """What somebody new goes by.

    Many mail programs write the address itself for a name that they were not told; a name is read by
    everybody at a table and on pages, an address by nobody.
    """
    name = came.name.strip()
    return local_part(came.address) if not name or _ADDRESS.search(name) else name


def local_part(address: str) -> str:
    """ana@x.test and @ana:hs.test are both ana to start with."""
    return address.lstrip("@").split("@")[0].split(":")[0]


def speaker(uow: UnitOfWork, came: Inbound) -> Speaker | None:
    """Who said this, if they may be believed; else None, and the known address has been asked."""
    letter: Outbox | None = None
    order = ""
    if came.what is What.BUTTON:
        pressed = tokens.button_of(tokens.secret(uow.tx), came.payload)
        if pressed is not None:
            letter = uow.tx.get(Outbox, pressed[0])
            order = offered(letter, came.payload)
    elif came.token:
        number = tokens.letter_of(tokens.secret(uow.tx), came.token)
        letter = None if number is None else uow.tx.get(Outbox, number)
    elif came.thread:
        where = came.place or ""  # some wires count messages anew in each conversation
        # a message may have been rewritten: what it says now is the newest row
        found = uow.tx.all(
            Outbox, channel=came.channel, wire_id=came.thread, place=where, order="-id", limit=1
        )
        letter = found[0] if found else None
    dead = (
        letter is not None
        and (came.what is What.BUTTON or bool(came.token))
        and uow.now_ms - born(letter) > LIFE_MS
    )
    if dead:  # it opens nothing any more
        letter, order = None, ""
    believed = came.vouched if not mailed(came) else answers_own_letter(letter, came)
    if not believed:
        suspect(uow, came, letter, dead=dead)
        return None
    if came.channel == outbox.WEB:
        held = web_sessions.holder(uow, came)
        return None if held is None else Speaker(held[0], held[1], letter or held[2], order)
    if mailed(came) and letter is not None and to_somebody_gone(uow, letter, came):
        suspect(uow, came, letter)
        return None
    person, address = meet(uow, came, letter)
    if came.place is None:
        seen(uow, address, handle_of(came))
    return Speaker(person, address, letter, order)


def mailed(came: Inbound) -> bool:
    """Mail has no server that knows its users: only a reply token speaks for the sender."""
    return bool(came.token) or not came.vouched or bool(came.facts.get("auth"))


def answers_own_letter(letter: Outbox | None, came: Inbound) -> bool:
    """Whether this answers a letter that we sent to the address it comes from."""
    return (
        letter is not None
        and letter.channel == came.channel
        and letter.address.casefold() == came.address.casefold()
    )


def to_somebody_gone(uow: UnitOfWork, letter: Outbox, came: Inbound) -> bool:
    """Whether a letter to the address that this comes from was for somebody who has it no more: their account
    is deleted.
    """
    found = known(uow, came.channel, came.address)
    return letter.person_id not in (None, None if found is None else found[0].id)


def born(letter: Outbox) -> int:
    """When a letter went out."""
    return letter.sent_ms or letter.created_ms


def offered(letter: Outbox | None, payload: str) -> str:
    """What the pressed button stood for, as frozen in the letter that offered it."""
    if letter is None or not letter.letter:
        return ""
    frozen: dict[str, Any] = json.loads(letter.letter)
    for row in frozen.get("buttons", ()):
        for one in row:
            if one["key"] == payload:
                return str(one["order"])
    return ""


def handle_of(came: Inbound) -> str:
    """What people on that channel know the sender by, "" where that is the address itself."""
    return str(came.facts.get("handle", ""))


def seen(uow: UnitOfWork, address: Address, handle: str) -> None:
    """A private word from an address proves that it can be written to, and tells how it is called by now."""
    if (
        address.state != AddressState.GREEN
        or uow.now_ms - address.seen_ms > 60_000
        or address.handle != handle
    ):
        uow.tx.set(
            Address,
            address.id,
            state=AddressState.GREEN,
            seen_ms=uow.now_ms,
            handle=handle,
            proven_ms=address.proven_ms or uow.now_ms,
        )


class SuspiciousFacts(Facts):
    """Why a mail moved nothing (sender, token, old, gone, stranger)."""

    kind = "suspicious"
    why: str


def suspect(uow: UnitOfWork, came: Inbound, letter: Outbox | None, *, dead: bool = False) -> None:
    """Somebody writes in a person's name without proof: ask the address that we know, in a letter that says
    nothing of what was written.

    A letter's own address is asked when the token was good but the sender is another; else the address that
    the mail claims. Of a mailbox that is nobody's nothing is kept but that it was written to: who they are is
    learned from their answer. `dead`: it answered a letter that is too old.
    """
    channel, address, why = came.channel, came.address, "old" if dead else "token"
    if letter is not None and letter.address:
        channel, address = letter.channel, letter.address
        why = "gone" if answers_own_letter(letter, came) else "sender"
    if "@" not in address:
        return
    name = f"suspicious:{channel}:{address.casefold()}"
    found = known(uow, channel, address)
    if found is not None and found[1].state != AddressState.NEW:
        if strangers.may_ask_owner(uow, came, found[1]):
            outbox.to_person(uow, found[0].id, SuspiciousFacts(why=why), at=found[1], collapse=name)
    elif strangers.greeted(uow, came, address):
        outbox.queue(
            uow,
            SuspiciousFacts(why="stranger", reply=True, language=first_language.of_person(uow, came)),
            channel=channel,
            address=address,
            person_id=None if found is None else found[0].id,
            collapse=name,
        )
