"""What was parked of somebody whose account is deleted goes with it: where the house keeps words for ever,
nothing else would throw it away.
"""

from __future__ import annotations

from referee.store import Address, Person

from ..accounts.hooks import deleting
from ..core.outbox import WEB
from ..core.unit_of_work import UnitOfWork
from ..people import officials
from .parking import Parking


@deleting.on
def forget_parked(uow: UnitOfWork, person: Person) -> None:
    """What came from their addresses, and from their pages."""
    mine = officials.family(uow.tx, person.id)
    found = uow.tx.all(Address, person_id=mine)
    addresses = [(one.channel, one.address) for one in found]
    addresses += [(one.channel, one.handle) for one in found if one.handle]
    Parking(uow.settings.parking).forget_from([*addresses, *((WEB, str(one)) for one in mine)])
