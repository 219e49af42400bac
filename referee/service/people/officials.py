"""As whom somebody acts in office, and who counts as one where keys are counted.

Roles don't travel when two accounts are joined: from each address one may do what one might before, whoever's
it is by now. What is given to the joined person later holds from all of their addresses. Keys are a human
being's: everybody who was joined to a person, and every address of one entry of the house's admins, turn the
same one.
"""

from __future__ import annotations

from typing import NamedTuple

from referee.store import Address, Person, Tx

from ..core.outbox import WEB
from ..core.unit_of_work import Sitting


class Rank(NamedTuple):
    """What was given to `person` at `since_ms` or later may be used."""

    person: int
    since_ms: int


def ranks(tx: Tx, person_id: int, at: Address) -> tuple[Rank, ...]:
    """As whom somebody acts who speaks from an address.

    A browser is nobody's address of old: there a joined person is only what they were given since.
    """
    if at.home_id:
        return Rank(at.home_id, 0), Rank(person_id, at.joined_ms)
    if at.channel == WEB:
        return (Rank(person_id, since_ms(tx, person_id)),)
    return (Rank(person_id, 0),)


def since_ms(tx: Tx, person_id: int) -> int:
    """What was given to a person then or later holds from all of their addresses."""
    return max((one.joined_ms for one in tx.all(Address, person_id=person_id)), default=0)


def holds(held: tuple[Rank, ...], person_id: int | None, given_ms: int) -> bool:
    """Whether what was given to a person then may be used by whoever has these ranks."""
    return any(one.person == person_id and given_ms >= one.since_ms for one in held)


def now(tx: Tx, person_id: int) -> int:
    """Who somebody is by now."""
    row = tx.get(Person, person_id)
    return person_id if row is None or not row.now_id else row.now_id


def same(tx: Tx, one: int | None, other: int | None) -> bool:
    """Whether two numbers are one person by now."""
    return one is not None and other is not None and (one == other or now(tx, one) == now(tx, other))


def family(tx: Tx, person_id: int) -> tuple[int, ...]:
    """A person, and all who were joined to them."""
    return (person_id, *(int(one.id or 0) for one in tx.all(Person, now_id=person_id, order="id")))


def key(sitting: Sitting, person_id: int) -> int:
    """The number under which somebody's key is counted, the same for all who are one human being."""
    circle = {now(sitting.tx, person_id)}
    entries = [
        one
        for one in (admin(sitting, entry) for entry in sitting.settings.admin_entries if len(entry) > 1)
        if len(one) > 1
    ]
    grown = True
    while grown:
        more = {one for entry in entries if entry & circle for one in entry}
        grown = not more <= circle
        circle |= more
    return min(circle)


def admin(sitting: Sitting, entry: tuple[tuple[str, str], ...]) -> set[int]:
    """The persons behind the addresses of one entry of the house's admins, as far as they are known."""
    known = (sitting.tx.whose(*one) for one in entry)
    return {int(found[0].id or 0) for found in known if found is not None}
