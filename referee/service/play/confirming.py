"""Whether an answer is confirmed at once, or with the next question.

In a chat a confirmation is a line; in a mailbox it is a mail with nothing to do. There it waits: the next
question or the end of the game tells it. It goes before any other letter about the table, as soon as its
player writes anything, and by itself where nothing of that comes in time.
"""

from __future__ import annotations

from referee.store import Address, Person, Seat

from ..core import outbox
from ..core.unit_of_work import UnitOfWork

#: for how long a confirmation waits for a letter that tells it, ms: a day, so that it leaves at the hour at
#: which its player was up
WAIT_MS = 86_400_000


def delay_ms(uow: UnitOfWork, seat: Seat, at: Address) -> int:
    """For how long the confirmation of orders after which nothing is asked of the seat may wait at that
    address; 0 where the next question, or what comes of another order, could go elsewhere.
    """
    if seat.person_id is None:
        return 0
    person = uow.people.get(seat.person_id) or uow.tx.get(Person, seat.person_id)
    alone = [one.id for one in outbox.addresses(uow, seat.person_id)] == [at.id]
    return WAIT_MS if alone and waits(at.channel, person, seat) else 0


def waits(channel: str, person: Person | None, seat: Seat) -> bool:
    """Whether confirmations come with the next question there: not where somebody wants to hear everything
    (`notify all`), or no questions.
    """
    return (
        channel in outbox.LETTERBOXES
        and person is not None
        and (seat.notify or person.notify) in ("", "turns")
    )
