"""Deadlines of a table as a whole, told apart from those of a question: votes, pauses that last too long,
people who don't come back to a table that gathers anew, misses that are taken back, seats on offer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from referee.store import Deadline, Game

from ..core.unit_of_work import Sitting
from ..play import seat_offers
from ..tables import regather
from ..time import forgive
from . import pause, votes

#: kind of row -> what it does once it is claimed
RINGS: Mapping[str, Callable[[Sitting, Game, Deadline], None]] = {
    "vote": votes.rung,
    "pause": pause.rung,
    "gather": regather.rung,
    "amends": forgive.rung,
    seat_offers.KIND: seat_offers.rung,
}
