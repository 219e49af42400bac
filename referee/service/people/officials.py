"""As whom somebody acts in office, and who counts as one where keys are counted.

Roles don't travel when two accounts are joined: from each address one may do what one might before, no matter
who's it is by now. What is given to the joined person later holds from all of their addresses. Keys are a
human being's: everybody who was joined to a person, and every address of one entry of the installation's
admins, turn the same one.
"""

from __future__ import annotations

from typing import NamedTuple

from referee.ids import PersonId
from referee.store import Address, Person, Tx

from ..core.outbox import WEB
from ..core.unit_of_work import UnitOfWork


class OfficialRights(NamedTuple):
    """What was given to `person` at `since_ms` or later may be used."""

    person: PersonId
    since_ms: int


def ranks(tx: Tx, person_id: PersonId, at: Address) -> tuple[OfficialRights, ...]:
    """As whom somebody acts who speaks from an address.

    A browser is nobody's address of old: there a joined person is only what they were given since.
    """
    if at.home_id:
        return OfficialRights(at.home_id, 0), OfficialRights(person_id, at.joined_ms)
    if at.channel == WEB:
        return (OfficialRights(person_id, since_ms(tx, person_id)),)
    return (OfficialRights(person_id, 0),)


def since_ms(tx: Tx, person_id: PersonId) -> int:
    """What was given to a person then or later holds from all of their addresses."""
    return max((one.joined_ms for one in tx.all(Address, person_id=person_id)), default=0)


def holds(held: tuple[OfficialRights, ...], person_id: PersonId | None, given_ms: int) -> bool:
    """Whether what was given to a person then may be used by the person who has these ranks."""
    return any(one.person == person_id and given_ms >= one.since_ms for one in held)


def now(tx: Tx, person_id: PersonId) -> PersonId:
    """Who somebody is by now."""
    row = tx.get(Person, person_id)
    return person_id if row is None or not row.now_id else row.now_id


def same(tx: Tx, one: PersonId | None, other: PersonId | None) -> bool:
    """Whether two numbers are one person by now."""
    return one is not None and other is not None and (one == other or now(tx, one) == now(tx, other))


def family(tx: Tx, person_id: PersonId) -> tuple[PersonId, ...]:
    """A person, and all who were joined to them."""
    return (person_id, *(one.id for one in tx.all(Person, now_id=person_id, order="id")))


def key(uow: UnitOfWork, person_id: PersonId) -> PersonId:
    """The number under which somebody's key is counted, the same for all who are one human being."""
    return min(circle(uow, person_id))


def circle(uow: UnitOfWork, person_id: PersonId) -> set[PersonId]:
    """Everybody who is the same human being, as they are called by now."""
    found = {now(uow.tx, person_id)}
    entries = [
        one
        for one in (admin(uow, entry) for entry in uow.settings.admin_entries if len(entry) > 1)
        if len(one) > 1
    ]
    grown = True
    while grown:
        more = {one for entry in entries if entry & found for one in entry}
        grown = not more <= found
        found |= more
    return found


def house(uow: UnitOfWork) -> set[PersonId]:
    """The persons who look after the installation, as far as they can be asked: the console is nobody."""
    found = {one.id for one in uow.tx.all(Person, admin=1) if uow.tx.count(Address, person_id=one.id)}
    return {now(uow.tx, one) for one in found | admin(uow, uow.settings.admins)}


def admin(uow: UnitOfWork, entry: tuple[tuple[str, str], ...]) -> set[PersonId]:
    """The persons behind the addresses of one entry of the installation's admins, as far as they are
    known."""
    known = (uow.tx.whose(*one) for one in entry)
    return {found[0].id for found in known if found is not None}
