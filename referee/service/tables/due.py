"""Deadlines about who sits where: people who don't come back to a table that gathers anew, seats on offer."""

from __future__ import annotations

from ..core.due import due
from . import regather, seat_offers

due("gather")(regather.not_back)
due(seat_offers.KIND)(seat_offers.silent)
