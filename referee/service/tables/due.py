"""Deadlines about who sits where: people who don't come back to a table that gathers anew, seats on offer."""

from __future__ import annotations

from referee.states import DeadlineKind

from ..core.due import due
from ..play import seat_offers
from . import regather

due(DeadlineKind.GATHER)(regather.not_back)
due(seat_offers.KIND)(seat_offers.silent)
