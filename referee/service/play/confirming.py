"""Whether an answer is confirmed at once, or with the next question.

In a chat a confirmation is a line; in a mailbox it is a mail with nothing to do. There it waits: the next
question or the end of the game tells it, and where neither comes for days it leaves by itself.
"""

from __future__ import annotations

from referee.store import Address, Person, Seat

from ..core import outbox
from ..core.unit_of_work import UnitOfWork

#: channels whose every letter somebody has to open and put away
LETTERBOXES = frozenset({"mail"})
#: for how long a confirmation waits for a letter that tells it, ms: one round of a slow table
WAIT_MS = 3 * 86_400_000


def delay_ms(uow: UnitOfWork, seat: Seat, at: Address) -> int:
    """For how long the confirmation of orders after which nothing is asked of the seat may wait at that
    address; 0 where the next question goes elsewhere.
    """
    if seat.person_id is None:
        return 0
    person = uow.people.get(seat.person_id) or uow.tx.get(Person, seat.person_id)
    where = outbox.best(uow, seat.person_id, seat)
    return WAIT_MS if where is not None and where.id == at.id and waits(at.channel, person, seat) else 0


def waits(channel: str, person: Person | None, seat: Seat) -> bool:
    """Whether confirmations come with the next question there: not where somebody wants to hear everything
    (`notify all`), or no questions.
    """
    return channel in LETTERBOXES and person is not None and (seat.notify or person.notify) in ("", "turns")
